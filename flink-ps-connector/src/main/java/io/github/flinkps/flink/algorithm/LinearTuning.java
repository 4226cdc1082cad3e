package io.github.flinkps.flink.algorithm;

import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * Says how the defaults of a linear model, or of one with factors beside its weights, follow from
 * its rows.
 *
 * @param bias the bias of the best constant model, by the mean of the labels; empty where the bias
 *     begins at 0
 * @param labelUnit whether the learning rate is in units of the deviation of the labels
 * @param factors whether it has option {@code factor-l2}; it then learns classes, and its L2 is
 *     that of logistic regression, or none
 */
public record LinearTuning(Optional<DoubleUnaryOperator> bias, boolean labelUnit, boolean factors) {
    /** Begins at 0, with learning rates of no unit. */
    public static final LinearTuning PLAIN = new LinearTuning(Optional.empty(), false, false);

    /** Begins at 0, and holds its factors back alone. */
    static final LinearTuning WITH_FACTORS = new LinearTuning(Optional.empty(), false, true);

    /** Returns one whose bias begins at that of the best constant. */
    public static LinearTuning atBaseRate(DoubleUnaryOperator bias, boolean labelUnit) {
        return new LinearTuning(Optional.of(bias), labelUnit, false);
    }
}
