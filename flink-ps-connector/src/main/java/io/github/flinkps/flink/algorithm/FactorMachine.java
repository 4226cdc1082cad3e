package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.RowBatch;
import java.util.List;
import java.util.Map;

/**
 * Has what models share that score a row by a bias and what the rows of its features in one table
 * say: {@code features}, a weight and then factors in each row, and {@code bias}. With option
 * {@code factor-l2} the loss that is minimised has, for each row, half the squared factors that the
 * row uses besides, as in Juan, Zhuang, Chin, Lin (RecSys 2016); measures are without it.
 */
abstract class FactorMachine extends NamedModel {
    /** The name of the table of features of models that have weights and factors in it. */
    static final String FEATURES_TABLE = "features";

    private static final long serialVersionUID = 1L;
    private static final int FEATURES = 0;
    private static final int BIAS = 1;

    private final TaskLoss loss;
    private final FeatureSpace space;
    private final TableSpec features;
    private final TableSpec bias;
    private final double factorL2;

    /**
     * Makes the tables.
     *
     * @param own the model's options
     * @param init of the factors
     * @param width of a feature's row
     */
    FactorMachine(
            String name,
            OptionReader reader,
            List<ModelOption> own,
            UpdateSpec update,
            FactorSpec init,
            int width) {
        super(name, TaskLoss.of(reader).labels(), reader.given(own, update));
        this.loss = TaskLoss.of(reader);
        this.space = FeatureSpace.of(reader);
        this.features = init.init(space.table(FEATURES_TABLE, width, update));
        this.bias = TableSpec.dense(LinearModel.BIAS, 1, 1, unregularised(update));
        this.factorL2 = reader.number(FactorSpec.FACTOR_L2.name(), 0, 0, 1e6);
    }

    /**
     * Returns {@code z} of a row without the bias.
     *
     * @param first the first entry of the mini-batch
     * @param positions of the entries' features in the table
     */
    abstract double sum(RowBatch rows, int row, int first, int[] positions, float[] table);

    /**
     * Adds the gradients of a row, for which {@link #sum} was the last call.
     *
     * @param error the slope of the loss, times the row's weight
     */
    abstract void addRow(
            RowBatch rows,
            int row,
            int first,
            int[] positions,
            float[] table,
            float[] gradient,
            double error);

    /** Returns the share of the factors that a row uses in their gradient. */
    final double decay(RowBatch rows, int row) {
        return weight(rows, row) * factorL2;
    }

    private static double weight(RowBatch rows, int row) {
        return rows.weights() == null ? 1 : rows.weights()[row];
    }

    @Override
    public final List<TableSpec> tables() {
        return List.of(features, bias);
    }

    @Override
    public final Map<String, String> interpretation() {
        return loss.options();
    }

    @Override
    public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        space.touch(rows, from, to, keys, FEATURES, FEATURES_TABLE);
        keys.range(BIAS, 0, 1);
    }

    @Override
    public final double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        int[] positions = parameters.positions(FEATURES);
        float[] table = parameters.values(FEATURES);
        float[] gradient = gradients.values(FEATURES);
        int first = rows.rowStart(from);
        double biasGradient = 0;
        double lossSum = 0;
        for (int row = from; row < to; row++) {
            double z = sum(rows, row, first, positions, table) + parameters.values(BIAS)[0];
            double weight = weight(rows, row);
            double error = weight * loss.slope(z, rows.labels()[row]);
            lossSum += weight * loss.loss(z, rows.labels()[row]);
            biasGradient += error;
            addRow(rows, row, first, positions, table, gradient, error);
        }
        gradients.values(BIAS)[0] += (float) biasGradient;
        return lossSum;
    }

    @Override
    public final void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        int[] positions = parameters.positions(FEATURES);
        float[] table = parameters.values(FEATURES);
        int first = rows.rowStart(from);
        for (int row = from; row < to; row++) {
            double z = sum(rows, row, first, positions, table) + parameters.values(BIAS)[0];
            scores[at + row - from] = (float) loss.score(z);
        }
    }
}
