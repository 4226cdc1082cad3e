package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.server.update.LearningRate;
import io.github.flinkps.server.update.UpdateFunctions;
import java.util.List;

/**
 * A model of {@code z = bias + sum of weight[key] * value} and a {@link PointLoss} of it. The table
 * {@code weights} has the features' keys and width 1; the table {@code bias} is dense, of one row,
 * and never regularised.
 */
abstract class LinearModel extends NamedModel {
    /** The name of the table of feature weights. */
    static final String WEIGHTS = "weights";

    /** The name of the table of the bias. */
    static final String BIAS = "bias";

    private static final long serialVersionUID = 1L;
    private static final int WEIGHTS_TABLE = 0;
    private static final int BIAS_TABLE = 1;

    /** The options of all linear models of one number. */
    static final List<ModelOption> OPTIONS = ReadingFactory.withFeatures(ModelOption.INITIAL_BIAS);

    private final FeatureSpace space;
    private final PointLoss pointLoss;
    private final TableSpec weights;
    private final TableSpec bias;

    LinearModel(String name, Labels labels, PointLoss loss, OptionReader reader) {
        this(name, labels, loss, reader, reader.update(OPTIONS, LogisticRegression.DEFAULT_UPDATE));
    }

    private LinearModel(
            String name, Labels labels, PointLoss loss, OptionReader reader, UpdateSpec update) {
        super(name, labels, reader.given(OPTIONS, update));
        this.space = FeatureSpace.of(reader);
        this.pointLoss = loss;
        this.weights = space.table(WEIGHTS, 1, update);
        double first =
                reader.number(
                        ModelOption.INITIAL_BIAS.name(), 0, -Float.MAX_VALUE, Float.MAX_VALUE);
        TableSpec zero = TableSpec.dense(BIAS, 1, 1, unregularised(update));
        this.bias =
                first == 0
                        ? zero
                        : zero.withInitializer(InitializerSpec.constant((float) first), 0);
    }

    @Override
    public List<TableSpec> tables() {
        return List.of(weights, bias);
    }

    /**
     * Says so where steps take the sum of the gradients: each row counts as much then. A rate that
     * falls by steps is for as many as there are.
     */
    @Override
    public boolean batchesMayGrow() {
        return stepsWithSum(weights.update());
    }

    static boolean stepsWithSum(UpdateSpec update) {
        return update.options().keySet().stream().noneMatch(LearningRate::isSchedule)
                && UpdateFunctions.find(update.name())
                        .filter(factory -> factory.input() == UpdateInput.GRADIENT_SUM)
                        .isPresent();
    }

    @Override
    public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        space.touch(rows, from, to, keys, WEIGHTS_TABLE, WEIGHTS);
        keys.range(BIAS_TABLE, 0, 1);
    }

    @Override
    public double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        float[] labels = rows.labels();
        float[] rowWeights = rows.weights();
        float[] values = rows.values();
        int[] positions = parameters.positions(WEIGHTS_TABLE);
        float[] weight = parameters.values(WEIGHTS_TABLE);
        float biasValue = parameters.values(BIAS_TABLE)[0];
        float[] gradient = gradients.values(WEIGHTS_TABLE);
        int first = rows.rowStart(from);
        double biasGradient = 0;
        double loss = 0;
        for (int row = from; row < to; row++) {
            int start = rows.rowStart(row);
            int end = rows.rowStart(row + 1);
            double z = biasValue + dot(weight, positions, values, first, start, end);
            double rowWeight = rowWeights == null ? 1 : rowWeights[row];
            double error = pointLoss.slope(z, labels[row]) * rowWeight;
            loss += rowWeight * pointLoss.loss(z, labels[row]);
            biasGradient += error;
            addScaled((float) error, gradient, positions, values, first, start, end);
        }
        gradients.values(BIAS_TABLE)[0] += (float) biasGradient;
        return loss;
    }

    @Override
    public void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        float[] values = rows.values();
        int[] positions = parameters.positions(WEIGHTS_TABLE);
        float[] weight = parameters.values(WEIGHTS_TABLE);
        float biasValue = parameters.values(BIAS_TABLE)[0];
        int first = rows.rowStart(from);
        for (int row = from; row < to; row++) {
            int start = rows.rowStart(row);
            int end = rows.rowStart(row + 1);
            double z = biasValue + dot(weight, positions, values, first, start, end);
            scores[at + row - from] = (float) pointLoss.score(z);
        }
    }

    private static double dot(
            float[] weight, int[] positions, float[] values, int first, int start, int end) {
        double sum = 0;
        if (values == null) {
            for (int i = start; i < end; i++) {
                sum += weight[positions[i - first]];
            }
        } else {
            for (int i = start; i < end; i++) {
                sum += (double) weight[positions[i - first]] * values[i];
            }
        }
        return sum;
    }

    private static void addScaled(
            float error,
            float[] gradient,
            int[] positions,
            float[] values,
            int first,
            int start,
            int end) {
        if (values == null) {
            for (int i = start; i < end; i++) {
                gradient[positions[i - first]] += error;
            }
        } else {
            for (int i = start; i < end; i++) {
                gradient[positions[i - first]] += error * values[i];
            }
        }
    }
}
