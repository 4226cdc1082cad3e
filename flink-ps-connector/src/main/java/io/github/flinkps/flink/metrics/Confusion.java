package io.github.flinkps.flink.metrics;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Counts how often rows of each label were predicted to have which, by weight. */
public final class Confusion implements Serializable {
    /** The most labels of which a table is kept; the accuracy of more is known, too. */
    public static final int MOST_LABELS = 1000;

    private static final long serialVersionUID = 1L;

    private final double[][] counts;
    private double weightSum;
    private double rightSum;

    /** Makes one for labels 0 to {@code labels - 1}. */
    public Confusion(int labels) {
        this.counts = labels > MOST_LABELS ? new double[0][0] : new double[labels][labels];
    }

    /** Adds a row. */
    public void add(int label, int predicted, double weight) {
        weightSum += weight;
        rightSum += label == predicted ? weight : 0;
        if (counts.length > 0) {
            counts[label][predicted] += weight;
        }
    }

    /** Returns the share of rows whose label was predicted; NaN without rows. */
    public double accuracy() {
        return rightSum / weightSum;
    }

    /**
     * Returns a list for each label, of the weights of its rows by the label that was predicted;
     * none for more than {@link #MOST_LABELS}.
     */
    public List<List<Double>> table() {
        List<List<Double>> table = new ArrayList<>();
        for (double[] row : counts) {
            table.add(Arrays.stream(row).boxed().toList());
        }
        return table;
    }
}
