package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.RowBatch;
import java.util.Arrays;
import java.util.List;

/**
 * Factorization machine of degree 2 (Rendle: Factorization machines, ICDM 2010): {@code z = bias +
 * sum of w[i] x[i] + sum over pairs i < j of <v[i], v[j]> x[i] x[j]}, computed in time linear in
 * the entries as {@code (|s|^2 - sum of |v[i] x[i]|^2) / 2}, {@code s = sum of v[i] x[i]}. With
 * option {@code task} classification the score is {@code 1 / (1 + exp(-z))} and the loss logloss,
 * with regression they are {@code z} and half the squared error.
 *
 * <p>Labels: 0 and 1, or any number. Measures: logloss, auc, accuracy; or rmse, mae. Tables: {@code
 * features}, sparse or dense with option {@code features}, of width 1 + {@code factors}: the weight
 * and the factors of a feature in one row, so that its key travels once; {@code bias}, dense, 1 x
 * 1, not regularised.
 *
 * <pre>{@code
 * FactorizationMachine ratings =
 *         FactorizationMachine.builder().factors(8).task("regression").build();
 * }</pre>
 */
public final class FactorizationMachine extends NamedModel {
    /** Its name on the command line and in saved models. */
    public static final String NAME = "factorization-machine";

    static final List<ModelOption> OPTIONS =
            ReadingFactory.withFeatures(
                    FactorSpec.FACTORS, FactorSpec.TASK, FactorSpec.INIT_STD, FactorSpec.INIT_SEED);

    /** The name of the table of features of models that have weights and factors in it. */
    static final String FEATURES_TABLE = "features";

    private static final long serialVersionUID = 1L;
    private static final int FEATURES = 0;
    private static final int BIAS = 1;

    private final int factors;
    private final PointLoss loss;
    private final FeatureSpace space;
    private final TableSpec features;
    private final TableSpec bias;
    private transient double[] sums;

    FactorizationMachine(OptionReader reader) {
        this(reader, FactorSpec.update(reader, OPTIONS));
    }

    private FactorizationMachine(OptionReader reader, UpdateSpec update) {
        super(NAME, FactorSpec.labels(FactorSpec.task(reader)), reader.given(OPTIONS, update));
        FactorSpec spec = FactorSpec.of(reader);
        this.factors = spec.factors();
        this.loss = FactorSpec.task(reader);
        this.space = FeatureSpace.of(reader);
        this.features = spec.init(space.table(FEATURES_TABLE, 1 + factors, update));
        this.bias = TableSpec.dense(LinearModel.BIAS, 1, 1, unregularised(update));
    }

    @Override
    public List<TableSpec> tables() {
        return List.of(features, bias);
    }

    @Override
    public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        space.touch(rows, from, to, keys, FEATURES, FEATURES_TABLE);
        keys.range(BIAS, 0, 1);
    }

    @Override
    public double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        float[] values = rows.values();
        int[] positions = parameters.positions(FEATURES);
        float[] table = parameters.values(FEATURES);
        float[] gradient = gradients.values(FEATURES);
        int first = rows.rowStart(from);
        double biasGradient = 0;
        double lossSum = 0;
        for (int row = from; row < to; row++) {
            double z = sum(rows, row, first, positions, table) + parameters.values(BIAS)[0];
            double weight = rows.weights() == null ? 1 : rows.weights()[row];
            double error = weight * loss.slope(z, rows.labels()[row]);
            lossSum += weight * loss.loss(z, rows.labels()[row]);
            biasGradient += error;
            for (int i = rows.rowStart(row); i < rows.rowStart(row + 1); i++) {
                int at = positions[i - first] * (1 + factors);
                double x = values == null ? 1 : values[i];
                gradient[at] += (float) (error * x);
                addFactors(gradient, table, at + 1, error * x, x);
            }
        }
        gradients.values(BIAS)[0] += (float) biasGradient;
        return lossSum;
    }

    private void addFactors(float[] gradient, float[] table, int at, double scale, double x) {
        for (int f = 0; f < factors; f++) {
            gradient[at + f] += (float) (scale * (sums[f] - table[at + f] * x));
        }
    }

    @Override
    public void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        int[] positions = parameters.positions(FEATURES);
        float[] table = parameters.values(FEATURES);
        int first = rows.rowStart(from);
        for (int row = from; row < to; row++) {
            double z = sum(rows, row, first, positions, table) + parameters.values(BIAS)[0];
            scores[at + row - from] = (float) loss.score(z);
        }
    }

    /** {@code z} without the bias; leaves {@code s} in {@link #sums}. */
    private double sum(RowBatch rows, int row, int first, int[] positions, float[] table) {
        if (sums == null) {
            sums = new double[factors];
        }
        double[] sum = sums;
        Arrays.fill(sum, 0);
        float[] values = rows.values();
        double linear = 0;
        double squares = 0;
        for (int i = rows.rowStart(row); i < rows.rowStart(row + 1); i++) {
            int at = positions[i - first] * (1 + factors);
            double x = values == null ? 1 : values[i];
            linear += table[at] * x;
            for (int f = 0; f < factors; f++) {
                double part = table[at + 1 + f] * x;
                sum[f] += part;
                squares += part * part;
            }
        }
        double all = 0;
        for (int f = 0; f < factors; f++) {
            all += sum[f] * sum[f];
        }
        return linear + (all - squares) / 2;
    }

    /** Sets up a model; it has the defaults of its options until they are set. */
    public static Builder builder() {
        return new Builder();
    }

    /** See {@link #builder}. */
    public static final class Builder extends ModelBuilder<FactorizationMachine, Builder>
            implements OptionSetter.OfFeatures<Builder>,
                    OptionSetter.OfFactors<Builder>,
                    OptionSetter.OfTask<Builder>,
                    OptionSetter.OfRandomInit<Builder> {
        private Builder() {
            super(FactorizationMachine::new);
        }
    }

    /** Makes models from named options. */
    public static final class Factory extends ReadingFactory {
        public Factory() {
            super(
                    NAME,
                    "sparse features whose pairs matter, though most pairs are rare",
                    OPTIONS,
                    FactorizationMachine::new);
        }
    }
}
