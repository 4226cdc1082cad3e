package io.github.flinkps.client;

/**
 * Rows of one partition as stored, for saving and loading models. Arrays are owned by the holder.
 *
 * @param partition the partition
 * @param keys one per row
 * @param values {@code keys.length * width} values
 * @param slots per slot {@code keys.length * width} values; empty when slots were not asked for
 * @param steps optimizer steps counted at the partition; loaded with slots only
 * @param nextCursor where the next chunk begins, or {@link #END}
 */
public record RowChunk(
        int partition, long[] keys, float[] values, float[][] slots, long steps, long nextCursor) {
    /** The token that says that no chunk follows. */
    public static final long END = -1;
}
