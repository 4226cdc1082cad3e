package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.Labels;

/**
 * Binary logistic regression with a bias: the probability of label 1 is {@code 1 / (1 + exp(-z))},
 * {@code z = bias + sum of weight[key] * value}. The table {@code weights} is sparse, or dense when
 * the number of features is given; the table {@code bias} is dense, of one row, and never
 * regularised.
 */
public final class LogisticRegression extends LinearModel {
    /** Its name on the command line and in saved models. */
    public static final String NAME = "logistic-regression";

    /** The table of feature weights. */
    public static final String WEIGHTS_TABLE = WEIGHTS;

    /** The table of the bias. */
    public static final String BIAS_TABLE = BIAS;

    /** The optimizer unless another is asked for. */
    public static final UpdateSpec DEFAULT_UPDATE =
            UpdateSpec.of("adagrad").with("learning-rate", 0.1);

    private static final long serialVersionUID = 1L;

    private LogisticRegression(Builder builder) {
        super(
                NAME,
                Labels.BINARY,
                PointLoss.LOGISTIC,
                new FeatureSpace(builder.features, builder.partitions),
                builder.update);
    }

    /** A model with the defaults: Adagrad of rate .1 over all int64 keys. */
    public static Builder builder() {
        return new Builder();
    }

    /** {@code 1 / (1 + exp(-z))}, exact in both tails. */
    static double probability(double z) {
        if (z >= 0) {
            return 1 / (1 + Math.exp(-z));
        }
        double e = Math.exp(z);
        return e / (1 + e);
    }

    /** The negative log likelihood {@code log(1 + exp(z)) - label * z}, without overflow. */
    static double loss(double z, double label) {
        return Math.max(z, 0) - label * z + Math.log1p(Math.exp(-Math.abs(z)));
    }

    /**
     * Sets up a {@link LogisticRegression}; ranges of optimizer options are checked where the table
     * is created.
     */
    public static final class Builder {
        private UpdateSpec update = DEFAULT_UPDATE;
        private long features = TableSpec.SPARSE;
        private int partitions;

        private Builder() {}

        /** The optimizer and its options, L1 and L2 of the mean objective included. */
        public Builder optimizer(UpdateSpec spec) {
            this.update = spec;
            return this;
        }

        /** Makes the table of weights dense, of the indices 0 to {@code count - 1}. */
        public Builder features(long count) {
            if (count < 1) {
                throw new IllegalArgumentException("features must be at least 1, not " + count);
            }
            this.features = count;
            return this;
        }

        /** Partitions of the table of weights, instead of the default number. */
        public Builder partitions(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("partitions must be at least 1, not " + count);
            }
            this.partitions = count;
            return this;
        }

        public LogisticRegression build() {
            return new LogisticRegression(this);
        }
    }
}
