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

    LogisticRegression(OptionReader reader) {
        this(FeatureSpace.of(reader), reader.update(FeatureSpace.OPTIONS, DEFAULT_UPDATE));
    }

    private LogisticRegression(FeatureSpace space, UpdateSpec update) {
        super(NAME, Labels.BINARY, PointLoss.LOGISTIC, space, update);
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
        private int keyBits = 64;
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

        /** Keys are from 0 and below 2 to this power; shortens their lists on the wire. */
        public Builder keyBits(int bits) {
            if (bits < 1 || bits > 64) {
                throw new IllegalArgumentException(
                        "key-bits must be between 1 and 64, not " + bits);
            }
            this.keyBits = bits;
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
            return new LogisticRegression(new FeatureSpace(features, keyBits, partitions), update);
        }
    }
}
