package io.github.flinkps.client;

import io.github.flinkps.common.StepCounts;

/**
 * Rows of one partition as stored, for saving and loading models. Arrays are owned by the holder.
 *
 * @param partition the partition
 * @param keys one per row
 * @param values {@code keys.length * width} values
 * @param slots per slot {@code keys.length * width} values; empty when slots were not asked for
 * @param steps of the optimizer counted at the partition; loaded with slots only
 * @param nextCursor where the next chunk begins, or {@link #END}
 */
public record RowChunk(
        int partition,
        long[] keys,
        float[] values,
        float[][] slots,
        StepCounts steps,
        long nextCursor) {
    /** The token that says that no chunk follows. */
    public static final long END = -1;

    /**
     * Holds rows of a partition whose steps were rounds.
     *
     * @param rounds counted at the partition; loaded with slots only
     */
    public RowChunk(
            int partition,
            long[] keys,
            float[] values,
            float[][] slots,
            long rounds,
            long nextCursor) {
        this(partition, keys, values, slots, StepCounts.ofRounds(rounds), nextCursor);
    }
}
