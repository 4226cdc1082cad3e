package io.github.flinkps.flink.metrics;

/**
 * Mean and variance of weighted numbers, by West's method (Updating mean and variance estimates: an
 * improved method, 1979). Not thread-safe.
 */
final class WeightedMoments {
    private double weightSum;
    private double mean;
    private double squares;

    /** Adds a number; one of weight 0 changes nothing. */
    void add(double value, double weight) {
        if (weight > 0) {
            weightSum += weight;
            double delta = value - mean;
            mean += delta * weight / weightSum;
            squares += weight * delta * (value - mean);
        }
    }

    /** Returns the mean; 0 without numbers. */
    double mean() {
        return mean;
    }

    /** Returns the root of the mean squared distance to the mean; NaN without numbers. */
    double deviation() {
        return Math.sqrt(squares / weightSum);
    }
}
