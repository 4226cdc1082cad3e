package io.github.flinkps.model;

/**
 * Rows of one partition: the first {@code rows} of each array.
 *
 * @param keys one per row
 * @param values {@code width} per row
 * @param slots per slot {@code width} values per row; none where slots are not saved
 * @param rows number of rows
 */
public record RowBlock(long[] keys, float[] values, float[][] slots, int rows) {
    private static final float[][] NO_SLOTS = {};

    /** Rows without slots, as many as keys. */
    public static RowBlock of(long[] keys, float[] values) {
        return new RowBlock(keys, values, NO_SLOTS, keys.length);
    }
}
