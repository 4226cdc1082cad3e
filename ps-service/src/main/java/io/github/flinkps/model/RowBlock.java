package io.github.flinkps.model;

/**
 * Rows of one partition: the first {@code rows} of each array.
 *
 * @param keys one per row
 * @param values {@code width} per row
 * @param slots per slot {@code width} values per row; none where slots are not saved
 * @param steps the step each row is up to date with, modulo 2^32; null where that is not saved
 * @param rows number of rows
 */
public record RowBlock(long[] keys, float[] values, float[][] slots, int[] steps, int rows) {
    private static final float[][] NO_SLOTS = {};

    /** Holds rows that are up to date, and so have no last steps. */
    public RowBlock(long[] keys, float[] values, float[][] slots, int rows) {
        this(keys, values, slots, null, rows);
    }

    /** Returns a block of rows without slots, as many as keys. */
    public static RowBlock of(long[] keys, float[] values) {
        return new RowBlock(keys, values, NO_SLOTS, keys.length);
    }

    /**
     * @throws IllegalArgumentException if an array is too short, or there are other slots or steps
     *     than files of that layout have
     */
    public void check(int width, int slotCount, boolean withSteps) {
        long count = (long) rows * width;
        if (rows < 0 || keys.length < rows || values.length < count) {
            throw new IllegalArgumentException(
                    rows
                            + " rows of width "
                            + width
                            + " in "
                            + keys.length
                            + " keys and "
                            + values.length
                            + " values");
        }
        if (slots.length != slotCount) {
            throw new IllegalArgumentException(slots.length + " slots instead of " + slotCount);
        }
        for (int i = 0; i < slotCount; i++) {
            if (slots[i].length < count) {
                throw new IllegalArgumentException(
                        "slot " + i + " has " + slots[i].length + " values");
            }
        }
        if (withSteps != (steps != null) || withSteps && steps.length < rows) {
            throw new IllegalArgumentException(
                    rows + " rows with " + (steps == null ? "no" : steps.length) + " steps");
        }
    }
}
