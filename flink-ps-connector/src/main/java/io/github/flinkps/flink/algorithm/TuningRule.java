package io.github.flinkps.flink.algorithm;

import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * Says how the defaults of a model follow from its rows.
 *
 * @param kind of the model
 * @param bias the bias of the best constant model, by the mean of the labels; empty where there is
 *     no such option
 * @param regression whether labels are any numbers. Then the learning rate of a model of {@link
 *     Kind#WEIGHTS} is in units of their deviation; others learn labels in that unit
 */
public record TuningRule(Kind kind, Optional<DoubleUnaryOperator> bias, boolean regression) {
    /** A kind of model, by what it learns. */
    public enum Kind {
        /** The weights of features. */
        WEIGHTS,

        /** The weights, and factors that option {@code factor-l2} holds back alone. */
        FACTORS,

        /** The hidden layers over features, whose first values suit the size of a row. */
        LAYERS,

        /** The hidden layers over factors. */
        EMBEDDINGS;

        /** Returns whether there are hidden layers. */
        public boolean hasLayers() {
            return this == LAYERS || this == EMBEDDINGS;
        }
    }

    /** A linear model that begins at 0, with learning rates of no unit. */
    public static final TuningRule PLAIN = new TuningRule(Kind.WEIGHTS, Optional.empty(), false);

    /** Returns that of a linear model whose bias begins at that of the best constant. */
    public static TuningRule atBaseRate(DoubleUnaryOperator bias, boolean regression) {
        return new TuningRule(Kind.WEIGHTS, Optional.of(bias), regression);
    }
}
