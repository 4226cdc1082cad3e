package io.github.flinkps.server.store;

/**
 * Room for rows as they are stored: values and slots bit for bit, row-major, and the step each row
 * is up to date with. Reused from block to block; belongs to its user, one thread at a time.
 */
public final class RowImage {
    private final int width;
    private final long[] keys;
    private final float[] values;
    private final float[][] slots;
    private final int[] steps;

    /** The row numbers behind the keys, for the store. */
    final int[] rowNumbers;

    RowImage(int maxRows, int width, int slotCount, boolean withSteps) {
        this.width = width;
        this.keys = new long[maxRows];
        this.values = new float[maxRows * width];
        this.slots = new float[slotCount][maxRows * width];
        this.steps = withSteps ? new int[maxRows] : null;
        this.rowNumbers = new int[maxRows];
    }

    public int maxRows() {
        return keys.length;
    }

    public long[] keys() {
        return keys;
    }

    /** Returns the values, {@code width} per row. */
    public float[] values() {
        return values;
    }

    /** Returns the slots, each laid out as the values. */
    public float[][] slots() {
        return slots;
    }

    /** Returns the last steps modulo 2^32; null unless the update function catches rows up. */
    public int[] stepsOrNull() {
        return steps;
    }

    /** Refuses a partition as {@link #check(Partition)} does, and counts that do not fit. */
    void check(Partition partition, int count) {
        check(partition);
        if (count < 0 || count > keys.length) {
            throw new IllegalArgumentException("no room for " + count + " rows in " + keys.length);
        }
    }

    /** Refuses one made for rows of another shape. */
    void check(Partition partition) {
        if (width != partition.width
                || slots.length != partition.slotCount
                || (steps != null) != partition.catchesUp) {
            throw new IllegalArgumentException(
                    "room for rows of width "
                            + width
                            + " and "
                            + slots.length
                            + " slots is not for table '"
                            + partition.spec.name()
                            + "'");
        }
    }
}
