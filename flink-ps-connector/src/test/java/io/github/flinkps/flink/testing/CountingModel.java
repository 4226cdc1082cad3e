package io.github.flinkps.flink.testing;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.algorithm.Gradients;
import io.github.flinkps.flink.algorithm.KeyCollector;
import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.Parameters;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModelFactory;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import java.util.List;
import java.util.Map;

/**
 * Counts rows: adds 1 under a key of each row's own, 1 and 2 under a key that many rows share, and
 * 1 to a total, in three tables. The first key of a row is its number.
 */
public final class CountingModel implements TrainingModel {
    /** Keys of {@code shared}. */
    public static final int SHARED = 17;

    private static final long serialVersionUID = 1L;
    private static final UpdateSpec ADD = UpdateSpec.of("add");

    /** The events before each mini-batch is counted, such as a failure. */
    private final TestingFailures failures;

    public CountingModel(TestingFailures failures) {
        this.failures = failures;
    }

    /** Rows {@code [number * rows, (number + 1) * rows)}. */
    public static RowBatch batch(long number, int rows) {
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int i = 0; i < rows; i++) {
            builder.add(number * rows + i).endRow(0f);
        }
        return builder.position(number, 0).build();
    }

    @Override
    public String name() {
        return "counting";
    }

    @Override
    public Map<String, String> options() {
        return Map.of();
    }

    @Override
    public List<TableSpec> tables() {
        return List.of(
                TableSpec.sparse("own", 1, ADD).withPartitions(4),
                TableSpec.sparse("shared", 2, ADD).withPartitions(2),
                TableSpec.dense("total", 1, 1, ADD));
    }

    @Override
    public Labels labels() {
        return Labels.REAL;
    }

    @Override
    public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        for (int row = from; row < to; row++) {
            long number = rows.keys()[rows.rowStart(row)];
            keys.add(0, number);
            keys.add(1, number % SHARED);
        }
        keys.range(2, 0, 1);
    }

    @Override
    public double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        failures.beforeTraining(rows.keys()[rows.rowStart(from)]);
        int[] own = parameters.positions(0);
        int[] shared = parameters.positions(1);
        for (int row = from; row < to; row++) {
            gradients.values(0)[own[row - from]] += 1;
            int at = 2 * shared[row - from];
            gradients.values(1)[at] += 1;
            gradients.values(1)[at + 1] += 2;
            gradients.values(2)[0] += 1;
        }
        return to - from;
    }

    @Override
    public void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        throw new UnsupportedOperationException();
    }

    /** Makes models that SQL can name, which have no optimizer to choose. */
    public static final class Factory implements TrainingModelFactory {
        @Override
        public String name() {
            return "counting";
        }

        @Override
        public String description() {
            return "counts of rows";
        }

        @Override
        public List<ModelOption> options() {
            return List.of();
        }

        @Override
        public TrainingModel create(Map<String, String> options) {
            return new CountingModel(TestingFailures.some("sql", 1, 0));
        }
    }
}
