package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.RowBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A linear model, a {@link DenseNetwork} over the embeddings of a row's features one after the
 * other and, if wanted, the pairs of a factorization machine over the same embeddings, added up.
 * Each row has an entry for every field; an entry's embedding is multiplied by its value.
 */
abstract class EmbeddingNetwork extends NamedModel {
    static final List<ModelOption> OPTIONS =
            ReadingFactory.withFeatures(
                    FactorSpec.FIELDS,
                    FactorSpec.FACTORS,
                    DenseNetwork.HIDDEN,
                    TaskLoss.TASK,
                    TaskLoss.LABEL_MEAN,
                    TaskLoss.LABEL_UNIT,
                    FactorSpec.INIT_STD,
                    FactorSpec.INIT_SEED);

    private static final long serialVersionUID = 1L;
    private static final int FEATURES = 0;

    private final int fields;
    private final int factors;
    private final boolean pairs;
    private final TaskLoss loss;
    private final FeatureSpace space;
    private final ArrayList<TableSpec> tables = new ArrayList<>();
    private final DenseNetwork network;
    private transient double[] sums;

    EmbeddingNetwork(String name, boolean pairs, OptionReader reader) {
        this(name, pairs, reader, FactorSpec.update(reader, OPTIONS));
    }

    private EmbeddingNetwork(String name, boolean pairs, OptionReader reader, UpdateSpec update) {
        super(name, TaskLoss.of(reader).labels(), reader.given(OPTIONS, update));
        this.pairs = pairs;
        this.loss = TaskLoss.of(reader);
        this.space = FeatureSpace.of(reader);
        this.fields = FactorSpec.fields(reader, 1);
        FactorSpec spec = FactorSpec.of(reader);
        this.factors = spec.factors();
        int[] hidden = DenseNetwork.hidden(reader);
        int[] sizes = new int[hidden.length + 2];
        sizes[0] = fields * factors;
        System.arraycopy(hidden, 0, sizes, 1, hidden.length);
        sizes[hidden.length + 1] = 1;
        this.network = new DenseNetwork(sizes, FEATURES + 1, false);
        tables.add(spec.init(space.table(FactorMachine.FEATURES_TABLE, 1 + factors, update)));
        network.addTables(tables, 1, update, FactorSpec.initSeed(reader));
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
        FactorSpec.checkFields(rows, from, to, fields);
        space.touch(rows, from, to, keys, FEATURES, FactorMachine.FEATURES_TABLE);
        network.touch(keys);
    }

    @Override
    public double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        int first = rows.rowStart(from);
        double sum = 0;
        for (int row = from; row < to; row++) {
            double z = forward(rows, row, first, parameters);
            double weight = rows.weights() == null ? 1 : rows.weights()[row];
            double error = weight * loss.slope(z, rows.labels()[row]);
            sum += weight * loss.loss(z, rows.labels()[row]);
            network.outputErrors()[0] = (float) error;
            network.backward(parameters, gradients);
            addEmbeddings(rows, row, first, parameters, gradients, error);
        }
        return sum;
    }

    private double forward(RowBatch rows, int row, int first, Parameters parameters) {
        if (sums == null) {
            sums = new double[factors];
        }
        int[] positions = parameters.positions(FEATURES);
        float[] table = parameters.values(FEATURES);
        float[] values = rows.values();
        float[] input = network.input();
        Arrays.fill(sums, 0);
        double z = 0;
        double squares = 0;
        int start = rows.rowStart(row);
        for (int i = 0; i < fields; i++) {
            int at = positions[start + i - first] * (1 + factors);
            float x = values == null ? 1 : values[start + i];
            z += (double) table[at] * x;
            for (int f = 0; f < factors; f++) {
                float part = table[at + 1 + f] * x;
                input[i * factors + f] = part;
                sums[f] += part;
                squares += (double) part * part;
            }
        }
        if (pairs) {
            double all = 0;
            for (int f = 0; f < factors; f++) {
                all += sums[f] * sums[f];
            }
            z += (all - squares) / 2;
        }
        return z + network.forward(parameters)[0];
    }

    private void addEmbeddings(
            RowBatch rows,
            int row,
            int first,
            Parameters parameters,
            Gradients gradients,
            double error) {
        int[] positions = parameters.positions(FEATURES);
        float[] gradient = gradients.values(FEATURES);
        float[] values = rows.values();
        float[] input = network.input();
        float[] errors = network.inputErrors();
        int start = rows.rowStart(row);
        for (int i = 0; i < fields; i++) {
            int at = positions[start + i - first] * (1 + factors);
            double x = values == null ? 1 : values[start + i];
            gradient[at] += (float) (error * x);
            for (int f = 0; f < factors; f++) {
                int in = i * factors + f;
                double slope = errors[in];
                if (pairs) {
                    slope += error * (sums[f] - input[in]);
                }
                gradient[at + 1 + f] += (float) (slope * x);
            }
        }
    }

    @Override
    public void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        int first = rows.rowStart(from);
        for (int row = from; row < to; row++) {
            scores[at + row - from] = (float) loss.score(forward(rows, row, first, parameters));
        }
    }
}
