package io.github.flinkps.flink.metrics;

import io.github.flinkps.flink.data.FirstClass;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Logloss, accuracy and confusion of rows with a probability for each of several classes, weighted.
 */
public final class ClassMetrics implements Evaluation {
    /** The nearest a probability is taken to come to 0. */
    private static final double LOWEST = 1e-15;

    private final int classes;
    private final FirstClass first;
    private final Confusion confusion;
    private final double[] weightSums;
    private long rows;
    private double weightSum;
    private double lossSum;

    /** Makes metrics for labels 0 to {@code classes - 1} and as many scores per row. */
    public ClassMetrics(int classes) {
        this.classes = classes;
        this.first = new FirstClass(classes);
        this.confusion = new Confusion(classes);
        this.weightSums = new double[classes];
    }

    @Override
    public void add(float[] scores, int at, float label, float weight) {
        int right = (int) label;
        if (right != label || right < 0 || right >= classes || !(weight >= 0)) {
            throw new IllegalArgumentException("no label and weight: " + label + ", " + weight);
        }
        first.add(label);
        rows++;
        weightSum += weight;
        weightSums[right] += weight;
        lossSum += weight * loss(scores[at + right]);
        confusion.add(right, best(scores, at, classes), weight);
    }

    /** Returns the loss of a row, by the probability of its own class. */
    public static double loss(double probability) {
        return -Math.log(Math.max(LOWEST, probability));
    }

    /** Returns the class of the highest score, the first of equals. */
    public static int best(float[] scores, int at, int classes) {
        int best = 0;
        for (int i = 1; i < classes; i++) {
            if (scores[at + i] > scores[at + best]) {
                best = i;
            }
        }
        return best;
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public Map<String, Double> results() {
        Map<String, Double> results = new LinkedHashMap<>();
        results.put("logloss", lossSum / weightSum);
        results.put("accuracy", confusion.accuracy());
        return results;
    }

    @Override
    public Map<String, Double> constants() {
        double entropy = 0;
        for (double sum : weightSums) {
            entropy -= sum > 0 ? sum / weightSum * Math.log(sum / weightSum) : 0;
        }
        return Map.of("logloss", entropy);
    }

    @Override
    public List<List<Double>> confusion() {
        return confusion.table();
    }
}
