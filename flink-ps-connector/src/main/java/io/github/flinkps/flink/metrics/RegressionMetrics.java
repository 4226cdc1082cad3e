package io.github.flinkps.flink.metrics;

import java.util.LinkedHashMap;
import java.util.Map;

/** Root of the mean squared error and mean absolute error, both weighted. */
public final class RegressionMetrics implements Evaluation {
    private long rows;
    private double weightSum;
    private double squares;
    private double absolutes;
    private final WeightedMoments labels = new WeightedMoments();

    @Override
    public void add(float[] scores, int at, float label, float weight) {
        double error = (double) scores[at] - label;
        if (!Double.isFinite(error) || !(weight >= 0)) {
            throw new IllegalArgumentException(
                    "no score, label and weight: " + scores[at] + ", " + label + ", " + weight);
        }
        rows++;
        labels.add(label, weight);
        weightSum += weight;
        squares += weight * error * error;
        absolutes += weight * Math.abs(error);
    }

    @Override
    public long rows() {
        return rows;
    }

    /** Returns the root of the weighted mean of the squared errors; NaN without rows. */
    public double rmse() {
        return Math.sqrt(squares / weightSum);
    }

    /** Returns the weighted mean of the absolute errors; NaN without rows. */
    public double mae() {
        return absolutes / weightSum;
    }

    @Override
    public Map<String, Double> results() {
        Map<String, Double> results = new LinkedHashMap<>();
        results.put("rmse", rmse());
        results.put("mae", mae());
        return results;
    }

    @Override
    public Map<String, Double> constants() {
        return Map.of("rmse", labels.deviation());
    }
}
