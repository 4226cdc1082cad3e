package io.github.flinkps.flink.table.function;

/** A weighted mean. Public as Flink wants what it keeps as state. */
public final class MeanAccumulator {
    public RunningSum terms = new RunningSum();
    public RunningSum weights = new RunningSum();

    void add(double term, double weight, int times) {
        terms.add(times, times * weight * term);
        weights.add(times, times * weight);
    }

    /** Adds rows by the sums of their terms, each times its weight, and of their weights. */
    void add(long count, double termSum, double weightSum) {
        terms.add(count, termSum);
        weights.add(count, weightSum);
    }

    void add(MeanAccumulator other) {
        terms.add(other.terms);
        weights.add(other.weights);
    }

    /** Returns the mean of terms that are at least 0; null where nothing has weight. */
    Double mean() {
        if (weights.rows <= 0 || !(weights.value() > 0)) {
            return null;
        }
        // What rounding leaves of terms that were taken again may lie below 0.
        return Math.max(0, terms.value() / weights.value());
    }
}
