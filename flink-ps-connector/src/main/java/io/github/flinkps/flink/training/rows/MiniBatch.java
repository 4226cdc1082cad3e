package io.github.flinkps.flink.training.rows;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.flink.data.RowBatch;

/**
 * Rows that are trained in one step, with the keys they touch once those are known. Cached over the
 * passes, so that the same key lists are sent again and servers know them.
 */
public final class MiniBatch {
    public final RowBatch rows;
    public final int from;
    public final int to;
    public final double weight;

    /**
     * The unique keys of each table, or null where a range, or nothing, is touched; null before.
     */
    public KeyList[] keys;

    /** The range of each table, {@code [rangeFrom, rangeTo)}, empty where keys are touched. */
    public long[] rangeFrom;

    public long[] rangeTo;

    /** The seed by which the model draws; set with the keys. */
    public long seed;

    public MiniBatch(RowBatch rows, int from, int to) {
        this.rows = rows;
        this.from = from;
        this.to = to;
        this.weight = rows.weightSum(from, to);
    }

    /** Returns the same rows, with no keys yet. */
    MiniBatch unprepared() {
        return new MiniBatch(rows, from, to);
    }

    /** Returns the bytes of its rows, as if no others shared their arrays. */
    long rowBytes() {
        long perRow = 8L + (rows.weights() == null ? 0 : 4);
        long perEntry = 8L + (rows.values() == null ? 0 : 4);
        return perRow * size() + perEntry * (rows.rowStart(to) - rows.rowStart(from));
    }

    public int size() {
        return to - from;
    }

    boolean prepared() {
        return keys != null;
    }

    /** Returns the number of rows pulled of a table. */
    public int rowsOf(int table) {
        return keys[table] != null
                ? keys[table].size()
                : Math.toIntExact(rangeTo[table] - rangeFrom[table]);
    }
}
