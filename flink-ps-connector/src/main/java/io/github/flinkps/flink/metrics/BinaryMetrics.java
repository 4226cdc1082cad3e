package io.github.flinkps.flink.metrics;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Exact logloss, area under the ROC curve and accuracy of scored rows with labels 0 and 1 and
 * weights. Keeps 12 bytes per row, in chunks, and sorts when asked for the area. Not thread-safe.
 */
public final class BinaryMetrics implements Evaluation, Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * The nearest a score is taken to come to 0 and to 1, so that one sure mistake is not an
     * infinite loss.
     */
    private static final float LOWEST = 1e-15f;

    private static final float HIGHEST = 1f - 0x1p-24f;

    private static final int DECILES = 10;

    private final RankedScores ranked = new RankedScores();
    private long rows;
    private double weightSum;
    private double lossSum;
    private double rightSum;
    private double positiveSum;

    /**
     * Adds a row.
     *
     * @param score probability of label 1
     * @param label 0 or 1
     * @param weight at least 0
     * @throws IllegalArgumentException if one is not so
     */
    public void add(float score, float label, float weight) {
        if (!(score >= 0 && score <= 1) || !(label == 0 || label == 1) || !(weight >= 0)) {
            throw new IllegalArgumentException(
                    "no score, label and weight: " + score + ", " + label + ", " + weight);
        }
        ranked.add(score, label, weight);
        count(score, label, weight);
    }

    private void count(float score, float label, float weight) {
        rows++;
        weightSum += weight;
        positiveSum += label == 1 ? weight : 0;
        lossSum += weight * loss(score, label == 1);
        rightSum += (score >= 0.5f) == (label == 1) ? weight : 0;
    }

    /**
     * Returns the loss of a row.
     *
     * @param score probability of label 1
     * @param positive whether the label is 1
     */
    public static double loss(double score, boolean positive) {
        double p = Math.max(LOWEST, Math.min(HIGHEST, score));
        return -(positive ? Math.log(p) : Math.log1p(-p));
    }

    @Override
    public void add(float[] rowScores, int at, float label, float weight) {
        add(rowScores[at], label, weight);
    }

    @Override
    public Map<String, Double> results() {
        Map<String, Double> results = new LinkedHashMap<>();
        results.put("logloss", logloss());
        results.put("auc", auc());
        results.put("accuracy", accuracy());
        return results;
    }

    @Override
    public Map<String, Double> constants() {
        double rate = positiveSum / weightSum;
        return Map.of("logloss", rate * loss(rate, true) + (1 - rate) * loss(rate, false));
    }

    @Override
    public List<CalibrationBin> calibration() {
        return ranked.bins(DECILES);
    }

    /**
     * Adds rows {@code [from, to)} of columns.
     *
     * @param scores the first is that of row {@code from}
     * @param weights null for 1 each
     */
    public void addAll(float[] scores, float[] labels, float[] weights, int from, int to) {
        for (int i = from; i < to; i++) {
            add(scores[i - from], labels[i], weights == null ? 1f : weights[i]);
        }
    }

    /** Adds the rows of another, which stays as it is. */
    public void merge(BinaryMetrics other) {
        other.ranked.forEach(this::add);
    }

    /** Returns the number of rows. */
    @Override
    public long rows() {
        return rows;
    }

    /** Returns the sum of the weights of the rows. */
    public double weightSum() {
        return weightSum;
    }

    /**
     * Returns the weighted mean of {@code -log p(label)}; NaN without rows. Scores are taken to lie
     * between 1e-15 and the largest float below 1.
     */
    public double logloss() {
        return lossSum / weightSum;
    }

    /**
     * Returns the weighted share of rows whose score is at least .5 just when their label is 1; NaN
     * without rows.
     */
    public double accuracy() {
        return rightSum / weightSum;
    }

    /**
     * Returns the probability that a row of label 1 scores above one of label 0, ties counting
     * half, rows drawn by weight; NaN unless both labels occur.
     */
    public double auc() {
        return ranked.auc();
    }
}
