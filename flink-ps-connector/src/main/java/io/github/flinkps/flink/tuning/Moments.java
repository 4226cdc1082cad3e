package io.github.flinkps.flink.tuning;

import io.github.flinkps.flink.data.RowBatch;

/**
 * Holds what a sample says of all rows.
 *
 * @param norm mean squared norm of a row
 * @param labelMean mean of the labels
 * @param labelDeviation their deviation
 */
record Moments(double norm, double labelMean, double labelDeviation) {
    static Moments of(RowBatch rows) {
        double squares = 0;
        for (int i = 0; i < rows.entries(); i++) {
            double value = rows.values() == null ? 1 : rows.values()[i];
            squares += value * value;
        }
        double weight = rows.weightSum(0, rows.rows());
        double mean = 0;
        for (int row = 0; row < rows.rows(); row++) {
            mean += weight(rows, row) * rows.labels()[row] / weight;
        }
        double variance = 0;
        for (int row = 0; row < rows.rows(); row++) {
            double apart = rows.labels()[row] - mean;
            variance += weight(rows, row) * apart * apart / weight;
        }
        return new Moments(
                positive(squares / rows.rows()),
                Double.isFinite(mean) ? mean : 0,
                positive(isRounding(variance, mean) ? 0 : Math.sqrt(variance)));
    }

    private static double weight(RowBatch rows, int row) {
        return rows.weights() == null ? 1 : rows.weights()[row];
    }

    /** Returns whether labels that are all the same have such a variance, by rounding. */
    private static boolean isRounding(double variance, double mean) {
        return Math.sqrt(variance) <= 1e-10 * Math.abs(mean);
    }

    private static double positive(double value) {
        return value > 0 && Double.isFinite(value) ? value : 1;
    }
}
