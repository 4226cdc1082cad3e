package io.github.flinkps.flink.data;

import java.io.Serializable;

/** A text format of one row per line. */
public interface RowFormat extends Serializable {
    /** Its name on the command line. */
    String name();

    /** Whether the first line of each file is no row. */
    default boolean header() {
        return false;
    }

    /** A parser for one thread. */
    RowParser newParser();
}
