package io.github.flinkps.flink.data;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;

/**
 * A block of training rows in columns: row {@code i} has label {@code labels[i]} and the entries
 * {@code rowStarts[i]} to {@code rowStarts[i + 1]} of {@code keys} and {@code values}. A batch may
 * have no rows: one that only reports rows skipped.
 *
 * <p>Immutable by contract: the arrays are handed out, not copied, and must not be changed. May be
 * shared by threads.
 */
public final class RowBatch {
    /** The {@link #block} of rows whose position in an input is not known. */
    public static final long NO_BLOCK = -1;

    /** Most rows of a batch. */
    public static final int MAX_ROWS = 1 << 20;

    /** Most entries (keys) of a batch. */
    public static final int MAX_ENTRIES = 1 << 24;

    private final float[] labels;
    private final float[] weights;
    private final int[] rowStarts;
    private final long[] keys;
    private final float[] values;
    private final BitSet validating;
    private final long block;
    private final int firstRow;
    private final int skippedRows;
    private final long readMillis;

    /**
     * Takes the arrays over; their lengths are exact.
     *
     * @param labels one per row
     * @param weights one per row, or null for 1 each
     * @param rowStarts ascending from 0, one more than rows; the last is the number of entries
     * @param values one per key, or null for 1 each
     * @param validating the validation rows, or null where they are not drawn yet
     * @param block position of the rows in their input, ascending with it, or {@link #NO_BLOCK}
     * @param firstRow position of the first row among the rows of its block
     * @param skippedRows bad rows left out since the batch before
     * @param readMillis wall clock when its reading began, 0 if not known
     */
    @SuppressWarnings("checkstyle:ParameterNumber")
    RowBatch(
            float[] labels,
            float[] weights,
            int[] rowStarts,
            long[] keys,
            float[] values,
            BitSet validating,
            long block,
            int firstRow,
            int skippedRows,
            long readMillis) {
        this.labels = labels;
        this.weights = weights;
        this.rowStarts = rowStarts;
        this.keys = keys;
        this.values = values;
        this.validating = validating;
        this.block = block;
        this.firstRow = firstRow;
        this.skippedRows = skippedRows;
        this.readMillis = readMillis;
        check();
    }

    private void check() {
        int rows = labels.length;
        boolean fits =
                rows <= MAX_ROWS
                        && keys.length <= MAX_ENTRIES
                        && rowStarts.length == rows + 1
                        && rowStarts[0] == 0
                        && rowStarts[rows] == keys.length
                        && (weights == null || weights.length == rows)
                        && (values == null || values.length == keys.length)
                        && (validating == null || validating.length() <= rows)
                        && firstRow >= 0
                        && skippedRows >= 0;
        for (int i = 0; fits && i < rows; i++) {
            fits = rowStarts[i] <= rowStarts[i + 1];
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    "columns of a row batch do not fit: "
                            + rows
                            + " rows, "
                            + keys.length
                            + " keys");
        }
    }

    /**
     * Returns rows without a known position, of arrays that are handed over; see the class for
     * their meaning.
     */
    public static RowBatch of(
            float[] labels, float[] weights, int[] rowStarts, long[] keys, float[] values) {
        return new RowBatch(labels, weights, rowStarts, keys, values, null, NO_BLOCK, 0, 0, 0);
    }

    /** Returns the number of rows. */
    public int rows() {
        return labels.length;
    }

    /** Returns the number of entries, over all rows. */
    public int entries() {
        return keys.length;
    }

    /** Returns a label per row. */
    public float[] labels() {
        return labels;
    }

    /** Returns a weight per row, or null when each is 1. */
    public float[] weights() {
        return weights;
    }

    /** Returns the first entry of each row, and at the end the number of entries. */
    public int[] rowStarts() {
        return rowStarts;
    }

    /** Returns the first entry of {@code row}; for {@code rows()} the number of entries. */
    public int rowStart(int row) {
        return rowStarts[row];
    }

    /** Returns a key per entry. */
    public long[] keys() {
        return keys;
    }

    /** Returns a value per entry, or null when each is 1. */
    public float[] values() {
        return values;
    }

    /** Returns whether the reader has drawn which rows validate; see {@link #validates}. */
    public boolean drawn() {
        return validating != null;
    }

    /**
     * Returns whether a row is not to train but to measure the model; false where that is not
     * drawn.
     */
    public boolean validates(int row) {
        return validating != null && validating.get(row);
    }

    /** Returns the validation rows, in the form of {@link BitSet#toLongArray}, or null. */
    long[] validatingRows() {
        return validating == null ? null : validating.toLongArray();
    }

    /**
     * Returns the block of the input that holds the rows, {@link #NO_BLOCK} if not known. Sorted by
     * (block, row) rows stand in the order of their input, whatever reader they came from. A batch
     * never holds rows of two blocks.
     */
    public long block() {
        return block;
    }

    /**
     * Returns the position of the first row among the rows of its block that were read; the others
     * follow it.
     */
    public int firstRow() {
        return firstRow;
    }

    /**
     * Returns how many bad rows the reader left out since the batch before, for its job to add up.
     */
    public int skippedRows() {
        return skippedRows;
    }

    /**
     * Returns when the reading of these rows began by the wall clock, in milliseconds; 0 if not
     * known. Not part of equality.
     */
    public long readMillis() {
        return readMillis;
    }

    /** Returns the sum of the weights of the rows {@code [from, to)}. */
    public double weightSum(int from, int to) {
        if (weights == null) {
            return to - from;
        }
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += weights[i];
        }
        return sum;
    }

    /**
     * Returns the rows {@code [from, to)} as a batch of their own; this one if those are all.
     * Skipped rows stay here.
     */
    public RowBatch slice(int from, int to) {
        if (from < 0 || from > to || to > rows()) {
            throw new IndexOutOfBoundsException(from + " to " + to + " of " + rows() + " rows");
        }
        if (to - from == rows() && skippedRows == 0) {
            return this;
        }
        int first = rowStarts[from];
        int last = rowStarts[to];
        int[] starts = new int[to - from + 1];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = rowStarts[from + i] - first;
        }
        return new RowBatch(
                Arrays.copyOfRange(labels, from, to),
                weights == null ? null : Arrays.copyOfRange(weights, from, to),
                starts,
                Arrays.copyOfRange(keys, first, last),
                values == null ? null : Arrays.copyOfRange(values, first, last),
                validating == null ? null : validating.get(from, to),
                block,
                block == NO_BLOCK ? 0 : firstRow + from,
                0,
                readMillis);
    }

    /** Returns the size of its arrays, in bytes. */
    public long sizeInBytes() {
        return 4L * labels.length
                + (weights == null ? 0 : 4L * weights.length)
                + 4L * rowStarts.length
                + 8L * keys.length
                + (values == null ? 0 : 4L * values.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowBatch that
                && block == that.block
                && firstRow == that.firstRow
                && skippedRows == that.skippedRows
                && Arrays.equals(labels, that.labels)
                && Arrays.equals(weights, that.weights)
                && Arrays.equals(rowStarts, that.rowStarts)
                && Arrays.equals(keys, that.keys)
                && Arrays.equals(values, that.values)
                && Objects.equals(validating, that.validating);
    }

    @Override
    public int hashCode() {
        int hash = 31 * Long.hashCode(block) + firstRow;
        return 31 * (31 * hash + Arrays.hashCode(labels)) + Arrays.hashCode(keys);
    }

    @Override
    public String toString() {
        return rows() + " rows, " + entries() + " entries at block " + block + " row " + firstRow;
    }
}
