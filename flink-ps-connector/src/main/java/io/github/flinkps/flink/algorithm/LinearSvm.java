package io.github.flinkps.flink.algorithm;

import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.metrics.Evaluation;
import io.github.flinkps.flink.metrics.MarginMetrics;
import java.util.Map;
import java.util.Optional;

/**
 * Linear support vector machine with a bias. The margin is {@code z = bias + sum of weight[key] *
 * value}. The hinge loss is {@code max(0, 1 - s z)}, with {@code s} = 1 for label 1 and -1 for
 * label 0 (Cortes, Vapnik: Support-vector networks, Machine Learning 1995; in this form
 * Shalev-Shwartz, Singer, Srebro: Pegasos, ICML 2007, whose lambda is {@code l2}).
 *
 * <p>Labels: 0 and 1. Scores: the margin {@code z}, positive for label 1, measured by accuracy, auc
 * and the mean hinge loss. Tables: {@code weights}, sparse or dense with option {@code features},
 * of width 1; {@code bias}, dense, 1 x 1, not regularised.
 *
 * <pre>{@code
 * LinearSvm spam = LinearSvm.builder().optimizer(UpdateSpec.of("sgd").with("l2", 1e-5)).build();
 * }</pre>
 */
public final class LinearSvm extends LinearModel {
    /** The name of the algorithm on the command line and in saved models. */
    public static final String NAME = "linear-svm";

    private static final long serialVersionUID = 1L;

    LinearSvm(OptionReader reader) {
        super(NAME, Labels.BINARY, PointLoss.HINGE, reader);
    }

    @Override
    public Evaluation evaluation() {
        return new MarginMetrics();
    }

    @Override
    public String lossName() {
        return "hinge";
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a model that {@link #builder} begins. */
    public static final class Builder extends ModelBuilder<LinearSvm, Builder>
            implements OptionSetter.OfFeatures<Builder>, OptionSetter.OfBias<Builder> {
        private Builder() {
            super(LinearSvm::new);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(
                    NAME,
                    "yes or no where only the decision counts; its score is a margin",
                    OPTIONS,
                    LinearSvm::new);
        }

        @Override
        public Optional<TuningRule> tuning(Map<String, String> given) {
            return Optional.of(TuningRule.PLAIN);
        }
    }
}
