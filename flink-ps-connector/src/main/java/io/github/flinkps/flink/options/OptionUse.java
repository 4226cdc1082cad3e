package io.github.flinkps.flink.options;

/**
 * The places where an option of {@link PsOptions} is taken, beside jobs that train, which take all.
 */
public enum OptionUse {
    /** Jobs that score take it. */
    SCORING,

    /** The tables of models in SQL take it, and so does the Python package. */
    TABLE,

    /** The command line takes it, as {@code --KEY}. */
    COMMAND
}
