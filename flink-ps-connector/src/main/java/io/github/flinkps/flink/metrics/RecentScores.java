package io.github.flinkps.flink.metrics;

import java.util.Arrays;

/**
 * The last scores of rows with labels 0 and 1 and weights, for the area under the ROC curve among
 * them. Allocates nothing after its creation. Not thread-safe.
 */
public final class RecentScores {
    private final float[] scores;
    private final float[] labels;
    private final float[] weights;
    private final long[] order;
    private long added;
    private double auc = Double.NaN;
    private double pairs;

    /**
     * Keeps the last scores.
     *
     * @param count how many
     */
    public RecentScores(int count) {
        this.scores = new float[count];
        this.labels = new float[count];
        this.weights = new float[count];
        this.order = new long[count];
    }

    /** Adds a row, in the place of the oldest if there is no other; one without a score is not. */
    public void add(float score, float label, float weight) {
        if (Float.isNaN(score)) {
            return;
        }
        int at = (int) (added++ % scores.length);
        scores[at] = score;
        labels[at] = label;
        weights[at] = weight;
    }

    /** Forgets them all. */
    public void clear() {
        added = 0;
        pairs = 0;
        auc = Double.NaN;
    }

    /** Returns the number of rows kept. */
    public int rows() {
        return (int) Math.min(added, scores.length);
    }

    /** Ranks the rows kept; what is told below is of then. */
    public void rank() {
        int rows = rows();
        for (int i = 0; i < rows; i++) {
            order[i] = (long) RankedPairs.order(scores[i]) << 32 | i;
        }
        Arrays.sort(order, 0, rows);
        RankedPairs ranked = new RankedPairs();
        for (int i = 0; i < rows; i++) {
            int row = (int) order[i];
            ranked.add((int) (order[i] >> 32), labels[row], weights[row]);
        }
        pairs = ranked.pairs();
        auc = ranked.auc();
    }

    /**
     * Returns the probability that a row of label 1 scores above one of label 0, ties counting
     * half, rows drawn by weight; NaN unless both labels occur.
     */
    public double auc() {
        return auc;
    }

    /**
     * Returns the pairs of a row of label 1 and one of label 0, each counting the product of its
     * weights.
     */
    public double pairs() {
        return pairs;
    }
}
