package io.github.flinkps.flink.metrics;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;

/**
 * Scores with labels 0 and 1 and weights, for the exact area under the ROC curve. Keeps 12 bytes
 * per row, in chunks, and sorts when asked.
 */
final class RankedScores implements Serializable {
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

    void add(float score, float label, float weight) {
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
    double auc() {
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
