package io.github.flinkps.flink.options;

/**
 * The places where an option of {@link PsOptions} is taken, beside jobs that train, which take all.
 */
public enum OptionUse {
    /** Used by jobs that score. */
    SCORING,

    /** Used by the tables of models in SQL, and so by the Python package. */
    TABLE,

    /** Used on the command line, as {@code --KEY}. */
    COMMAND
}
