package io.github.flinkps.flink.metrics;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measures how well neighbours are told from words drawn at random. The scores of a row are the sum
 * of its pairs' losses, the number of pairs, the comparisons that its pairs won, and all
 * comparisons. A comparison is of a pair with a drawn one; a tie counts half. Results, weighted:
 * {@code pair-loss}, the mean loss of a pair, and {@code pair-accuracy}, the share of comparisons
 * won.
 */
public final class PairMetrics implements Evaluation {
    /** Scores of a row. */
    public static final int SCORES = 4;

    private long rows;
    private double losses;
    private double pairs;
    private double wins;
    private double comparisons;

    @Override
    public void add(float[] scores, int at, float label, float weight) {
        if (!Float.isFinite(scores[at]) || !(weight >= 0)) {
            throw new IllegalArgumentException(
                    "no score and weight: " + scores[at] + ", " + weight);
        }
        rows++;
        losses += (double) weight * scores[at];
        pairs += (double) weight * scores[at + 1];
        wins += (double) weight * scores[at + 2];
        comparisons += (double) weight * scores[at + 3];
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public Map<String, Double> results() {
        Map<String, Double> results = new LinkedHashMap<>();
        results.put("pair-loss", losses / pairs);
        results.put("pair-accuracy", wins / comparisons);
        return results;
    }
}
