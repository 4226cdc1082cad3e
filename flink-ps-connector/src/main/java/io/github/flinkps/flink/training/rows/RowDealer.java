package io.github.flinkps.flink.training.rows;

import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.flink.training.TrainingException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Deals the rows of a pass into new mini-batches: of the mini-batches in the order given, as many
 * at a time as fill a window give their rows, in an order drawn for the pass. Which rows meet does
 * not depend on where they are kept. Belongs to the task's thread.
 */
public final class RowDealer {
    /** Bytes of a window; see {@link Shuffle#ROWS}. */
    public static final long WINDOW_BYTES = 32L << 20;

    private static final int INDEX_BITS = 32;

    private final RowCache cache;
    private final int batchSize;
    private final long windowBytes;
    private final RowBatchBuilder open = new RowBatchBuilder();
    private final List<MiniBatch> window = new ArrayList<>();

    /** Rows of the window in the order of their dealing: mini-batch in the window, row in that. */
    private long[] rows = new long[0];

    private int rowCount;
    private int nextRow;
    private int[] order = new int[0];
    private int nextBatch;
    private SplittableRandom random;

    RowDealer(RowCache cache, int batchSize, long windowBytes) {
        this.cache = cache;
        this.batchSize = batchSize;
        this.windowBytes = windowBytes;
    }

    /** Begins a pass. */
    void begin(int[] batches, SplittableRandom draws) {
        order = batches;
        random = draws;
        nextBatch = 0;
        rowCount = 0;
        nextRow = 0;
    }

    /**
     * Returns the next mini-batch, the last one maybe of fewer rows; null at the end of the pass.
     */
    MiniBatch next() throws TrainingException {
        while (open.rows() < batchSize && (nextRow < rowCount || fill())) {
            long row = rows[nextRow++];
            MiniBatch from = window.get((int) (row >>> INDEX_BITS));
            int at = (int) row;
            open.append(from.rows, at, at + 1);
        }
        int count = open.rows();
        return count == 0 ? null : new MiniBatch(open.build(), 0, count);
    }

    private boolean fill() throws TrainingException {
        window.clear();
        rowCount = 0;
        nextRow = 0;
        long bytes = 0;
        while (nextBatch < order.length && bytes < windowBytes) {
            MiniBatch batch = cache.get(order[nextBatch++]);
            if (nextBatch < order.length) {
                cache.readAhead(order[nextBatch]);
            }
            window.add(batch);
            rowCount = Math.addExact(rowCount, batch.size());
            bytes += batch.rowBytes() + (long) Long.BYTES * batch.size();
        }
        draw();
        return rowCount > 0;
    }

    private void draw() {
        if (rows.length < rowCount) {
            rows = new long[rowCount];
        }
        int count = 0;
        for (int b = 0; b < window.size(); b++) {
            MiniBatch batch = window.get(b);
            for (int row = batch.from; row < batch.to; row++) {
                int other = random.nextInt(count + 1);
                rows[count] = rows[other];
                rows[other] = (long) b << INDEX_BITS | row;
                count++;
            }
        }
    }

    /** Lets the rows go. */
    void close() {
        window.clear();
        open.clear();
        rows = new long[0];
        rowCount = 0;
        nextRow = 0;
        order = new int[0];
        nextBatch = 0;
    }
}
