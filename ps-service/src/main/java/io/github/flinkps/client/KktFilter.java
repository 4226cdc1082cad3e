package io.github.flinkps.client;

/**
 * Retains short updates of rows of zeros, which the L1 term of an optimizer would keep at zero: by
 * the Karush-Kuhn-Tucker conditions a weight is zero in the end if its mean gradient is no longer
 * than L1 (Li et al.: Scaling distributed machine learning with the parameter server, OSDI 2014).
 * Such a row is sent once the mean gradient that has come together exceeds {@code threshold} in one
 * of its places.
 *
 * @param threshold at least 0; about the optimizer's {@code l1}
 */
public record KktFilter(double threshold) implements PushFilter {
    private static final long serialVersionUID = 1L;

    public KktFilter {
        if (!(threshold >= 0) || threshold == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException(
                    "kkt-threshold must be a number of at least 0, not " + threshold);
        }
    }

    @Override
    public void filter(Rows rows) {
        int width = rows.table().width();
        float[] values = rows.values();
        float[] updates = rows.updates();
        double limit = threshold * rows.weight();
        for (int row = 0; row < rows.count(); row++) {
            boolean retained = true;
            for (int i = row * width; retained && i < (row + 1) * width; i++) {
                retained = values[i] == 0 && Math.abs(updates[i]) <= limit;
            }
            if (retained) {
                rows.retain(row);
            }
        }
    }
}
