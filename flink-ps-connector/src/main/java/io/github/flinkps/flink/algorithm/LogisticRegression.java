package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.Labels;
import java.util.Map;
import java.util.Optional;

/**
 * Binary logistic regression with a bias: the probability of label 1 is {@code 1 / (1 + exp(-z))},
 * {@code z = bias + sum of weight[key] * value}. The table {@code weights} is sparse, or dense when
 * the number of features is given; the table {@code bias} is dense, of one row, and never
 * regularised.
 *
 * <pre>{@code
 * LogisticRegression clicks =
 *         LogisticRegression.builder()
 *                 .optimizer(UpdateSpec.of("ftrl").with("l1", 0.01))
 *                 .build();
 * }</pre>
 */
public final class LogisticRegression extends LinearModel {
    /** The name of the algorithm on the command line and in saved models. */
    public static final String NAME = "logistic-regression";

    /** The optimizer that algorithms have by default. */
    public static final String DEFAULT_OPTIMIZER = "adagrad";

    /** The table of feature weights. */
    public static final String WEIGHTS_TABLE = WEIGHTS;

    /** The table of the bias. */
    public static final String BIAS_TABLE = BIAS;

    /** The optimizer unless another is asked for. */
    public static final UpdateSpec DEFAULT_UPDATE =
            UpdateSpec.of(DEFAULT_OPTIMIZER).with("learning-rate", 0.1);

    private static final long serialVersionUID = 1L;

    LogisticRegression(OptionReader reader) {
        super(NAME, Labels.BINARY, PointLoss.LOGISTIC, reader);
    }

    /** Returns {@code 1 / (1 + exp(-z))}, exact in both tails. */
    static double probability(double z) {
        if (z >= 0) {
            return 1 / (1 + Math.exp(-z));
        }
        double e = Math.exp(z);
        return e / (1 + e);
    }

    /** Returns {@code log(p / (1 - p))} of a share, kept a little apart from 0 and 1. */
    private static double logit(double share) {
        double inner = Math.max(1e-6, Math.min(1 - 1e-6, share));
        return Math.log(inner / (1 - inner));
    }

    /**
     * Returns the negative log likelihood {@code log(1 + exp(z)) - label * z}, without overflow.
     */
    static double loss(double z, double label) {
        return Math.max(z, 0) - label * z + Math.log1p(Math.exp(-Math.abs(z)));
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a model that {@link #builder} begins. */
    public static final class Builder extends ModelBuilder<LogisticRegression, Builder>
            implements OptionSetter.OfFeatures<Builder>, OptionSetter.OfBias<Builder> {
        private Builder() {
            super(LogisticRegression::new);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(
                    NAME,
                    "yes or no from many sparse features, where probabilities matter",
                    OPTIONS,
                    LogisticRegression::new);
        }

        @Override
        public Optional<TuningRule> tuning(Map<String, String> given) {
            return Optional.of(TuningRule.atBaseRate(LogisticRegression::logit, false));
        }
    }
}
