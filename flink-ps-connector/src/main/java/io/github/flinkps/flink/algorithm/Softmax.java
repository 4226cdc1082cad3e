package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.FirstClass;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Multinomial logistic regression: {@code z[c] = bias[c] + sum of weight[key][c] * value}, the
 * probability of class {@code c} is {@code exp(z[c]) / sum of exp(z)}, the loss {@code -log} of the
 * probability of the label (Bishop: Pattern recognition and machine learning, 4.3.4).
 *
 * <p>Labels: classes 0 to N-1, N being option {@code classes}. Scores: the probability of each
 * class, measured by logloss and accuracy. Tables: {@code weights}, sparse or dense with option
 * {@code features}, of width N; {@code bias}, dense, 1 x N, not regularised.
 *
 * <pre>{@code
 * Softmax digits = Softmax.builder().classes(10).features(784).build();
 * }</pre>
 */
public final class Softmax extends NamedModel {
    /** The name of the algorithm on the command line and in saved models. */
    public static final String NAME = "softmax";

    static final ModelOption CLASSES =
            ModelOption.whole("classes", "must be given", "number of classes");
    static final List<ModelOption> OPTIONS = ReadingFactory.withFeatures(CLASSES);

    private static final long serialVersionUID = 1L;
    private static final int WEIGHTS = 0;
    private static final int BIAS = 1;

    private final int classes;
    private final FirstClass firstClass;
    private final FeatureSpace space;
    private final TableSpec weights;
    private final TableSpec bias;
    private transient double[] scratch;

    Softmax(OptionReader reader) {
        this(reader, classes(reader), reader.update(OPTIONS, LogisticRegression.DEFAULT_UPDATE));
    }

    private Softmax(OptionReader reader, int classes, UpdateSpec update) {
        super(NAME, Labels.classes(classes), reader.given(OPTIONS, update));
        this.classes = classes;
        this.firstClass = new FirstClass(classes);
        this.space = FeatureSpace.of(reader);
        this.weights = space.table(LinearModel.WEIGHTS, classes, update);
        this.bias = TableSpec.dense(LinearModel.BIAS, 1, classes, unregularised(update));
    }

    private static int classes(OptionReader reader) {
        reader.require(CLASSES);
        return reader.count(CLASSES.name(), 0, 2, TableSpec.MAX_WIDTH);
    }

    @Override
    public List<TableSpec> tables() {
        return List.of(weights, bias);
    }

    @Override
    public boolean batchesMayGrow() {
        return LinearModel.stepsWithSum(weights.update());
    }

    @Override
    public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        for (int row = from; row < to; row++) {
            firstClass.add(rows.labels()[row]);
        }
        space.touch(rows, from, to, keys, WEIGHTS, LinearModel.WEIGHTS);
        keys.range(BIAS, 0, 1);
    }

    @Override
    public double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        float[] rowWeights = rows.weights();
        float[] values = rows.values();
        int[] positions = parameters.positions(WEIGHTS);
        float[] gradient = gradients.values(WEIGHTS);
        float[] biasGradient = gradients.values(BIAS);
        double[] error = scratch();
        int first = rows.rowStart(from);
        double loss = 0;
        for (int row = from; row < to; row++) {
            int label = (int) rows.labels()[row];
            double rowWeight = rowWeights == null ? 1 : rowWeights[row];
            sums(rows, row, first, parameters, error);
            loss += rowWeight * probabilities(error, classes, label);
            error[label] -= 1;
            for (int c = 0; c < classes; c++) {
                error[c] *= rowWeight;
                biasGradient[c] += (float) error[c];
            }
            for (int i = rows.rowStart(row); i < rows.rowStart(row + 1); i++) {
                int at = positions[i - first] * classes;
                float value = values == null ? 1 : values[i];
                for (int c = 0; c < classes; c++) {
                    gradient[at + c] += (float) error[c] * value;
                }
            }
        }
        return loss;
    }

    @Override
    public void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        double[] z = scratch();
        int first = rows.rowStart(from);
        for (int row = from; row < to; row++) {
            sums(rows, row, first, parameters, z);
            probabilities(z, classes, 0);
            int out = at + (row - from) * classes;
            for (int c = 0; c < classes; c++) {
                scores[out + c] = (float) z[c];
            }
        }
    }

    private double[] scratch() {
        if (scratch == null) {
            scratch = new double[classes];
        }
        return scratch;
    }

    private void sums(RowBatch rows, int row, int first, Parameters parameters, double[] z) {
        float[] values = rows.values();
        int[] positions = parameters.positions(WEIGHTS);
        float[] weight = parameters.values(WEIGHTS);
        float[] biases = parameters.values(BIAS);
        for (int c = 0; c < classes; c++) {
            z[c] = biases[c];
        }
        for (int i = rows.rowStart(row); i < rows.rowStart(row + 1); i++) {
            int at = positions[i - first] * classes;
            float value = values == null ? 1 : values[i];
            for (int c = 0; c < classes; c++) {
                z[c] += (double) weight[at + c] * value;
            }
        }
    }

    /**
     * Turns the first {@code count} numbers {@code z} into their probabilities.
     *
     * @return the negative logarithm of that of {@code label}
     */
    static double probabilities(double[] z, int count, int label) {
        double highest = z[0];
        for (int c = 1; c < count; c++) {
            highest = Math.max(highest, z[c]);
        }
        double own = z[label] - highest;
        double sum = 0;
        for (int c = 0; c < count; c++) {
            z[c] = Math.exp(z[c] - highest);
            sum += z[c];
        }
        for (int c = 0; c < count; c++) {
            z[c] /= sum;
        }
        return Math.log(sum) - own;
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a model that {@link #builder} begins. */
    public static final class Builder extends ModelBuilder<Softmax, Builder>
            implements OptionSetter.OfFeatures<Builder> {
        private Builder() {
            super(Softmax::new);
        }

        /** Sets the number of classes; must be set. */
        public Builder classes(int count) {
            return set(CLASSES.name(), count);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(NAME, "one of several classes from many sparse features", OPTIONS, Softmax::new);
        }

        @Override
        public Optional<TuningRule> tuning(Map<String, String> given) {
            return Optional.of(TuningRule.PLAIN);
        }
    }
}
