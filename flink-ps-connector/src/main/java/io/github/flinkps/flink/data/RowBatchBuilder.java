package io.github.flinkps.flink.data;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Gathers rows into columns, without an allocation per row: {@code add} the entries of a row, then
 * {@code endRow}. Reusable after {@link #build} or {@link #clear}; belongs to one thread.
 */
public final class RowBatchBuilder {
    private static final int FIRST_ROWS = 64;
    private static final int FIRST_ENTRIES = 1024;

    private float[] labels = new float[FIRST_ROWS];
    private float[] weights;
    private int[] rowStarts = new int[FIRST_ROWS + 1];
    private long[] keys = new long[FIRST_ENTRIES];
    private float[] values;
    private BitSet validating;
    private int rows;
    private int entries;
    private long block = RowBatch.NO_BLOCK;
    private int firstRow;
    private int skippedRows;
    private long readMillis;

    /** Returns the number of rows ended. */
    public int rows() {
        return rows;
    }

    /** Returns the number of entries, those of the unfinished row included. */
    public int entries() {
        return entries;
    }

    /** Returns the number of entries of the unfinished row. */
    public int openEntries() {
        return entries - rowStarts[rows];
    }

    /** Returns the key of an entry, counted over all rows. */
    public long key(int entry) {
        return keys[entry];
    }

    /** Returns the value of an entry, counted over all rows. */
    public float value(int entry) {
        return values == null ? 1f : values[entry];
    }

    /** Returns the label of a row ended. */
    public float label(int row) {
        return labels[row];
    }

    /** Returns the weight of a row ended. */
    public float weight(int row) {
        return weights == null ? 1f : weights[row];
    }

    /** Adds an entry of value 1 to the unfinished row. */
    public RowBatchBuilder add(long key) {
        return add(key, 1f);
    }

    /**
     * Adds an entry to the unfinished row.
     *
     * @throws IllegalStateException when the batch has {@link RowBatch#MAX_ENTRIES} entries
     */
    public RowBatchBuilder add(long key, float value) {
        int at = entries;
        if (at == keys.length) {
            growEntries(1);
        }
        keys[at] = key;
        if (values != null) {
            values[at] = value;
        } else if (value != 1f) {
            firstValue(at, value);
        }
        entries = at + 1;
        return this;
    }

    private void firstValue(int at, float value) {
        values = new float[keys.length];
        Arrays.fill(values, 0, at, 1f);
        values[at] = value;
    }

    /** Ends the row, of weight 1. */
    public void endRow(float label) {
        endRow(label, 1f);
    }

    /**
     * Ends the row.
     *
     * @throws IllegalStateException when the batch has {@link RowBatch#MAX_ROWS} rows
     */
    public void endRow(float label, float weight) {
        if (rows == labels.length) {
            growRows(1);
        }
        labels[rows] = label;
        if (weights != null) {
            weights[rows] = weight;
        } else if (weight != 1f) {
            firstWeight(weight);
        }
        rows++;
        rowStarts[rows] = entries;
    }

    /**
     * Adds a whole row; there must be no unfinished one.
     *
     * @param rowValues null for 1 each
     */
    void addRow(long[] rowKeys, float[] rowValues, int count, float label, float weight) {
        growEntries(count);
        System.arraycopy(rowKeys, 0, keys, entries, count);
        if (rowValues != null && values == null) {
            values = new float[keys.length];
            Arrays.fill(values, 0, entries, 1f);
        }
        copyOrOnes(rowValues, 0, values, entries, count);
        entries += count;
        endRow(label, weight);
    }

    private void firstWeight(float weight) {
        weights = new float[labels.length];
        Arrays.fill(weights, 0, rows, 1f);
        weights[rows] = weight;
    }

    /** Forgets the entries of the unfinished row. */
    public void abandonRow() {
        entries = rowStarts[rows];
    }

    /**
     * Adds the rows {@code [from, to)} of a batch, but not whether they validate; there must be no
     * unfinished row.
     */
    public RowBatchBuilder append(RowBatch batch, int from, int to) {
        if (openEntries() != 0) {
            throw new IllegalStateException("the row before is not ended");
        }
        int first = batch.rowStart(from);
        int more = batch.rowStart(to) - first;
        growRows(to - from);
        growEntries(more);
        if (batch.values() != null && values == null) {
            values = new float[keys.length];
            Arrays.fill(values, 0, entries, 1f);
        }
        if (batch.weights() != null && weights == null) {
            weights = new float[labels.length];
            Arrays.fill(weights, 0, rows, 1f);
        }
        System.arraycopy(batch.labels(), from, labels, rows, to - from);
        System.arraycopy(batch.keys(), first, keys, entries, more);
        copyOrOnes(batch.weights(), from, weights, rows, to - from);
        copyOrOnes(batch.values(), first, values, entries, more);
        for (int i = from; i < to; i++) {
            rowStarts[rows + i - from + 1] = batch.rowStart(i + 1) - first + entries;
        }
        rows += to - from;
        entries += more;
        return this;
    }

    private static void copyOrOnes(float[] from, int at, float[] to, int toAt, int count) {
        if (from != null) {
            System.arraycopy(from, at, to, toAt, count);
        } else if (to != null) {
            Arrays.fill(to, toAt, toAt + count, 1f);
        }
    }

    /** Says of the rows from {@code row} on whether they validate; see {@link RowBatch#drawn}. */
    void drawn(int row, boolean validate) {
        if (validating == null) {
            validating = new BitSet();
        }
        validating.set(row, rows, validate);
    }

    /** Says where the rows stand in their input; see {@link RowBatch#block}. */
    public RowBatchBuilder position(long newBlock, int newFirstRow) {
        block = newBlock;
        firstRow = newFirstRow;
        return this;
    }

    /** Says when the reading of the rows began, by the wall clock. */
    public RowBatchBuilder began(long millis) {
        readMillis = millis;
        return this;
    }

    /** Counts bad rows left out. */
    public void addSkipped(int count) {
        skippedRows += count;
    }

    /** Returns how many bad rows were counted since the last {@link #build}. */
    public int skippedRows() {
        return skippedRows;
    }

    /** Returns the rows ended so far as a batch of exact arrays; clears the builder. */
    public RowBatch build() {
        if (openEntries() != 0) {
            throw new IllegalStateException("the last row is not ended");
        }
        RowBatch batch =
                new RowBatch(
                        Arrays.copyOf(labels, rows),
                        weights == null ? null : Arrays.copyOf(weights, rows),
                        Arrays.copyOf(rowStarts, rows + 1),
                        Arrays.copyOf(keys, entries),
                        values == null ? null : Arrays.copyOf(values, entries),
                        validating,
                        block,
                        firstRow,
                        skippedRows,
                        readMillis);
        clear();
        return batch;
    }

    /** Forgets all rows and their position; keeps the memory. */
    public void clear() {
        rows = 0;
        entries = 0;
        block = RowBatch.NO_BLOCK;
        firstRow = 0;
        skippedRows = 0;
        readMillis = 0;
        values = null;
        weights = null;
        validating = null;
    }

    private void growRows(int more) {
        if (rows + more <= labels.length) {
            return;
        }
        int size = grown(labels.length, rows, more, RowBatch.MAX_ROWS, "rows");
        labels = Arrays.copyOf(labels, size);
        rowStarts = Arrays.copyOf(rowStarts, size + 1);
        if (weights != null) {
            weights = Arrays.copyOf(weights, size);
        }
    }

    private void growEntries(int more) {
        if (entries + more <= keys.length) {
            return;
        }
        int size = grown(keys.length, entries, more, RowBatch.MAX_ENTRIES, "entries");
        keys = Arrays.copyOf(keys, size);
        if (values != null) {
            values = Arrays.copyOf(values, size);
        }
    }

    private static int grown(int capacity, int used, int more, int max, String what) {
        if ((long) used + more > max) {
            throw new IllegalStateException("a row batch can hold at most " + max + " " + what);
        }
        return Math.max(used + more, Math.min(max, 2 * capacity));
    }
}
