package io.github.flinkps.server.aggregate;

import io.github.flinkps.common.TableSpec;

/** The rows of one partition of a table, to be read on its owner thread. */
public interface TableRows {
    /** Returns the table. */
    TableSpec spec();

    /** Returns the number of rows: those born (sparse) or all (dense). */
    long rows();

    /**
     * Reads rows from a cursor: 0 at first, then the sum of what was returned.
     *
     * @param values receives {@code spec().width()} values per row
     * @return rows read, at most {@code maxRows}; 0 at the end
     */
    int read(long cursor, int maxRows, long[] keys, float[] values);

    /**
     * Reads the values of keys of this partition, in any order; of rows never trained the
     * initializer's.
     */
    void lookUp(long[] keys, int count, float[] values);
}
