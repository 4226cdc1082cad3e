package io.github.flinkps.flink.metrics;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Scores with labels 0 and 1 and weights, for the exact area under the ROC curve. Keeps 12 bytes
 * per row, in chunks, and sorts when asked.
 */
public final class RankedScores implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int CHUNK_ROWS = 1 << 16;

    private final ArrayList<Chunk> chunks = new ArrayList<>();
    private long rows;

    private static final class Chunk implements Serializable {
        private static final long serialVersionUID = 1L;

        private final float[] scores = new float[CHUNK_ROWS];
        private final float[] labels = new float[CHUNK_ROWS];
        private final float[] weights = new float[CHUNK_ROWS];
        private int count;
    }

    /** Takes a row. */
    interface Row {
        void take(float score, float label, float weight);
    }

    /** Adds a row. */
    public void add(float score, float label, float weight) {
        Chunk chunk = chunks.isEmpty() ? null : chunks.get(chunks.size() - 1);
        if (chunk == null || chunk.count == CHUNK_ROWS) {
            chunk = new Chunk();
            chunks.add(chunk);
        }
        chunk.scores[chunk.count] = score;
        chunk.labels[chunk.count] = label;
        chunk.weights[chunk.count] = weight;
        chunk.count++;
        rows++;
    }

    /** Hands all rows to an action, in the order in which they were added. */
    void forEach(Row row) {
        for (Chunk chunk : chunks) {
            for (int i = 0; i < chunk.count; i++) {
                row.take(chunk.scores[i], chunk.labels[i], chunk.weights[i]);
            }
        }
    }

    /**
     * Returns the probability that a row of label 1 scores above one of label 0, ties counting
     * half, rows drawn by weight; NaN unless both labels occur.
     */
    public double auc() {
        RankedPairs pairs = new RankedPairs();
        for (long each : sorted(Math.toIntExact(rows))) {
            int row = (int) each;
            Chunk chunk = chunks.get(row / CHUNK_ROWS);
            int at = row % CHUNK_ROWS;
            pairs.add((int) (each >> 32), chunk.labels[at], chunk.weights[at]);
        }
        return pairs.auc();
    }

    /**
     * Returns the rows in ascending order of their scores, cut into at most so many parts of about
     * as many rows, those without weight left out; a cut that would part rows of one score moves
     * up.
     */
    List<CalibrationBin> bins(int most) {
        long[] order = sorted(Math.toIntExact(rows));
        List<CalibrationBin> bins = new ArrayList<>();
        int from = 0;
        for (int bin = 1; bin <= most; bin++) {
            int to = Math.max(from, (int) (rows * bin / most));
            while (from < to && to < order.length && order[to] >> 32 == order[to - 1] >> 32) {
                to++;
            }
            CalibrationBin next = bin(order, from, to);
            if (!Double.isNaN(next.meanLabel())) {
                bins.add(next);
            }
            from = to;
        }
        return bins;
    }

    /** Returns the means of some rows; NaN where they have no weight. */
    private CalibrationBin bin(long[] order, int from, int to) {
        double weights = 0;
        double scores = 0;
        double labels = 0;
        for (int i = from; i < to; i++) {
            int row = (int) order[i];
            Chunk chunk = chunks.get(row / CHUNK_ROWS);
            int at = row % CHUNK_ROWS;
            double weight = chunk.weights[at];
            weights += weight;
            scores += weight * chunk.scores[at];
            labels += weight * chunk.labels[at];
        }
        return new CalibrationBin(to - from, scores / weights, labels / weights);
    }

    /**
     * Returns the rows in ascending order of their scores. Each is a whole number: its upper half
     * orders as the score does, its lower half is the row's number.
     */
    private long[] sorted(int count) {
        long[] order = new long[count];
        int at = 0;
        for (Chunk chunk : chunks) {
            for (int i = 0; i < chunk.count; i++) {
                order[at] = (long) RankedPairs.order(chunk.scores[i]) << 32 | at;
                at++;
            }
        }
        Arrays.sort(order);
        return order;
    }
}
