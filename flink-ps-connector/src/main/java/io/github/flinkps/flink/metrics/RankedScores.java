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

    /** All rows in the order in which they were added. */
    void forEach(Row row) {
        for (Chunk chunk : chunks) {
            for (int i = 0; i < chunk.count; i++) {
                row.take(chunk.scores[i], chunk.labels[i], chunk.weights[i]);
            }
        }
    }

    /**
     * The probability that a row of label 1 scores above one of label 0, ties counting half, rows
     * drawn by weight; NaN unless both labels occur.
     */
    double auc() {
        int count = Math.toIntExact(rows);
        long[] order = sorted(count);
        double positives = 0;
        double negatives = 0;
        double pairs = 0;
        for (int i = 0; i < count; ) {
            double tiedPositives = 0;
            double tiedNegatives = 0;
            long score = order[i] >> 32;
            for (; i < count && order[i] >> 32 == score; i++) {
                int row = (int) order[i];
                Chunk chunk = chunks.get(row / CHUNK_ROWS);
                float weight = chunk.weights[row % CHUNK_ROWS];
                if (chunk.labels[row % CHUNK_ROWS] == 1) {
                    tiedPositives += weight;
                } else {
                    tiedNegatives += weight;
                }
            }
            pairs += tiedPositives * (negatives + tiedNegatives / 2);
            positives += tiedPositives;
            negatives += tiedNegatives;
        }
        return pairs / (positives * negatives);
    }

    /**
     * Rows by score: above the row's number its bits, those below the sign turned over in numbers
     * below 0, so that as whole numbers they are in the order of the scores.
     */
    private long[] sorted(int count) {
        long[] order = new long[count];
        int at = 0;
        for (Chunk chunk : chunks) {
            for (int i = 0; i < chunk.count; i++) {
                int bits = Float.floatToRawIntBits(chunk.scores[i] + 0f);
                int ordered = bits ^ (bits >> 31 & Integer.MAX_VALUE);
                order[at] = (long) ordered << 32 | at;
                at++;
            }
        }
        Arrays.sort(order);
        return order;
    }
}
