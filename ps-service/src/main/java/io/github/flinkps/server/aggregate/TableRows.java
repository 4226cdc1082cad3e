package io.github.flinkps.server.aggregate;

import io.github.flinkps.common.TableSpec;

/** One partition of a table, to be looked at on its owner thread. */
public interface TableRows {
    /** Returns the table. */
    TableSpec spec();

    /** Returns the number of rows: those born (sparse) or all (dense). */
    long rows();

    /**
     * Reads the values of keys of this partition, in any order; of rows never trained the
     * initializer's.
     */
    void lookUp(long[] keys, int count, float[] values);
}
