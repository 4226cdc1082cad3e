package io.github.flinkps.flink.algorithm;

import java.util.Map;
import java.util.Optional;

/**
 * Wide and deep learning (Cheng et al.: Wide and deep learning for recommender systems, DLRS 2016):
 * {@code z = sum of w[key] * value + network(embeddings of the row's features, one after the
 * other)}, an embedding multiplied by its value; the network has fully connected layers with
 * rectifiers. With option {@code task} classification the score is {@code 1 / (1 + exp(-z))} and
 * the loss logloss, with regression they are {@code z} and half the squared error.
 *
 * <p>Each row has {@code fields} entries, in the same order. Labels: 0 and 1, or any number.
 * Measures: logloss, auc, accuracy; or rmse, mae. Tables:
 *
 * <ul>
 *   <li>{@code features}, of width 1 + {@code factors}: the weight and the embedding of a feature.
 *       Sparse, or dense with option {@code features}.
 *   <li>{@code layer-N}, dense, as wide as the layer: a row for each of the layer's inputs. The
 *       first one has {@code fields} x {@code factors} rows.
 *   <li>{@code bias-N}, dense: one row, not regularised.
 * </ul>
 *
 * <pre>{@code
 * WideAndDeep clicks = WideAndDeep.builder().fields(39).factors(8).hidden(64, 32).build();
 * }</pre>
 */
public final class WideAndDeep extends EmbeddingNetwork {
    /** The name of the algorithm on the command line and in saved models. */
    public static final String NAME = "wide-and-deep";

    private static final long serialVersionUID = 1L;

    WideAndDeep(OptionReader reader) {
        super(NAME, false, reader);
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a model that {@link #builder} begins. */
    public static final class Builder extends ModelBuilder<WideAndDeep, Builder>
            implements OptionSetter.OfFields<Builder>,
                    OptionSetter.OfLayers<Builder>,
                    OptionSetter.OfFeatures<Builder>,
                    OptionSetter.OfFactors<Builder>,
                    OptionSetter.OfTask<Builder>,
                    OptionSetter.OfRandomInit<Builder> {
        private Builder() {
            super(WideAndDeep::new);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(
                    NAME,
                    "rows of the same columns: single features and a network over their embeddings",
                    OPTIONS,
                    WideAndDeep::new);
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
