package io.github.flinkps.flink.algorithm;

import io.github.flinkps.flink.data.Labels;
import java.util.Map;
import java.util.Optional;

/**
 * Linear regression with a bias: predicts {@code z = bias + sum of weight[key] * value} and
 * minimises half the squared error, {@code (z - label)^2 / 2}; with {@code l2} that is ridge
 * regression, with {@code l1} the lasso (Hastie, Tibshirani, Friedman: The elements of statistical
 * learning, chapter 3).
 *
 * <p>Labels: any number. Scores: {@code z}, measured by rmse and mae. Tables: {@code weights},
 * sparse or dense with option {@code features}, of width 1; {@code bias}, dense, 1 x 1, not
 * regularised.
 *
 * <pre>{@code
 * LinearRegression prices =
 *         LinearRegression.builder().optimizer(UpdateSpec.of("adam").with("l2", 1e-4)).build();
 * }</pre>
 */
public final class LinearRegression extends LinearModel {
    /** The name of the algorithm on the command line and in saved models. */
    public static final String NAME = "linear-regression";

    private static final long serialVersionUID = 1L;

    LinearRegression(OptionReader reader) {
        super(NAME, Labels.REAL, PointLoss.SQUARED, reader);
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a model that {@link #builder} begins. */
    public static final class Builder extends ModelBuilder<LinearRegression, Builder>
            implements OptionSetter.OfFeatures<Builder>, OptionSetter.OfBias<Builder> {
        private Builder() {
            super(LinearRegression::new);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(NAME, "any number from many sparse features", OPTIONS, LinearRegression::new);
        }

        @Override
        public Optional<TuningRule> tuning(Map<String, String> given) {
            return Optional.of(TuningRule.atBaseRate(mean -> mean, true));
        }
    }
}
