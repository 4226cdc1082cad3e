package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.FirstClass;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Multi-layer perceptron with rectifiers: {@code a[1] = max(0, bias[1] + sum of W[1][key] *
 * value)}, then the layers of back-propagation ({@code a[n] = max(0, bias[n] + a[n-1] W[n])}, the
 * last without the maximum) (Rumelhart, Hinton, Williams: Learning representations by
 * back-propagating errors, Nature 1986; first weights of He, Zhang, Ren, Sun: Delving deep into
 * rectifiers, ICCV 2015). The output is one number {@code z} with logloss for two classes and half
 * the squared error for {@code task} regression, or one for each of more {@code classes}, with
 * softmax and logloss.
 *
 * <p>Labels: 0 and 1, classes 0 to N-1, or any number. Scores: the probability of 1, that of each
 * class, or {@code z} in the unit of the labels. Measures: logloss, auc, accuracy; logloss,
 * accuracy; or rmse, mae. Tables:
 *
 * <ul>
 *   <li>{@code layer-1}, as wide as the first hidden layer: a row for each feature. Sparse, or
 *       dense with option {@code features}.
 *   <li>{@code layer-N}, dense, as wide as the layer: a row for each output of the layer before.
 *   <li>{@code bias-N}, dense: one row, not regularised.
 * </ul>
 *
 * <pre>{@code
 * MultiLayerPerceptron digits =
 *         MultiLayerPerceptron.builder().hidden(64, 32).classes(10).features(784).build();
 * }</pre>
 */
public final class MultiLayerPerceptron extends NamedModel {
    /** The name of the algorithm on the command line and in saved models. */
    public static final String NAME = "multi-layer-perceptron";

    private static final ModelOption CLASSES =
            ModelOption.whole(Softmax.CLASSES.name(), "2", Softmax.CLASSES.description());
    static final List<ModelOption> OPTIONS =
            ReadingFactory.withFeatures(
                    DenseNetwork.HIDDEN,
                    TaskLoss.TASK,
                    TaskLoss.LABEL_MEAN,
                    TaskLoss.LABEL_UNIT,
                    CLASSES,
                    ModelOption.number(
                            FactorSpec.INIT_STD.name(),
                            "sqrt(2 / features), or 0.1",
                            FactorSpec.INIT_STD.description()),
                    FactorSpec.INIT_SEED);

    private static final long serialVersionUID = 1L;
    private static final int FIRST = 0;
    private static final int FIRST_BIAS = 1;
    private static final String FIRST_NAME = "layer-1";

    private final FeatureSpace space;
    private final TaskLoss loss;
    private final int classes;
    private final FirstClass firstClass;
    private final int width;
    private final ArrayList<TableSpec> tables = new ArrayList<>();
    private final DenseNetwork network;
    private transient double[] probabilities;

    MultiLayerPerceptron(OptionReader reader) {
        this(reader, FactorSpec.update(reader, OPTIONS));
    }

    private MultiLayerPerceptron(OptionReader reader, UpdateSpec update) {
        super(NAME, labels(reader), reader.given(OPTIONS, update));
        this.space = FeatureSpace.of(reader);
        this.loss = TaskLoss.of(reader);
        this.classes = classes(reader);
        this.firstClass = new FirstClass(classes);
        int[] hidden = DenseNetwork.hidden(reader);
        int[] sizes = java.util.Arrays.copyOf(hidden, hidden.length + 1);
        sizes[hidden.length] = classes == 2 ? 1 : classes;
        this.width = hidden[0];
        this.network = new DenseNetwork(sizes, FIRST_BIAS + 1, true);
        double he = space.isDense() ? Math.sqrt(2.0 / space.features()) : 0.1;
        float deviation = (float) reader.number(FactorSpec.INIT_STD.name(), he, 0, 1e6);
        long seed = FactorSpec.initSeed(reader);
        tables.add(
                space.table(FIRST_NAME, width, update)
                        .withInitializer(InitializerSpec.normal(0, deviation), seed));
        tables.add(DenseNetwork.bias(1, width, update));
        network.addTables(tables, 2, update, seed);
    }

    private static int classes(OptionReader reader) {
        int classes = reader.count(CLASSES.name(), 2, 2, TableSpec.MAX_WIDTH);
        if (classes > 2 && TaskLoss.of(reader).isRegression()) {
            throw new IllegalArgumentException("classes does not go with task regression");
        }
        return classes;
    }

    private static Labels labels(OptionReader reader) {
        int classes = classes(reader);
        return classes > 2 ? Labels.classes(classes) : TaskLoss.of(reader).labels();
    }

