package io.github.flinkps.flink.data;

/** What a reader does with a row it cannot read. */
public enum OnBadRow {
    /** The job fails, naming the row. */
    FAIL,
    /** The row is left out and counted. */
    SKIP
}
