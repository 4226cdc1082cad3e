package io.github.flinkps.server;

import io.github.flinkps.server.store.Partition;

/** Room for a block of rows that are read, used again and again. Confined to the owner thread. */
final class ScanBlock {
    private static final int FLOATS = 1 << 14;

    private final long[] keys = new long[FLOATS];
    private final float[] values = new float[FLOATS];

    /** Reads the next rows of a partition; returns how many, 0 at its end. */
    int read(Partition partition, long cursor) {
        return partition.export(
                cursor, Math.max(1, FLOATS / partition.spec().width()), keys, values, null);
    }

    long[] keys() {
        return keys;
    }

    float[] values() {
        return values;
    }
}