    @Override
    public List<TableSpec> tables() {
        return List.copyOf(tables);
    }

    @Override
    public Map<String, String> interpretation() {
        return loss.options();
    }

    @Override
    public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        for (int row = from; classes > 2 && row < to; row++) {
            firstClass.add(rows.labels()[row]);
        }
        space.touch(rows, from, to, keys, FIRST, FIRST_NAME);
        keys.range(FIRST_BIAS, 0, 1);
        network.touch(keys);
    }

    @Override
    public double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        int first = rows.rowStart(from);
        double sum = 0;
        for (int row = from; row < to; row++) {
            float[] out = forward(rows, row, first, parameters);
            double weight = rows.weights() == null ? 1 : rows.weights()[row];
            sum += weight * errors(out, rows.labels()[row], weight, network.outputErrors());
            network.backward(parameters, gradients);
            addFirst(rows, row, first, parameters, gradients);
        }
        return sum;
    }

    /** Returns the loss of a row, and the derivatives by the outputs, times its weight. */
    private double errors(float[] out, float label, double weight, float[] errors) {
        if (classes == 2) {
            errors[0] = (float) (weight * loss.slope(out[0], label));
            return loss.loss(out[0], label);
        }
        double[] p = probabilities(out);
        double rowLoss = Softmax.probabilities(p, classes, (int) label);
        for (int c = 0; c < classes; c++) {
            errors[c] = (float) (weight * (p[c] - (c == (int) label ? 1 : 0)));
        }
        return rowLoss;
    }

    private double[] probabilities(float[] out) {
        if (probabilities == null) {
            probabilities = new double[classes];
        }
        for (int c = 0; c < classes; c++) {
            probabilities[c] = out[c];
        }
        return probabilities;
    }

    private float[] forward(RowBatch rows, int row, int first, Parameters parameters) {
        int[] positions = parameters.positions(FIRST);
        float[] weights = parameters.values(FIRST);
        float[] values = rows.values();
        float[] hidden = network.input();
        System.arraycopy(parameters.values(FIRST_BIAS), 0, hidden, 0, width);
        for (int i = rows.rowStart(row); i < rows.rowStart(row + 1); i++) {
            int at = positions[i - first] * width;
            float value = values == null ? 1 : values[i];
            DenseNetwork.addScaled(hidden, 0, weights, at, value, width);
        }
        DenseNetwork.rectify(hidden);
        return network.forward(parameters);
    }

    private void addFirst(
            RowBatch rows, int row, int first, Parameters parameters, Gradients gradients) {
        int[] positions = parameters.positions(FIRST);
        float[] gradient = gradients.values(FIRST);
        float[] values = rows.values();
        float[] errors = network.inputErrors();
        DenseNetwork.addScaled(gradients.values(FIRST_BIAS), 0, errors, 0, 1, width);
        for (int i = rows.rowStart(row); i < rows.rowStart(row + 1); i++) {
            int at = positions[i - first] * width;
            float value = values == null ? 1 : values[i];
            DenseNetwork.addScaled(gradient, at, errors, 0, value, width);
        }
    }

    @Override
    public void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        int first = rows.rowStart(from);
        int perRow = scoresPerRow();
        for (int row = from; row < to; row++) {
            float[] out = forward(rows, row, first, parameters);
            int next = at + (row - from) * perRow;
            if (classes == 2) {
                scores[next] = (float) loss.score(out[0]);
            } else {
                double[] p = probabilities(out);
                Softmax.probabilities(p, classes, 0);
                for (int c = 0; c < classes; c++) {
                    scores[next + c] = (float) p[c];
                }
            }
        }
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects the options of a model that {@link #builder} begins. */
    public static final class Builder extends ModelBuilder<MultiLayerPerceptron, Builder>
            implements OptionSetter.OfLayers<Builder>,
                    OptionSetter.OfFeatures<Builder>,
                    OptionSetter.OfTask<Builder>,
                    OptionSetter.OfRandomInit<Builder> {
        private Builder() {
            super(MultiLayerPerceptron::new);
        }

        /** Sets the number of classes; above 2 labels are 0 to {@code count - 1}. */
        public Builder classes(int count) {
            return set(CLASSES.name(), count);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(
                    NAME,
                    "dense numbers whose effect is not additive",
                    OPTIONS,
                    MultiLayerPerceptron::new);
        }

        @Override
        public Optional<TuningRule> tuning(Map<String, String> given) {
            return TaskLoss.tuning(TuningRule.Kind.LAYERS, given);
        }
    }
}
