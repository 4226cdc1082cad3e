package io.github.flinkps.flink.metrics;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Mean Poisson deviance, {@code 2 (label log(label / score) - label + score)}, and root of the mean
 * squared error of expected counts, weighted.
 */
public final class CountMetrics implements Evaluation {
    /** The least a score is taken to be, so that one sure mistake is not an infinite deviance. */
    private static final double LOWEST = 1e-15;

    private long rows;
    private double weightSum;
    private double deviances;
    private double squares;
    private double labelLogs;
    private final WeightedMoments labels = new WeightedMoments();

    @Override
    public void add(float[] scores, int at, float label, float weight) {
        double score = scores[at];
        if (!(score >= 0 && score <= Float.MAX_VALUE) || !(label >= 0) || !(weight >= 0)) {
            throw new IllegalArgumentException(
                    "no score, label and weight: " + score + ", " + label + ", " + weight);
        }
        rows++;
        weightSum += weight;
        squares += weight * (score - label) * (score - label);
        labels.add(label, weight);
        labelLogs += label == 0 ? 0 : weight * label * Math.log(label);
        double mean = Math.max(LOWEST, score);
        double logs = label == 0 ? 0 : label * Math.log(label / mean);
        deviances += weight * 2 * (logs - label + mean);
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public Map<String, Double> results() {
        Map<String, Double> results = new LinkedHashMap<>();
        results.put("deviance", deviances / weightSum);
        results.put("rmse", Math.sqrt(squares / weightSum));
        return results;
    }

    @Override
    public Map<String, Double> constants() {
        double mean = labels.mean();
        double logs = mean == 0 ? 0 : labelLogs / weightSum - mean * Math.log(mean);
        return Map.of("deviance", 2 * logs, "rmse", labels.deviation());
    }
}
