package io.github.flinkps.flink.data;

import java.io.Serializable;

/** A text format of one row per line. */
public interface RowFormat extends Serializable {
    /** Returns its name on the command line. */
    String name();

    /** Returns whether the first line of each file is no row. */
    default boolean header() {
        return false;
    }

    /** Returns a parser for one thread. */
    RowParser newParser();
}
