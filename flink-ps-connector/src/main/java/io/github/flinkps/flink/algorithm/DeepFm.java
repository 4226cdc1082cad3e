package io.github.flinkps.flink.algorithm;

import java.util.Map;
import java.util.Optional;

/**
 * DeepFM (Guo, Tang, Ye, Li, He: DeepFM, a factorization-machine based neural network for CTR
 * prediction, IJCAI 2017): {@code z = sum of w[i] x[i] + sum over pairs i < j of <v[i], v[j]> x[i]
 * x[j] + network(v[i] x[i] of the row's features, one after the other)}: a {@link
 * FactorizationMachine} and a network that share their vectors. With option {@code task}
 * classification the score is {@code 1 / (1 + exp(-z))} and the loss logloss, with regression they
 * are {@code z} and half the squared error.
 *
 * <p>Rows, labels, measures and tables are those of {@link WideAndDeep}.
 *
 * <pre>{@code
 * DeepFm clicks = DeepFm.builder().fields(39).factors(8).hidden(64, 32).build();
 * }</pre>
 */
public final class DeepFm extends EmbeddingNetwork {
    /** The name of the algorithm on the command line and in saved models. */
    public static final String NAME = "deep-fm";

    private static final long serialVersionUID = 1L;

    DeepFm(OptionReader reader) {
        super(NAME, true, reader);
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a model that {@link #builder} begins. */
    public static final class Builder extends ModelBuilder<DeepFm, Builder>
            implements OptionSetter.OfFields<Builder>,
                    OptionSetter.OfLayers<Builder>,
                    OptionSetter.OfFeatures<Builder>,
                    OptionSetter.OfFactors<Builder>,
                    OptionSetter.OfTask<Builder>,
                    OptionSetter.OfRandomInit<Builder> {
        private Builder() {
            super(DeepFm::new);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(
                    NAME,
                    "as wide-and-deep, with the pairs of a factorization machine",
                    OPTIONS,
                    DeepFm::new);
        }

        @Override
        public Optional<TuningRule> tuning(Map<String, String> given) {
            return TaskLoss.tuning(TuningRule.Kind.EMBEDDINGS, given);
        }

        @Override
        public RowShape rowShape() {
            return RowShape.FIELDS;
        }
    }
}
