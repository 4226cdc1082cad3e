package io.github.flinkps.flink.data;

/** The action of a reader on a row it cannot read. */
public enum OnBadRow {
    /** The job fails, naming the row. */
    FAIL,
    /** The row is left out and counted. */
    SKIP
}
