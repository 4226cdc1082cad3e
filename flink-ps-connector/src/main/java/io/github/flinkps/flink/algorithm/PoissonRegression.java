package io.github.flinkps.flink.algorithm;

import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.metrics.CountMetrics;
import io.github.flinkps.flink.metrics.Evaluation;
import java.util.Map;
import java.util.Optional;

/**
 * Poisson regression with a bias and the logarithm as its link. The expected count is {@code m =
 * exp(bias + sum of weight[key] * value)}. The loss is half the deviance, {@code m - label - label
 * * log(m / label)}. That is the negative log likelihood, but for a constant that makes it 0 at
 * best (McCullagh, Nelder: Generalized linear models, 1989). Means beyond {@code exp(30)} are not
 * told apart.
 *
 * <p>Labels: numbers from 0 on. Scores: the expected count, measured by the mean Poisson deviance
 * and rmse. Tables: {@code weights}, sparse or dense with option {@code features}, of width 1;
 * {@code bias}, dense, 1 x 1, not regularised.
 *
 * <pre>{@code
 * PoissonRegression counts = PoissonRegression.builder().features(1 << 20).build();
 * }</pre>
 */
public final class PoissonRegression extends LinearModel {
    /** The name of the algorithm on the command line and in saved models. */
    public static final String NAME = "poisson-regression";

    private static final long serialVersionUID = 1L;

    PoissonRegression(OptionReader reader) {
        super(NAME, Labels.COUNT, PointLoss.POISSON, reader);
    }

    /** Returns the logarithm of a mean, kept a little above 0. */
    private static double logarithm(double mean) {
        return Math.log(Math.max(1e-6, mean));
    }

    @Override
    public Evaluation evaluation() {
        return new CountMetrics();
    }

    @Override
    public String lossName() {
        return "half-deviance";
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a model that {@link #builder} begins. */
    public static final class Builder extends ModelBuilder<PoissonRegression, Builder>
            implements OptionSetter.OfFeatures<Builder>, OptionSetter.OfBias<Builder> {
        private Builder() {
            super(PoissonRegression::new);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(NAME, "counts: visits, claims, failures", OPTIONS, PoissonRegression::new);
        }

        @Override
        public Optional<TuningRule> tuning(Map<String, String> given) {
            return Optional.of(TuningRule.atBaseRate(PoissonRegression::logarithm, false));
        }
    }
}
