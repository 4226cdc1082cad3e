package io.github.flinkps.flink.data;

import java.io.Serializable;

/** A text format of one row per line. */
public interface RowFormat extends Serializable {
    /** Its name on the command line. */
    String name();

    /** A parser for one thread. */
    RowParser newParser();
}
