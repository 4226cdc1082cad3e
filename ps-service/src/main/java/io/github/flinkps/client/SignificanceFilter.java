package io.github.flinkps.client;

/**
 * Sends a row once its update is significant, as Gaia does between data centres (Hsieh et al.:
 * Gaia: geo-distributed machine learning approaching LAN speeds, NSDI 2017). An update is
 * significant when the length of the mean gradient that has come together exceeds {@code threshold}
 * times the length of the row's values. A row of zeros is sent with any gradient but zero, and none
 * is sent with that. (Lengths are Euclidean; Gaia, whose workers make the optimizer's steps
 * themselves, compares these, and lowers the threshold over time.)
 *
 * @param threshold at least 0
 */
public record SignificanceFilter(double threshold) implements PushFilter {
    private static final long serialVersionUID = 1L;

    public SignificanceFilter {
        if (!(threshold >= 0) || threshold == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException(
                    "significance-threshold must be a number of at least 0, not " + threshold);
        }
    }

    @Override
    public void filter(Rows rows) {
        int width = rows.table().width();
        float[] values = rows.values();
        float[] updates = rows.updates();
        double limit = threshold * rows.weight();
        for (int row = 0; row < rows.count(); row++) {
            double value = 0;
            double update = 0;
            for (int i = row * width; i < (row + 1) * width; i++) {
                value += (double) values[i] * values[i];
                update += (double) updates[i] * updates[i];
            }
            if (update <= limit * limit * value) {
                rows.retain(row);
            }
        }
    }
}
