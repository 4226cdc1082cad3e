package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Binary logistic regression with a bias: the probability of label 1 is {@code 1 / (1 + exp(-z))},
 * {@code z = bias + sum of weight[key] * value}. The table {@code weights} is sparse, or dense when
 * the number of features is given; the table {@code bias} is dense, of one row, and never
 * regularised.
 */
public final class LogisticRegression implements TrainingModel {
    /** Its name on the command line and in saved models. */
    public static final String NAME = "logistic-regression";

    /** The table of feature weights. */
    public static final String WEIGHTS_TABLE = "weights";

    /** The table of the bias. */
    public static final String BIAS_TABLE = "bias";

    /** The optimizer unless another is asked for. */
    public static final UpdateSpec DEFAULT_UPDATE =
            UpdateSpec.of("adagrad").with("learning-rate", 0.1);

    private static final long serialVersionUID = 1L;
    private static final int WEIGHTS = 0;
    private static final int BIAS = 1;

    private final long features;
    private final TableSpec weights;
    private final TableSpec bias;
    private final Map<String, String> options;

    private LogisticRegression(Builder builder) {
        this.features = builder.features;
        UpdateSpec update = builder.update;
        TableSpec table =
                features == TableSpec.SPARSE
                        ? TableSpec.sparse(WEIGHTS_TABLE, 1, update)
                        : TableSpec.dense(WEIGHTS_TABLE, features, 1, update);
        this.weights = builder.partitions == 0 ? table : table.withPartitions(builder.partitions);
        TreeMap<String, Double> plain = new TreeMap<>(update.options());
        plain.remove("l1");
        plain.remove("l2");
        this.bias = TableSpec.dense(BIAS_TABLE, 1, 1, new UpdateSpec(update.name(), plain));
        this.options = Collections.unmodifiableMap(builder.options());
    }

    /** A model with the defaults: Adagrad of rate .1 over all int64 keys. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Map<String, String> options() {
        return options;
    }

    @Override
    public List<TableSpec> tables() {
        return List.of(weights, bias);
    }

    @Override
    public Labels labels() {
        return Labels.BINARY;
    }

    @Override
    public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        int first = rows.rowStart(from);
        int last = rows.rowStart(to);
        if (features != TableSpec.SPARSE) {
            checkRange(rows.keys(), first, last);
        }
        keys.add(WEIGHTS, rows.keys(), first, last);
        keys.range(BIAS, 0, 1);
    }

    private void checkRange(long[] keys, int first, int last) {
        for (int i = first; i < last; i++) {
            if (keys[i] < 0 || keys[i] >= features) {
                throw new IllegalArgumentException(
                        "feature index "
                                + keys[i]
                                + " is beyond the "
                                + features
                                + " features (0 to "
                                + (features - 1)
                                + ") of the dense table '"
                                + WEIGHTS_TABLE
                                + "'");
            }
        }
    }

    @Override
    public double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        float[] labels = rows.labels();
        float[] rowWeights = rows.weights();
        float[] values = rows.values();
        int[] positions = parameters.positions(WEIGHTS);
        float[] weight = parameters.values(WEIGHTS);
        float biasValue = parameters.values(BIAS)[0];
        float[] gradient = gradients.values(WEIGHTS);
        int first = rows.rowStart(from);
        double biasGradient = 0;
        double loss = 0;
        for (int row = from; row < to; row++) {
            int start = rows.rowStart(row);
            int end = rows.rowStart(row + 1);
            double z = biasValue + dot(weight, positions, values, first, start, end);
            double rowWeight = rowWeights == null ? 1 : rowWeights[row];
            double error = (probability(z) - labels[row]) * rowWeight;
            loss += rowWeight * loss(z, labels[row]);
            biasGradient += error;
            addScaled((float) error, gradient, positions, values, first, start, end);
        }
        gradients.values(BIAS)[0] += (float) biasGradient;
        return loss;
    }

    @Override
    public void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        float[] values = rows.values();
        int[] positions = parameters.positions(WEIGHTS);
        float[] weight = parameters.values(WEIGHTS);
        float biasValue = parameters.values(BIAS)[0];
        int first = rows.rowStart(from);
        for (int row = from; row < to; row++) {
            int start = rows.rowStart(row);
            int end = rows.rowStart(row + 1);
            double z = biasValue + dot(weight, positions, values, first, start, end);
            scores[at + row - from] = (float) probability(z);
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

        /** Partitions of the table of weights, instead of the default number. */
        public Builder partitions(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("partitions must be at least 1, not " + count);
            }
            this.partitions = count;
            return this;
        }

        public LogisticRegression build() {
            return new LogisticRegression(this);
        }

        private Map<String, String> options() {
            TreeMap<String, String> named = new TreeMap<>();
            named.put("optimizer", update.name());
            update.options().forEach((key, value) -> named.put(key, value.toString()));
            if (features != TableSpec.SPARSE) {
                named.put("features", Long.toString(features));
            }
            if (partitions != 0) {
                named.put("partitions", Integer.toString(partitions));
            }
            return named;
        }
    }
}
