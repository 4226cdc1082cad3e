package io.github.flinkps.flink;

/** Where an option of {@link PsOptions} is taken, beside jobs that train, which take all. */
public enum OptionUse {
    /** By jobs that score. */
    SCORING,

    /** By the tables of models in SQL, and so by the Python package. */
    TABLE,

    /** On the command line, as {@code --KEY}. */
    COMMAND
}
