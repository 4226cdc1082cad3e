package io.github.flinkps.flink.table.function;

import io.github.flinkps.flink.metrics.BinaryMetrics;

/**
 * {@code PS_LOGLOSS(score, label [, weight])}: the mean of {@code -ln p(label)}, where the score is
 * the probability of label 1, taken to lie between 1e-15 and 1 - 2^-24 as {@link BinaryMetrics}
 * does. Labels are 1 or TRUE, and 0, -1 or FALSE.
 */
public final class PsLogloss extends MeanFunction {
    /** The name in SQL. */
    public static final String NAME = "PS_LOGLOSS";

    private static final long serialVersionUID = 1L;

    public PsLogloss() {
        super(NAME, "score", true);
    }

    @Override
    protected double term(double score, double label) {
        if (!(score >= 0 && score <= 1)) {
            throw refused("score", "a probability between 0 and 1", score);
        }
        return BinaryMetrics.loss(score, positive(label));
    }
}
