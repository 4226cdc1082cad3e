package io.github.flinkps.harness.oracle;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.algorithm.Gradients;
import io.github.flinkps.flink.algorithm.KeyCollector;
import io.github.flinkps.flink.algorithm.Parameters;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Counts rows, in three tables: 1 under a key of each row's own, 1 and 2 under a key that many rows
 * share, 1 to a total. The only key of a row is its number. Other tables have optimizers that go by
 * weights, steps and schedules, and gradients of which {@link Steps} knows what they must come to.
 * Belongs to the task's thread.
 */
final class OracleModel implements TrainingModel {
    /** Keys of {@link #SHARED}. */
    static final int SHARED_KEYS = 17;

    static final String OWN = "own";
    static final String SHARED = "shared";
    static final String TOTAL = "total";
    static final List<String> COUNTED = List.of(OWN, SHARED, TOTAL);

    /** The number of the first of the tables of {@link Steps}. */
    static final int FIRST_OF_STEPS = COUNTED.size();

    private static final long serialVersionUID = 1L;
    private static final UpdateSpec ADD = UpdateSpec.of("add");

    private final OracleHooks hooks;
    private final int epochs;

    OracleModel(OracleHooks hooks, int epochs) {
        this.hooks = hooks;
        this.epochs = epochs;
    }

    @Override
    public String name() {
        return "oracle-counts";
    }

    @Override
    public Map<String, String> options() {
        return Map.of();
    }

    @Override
    public List<TableSpec> tables() {
        List<TableSpec> counted =
                List.of(
                        TableSpec.sparse(OWN, 1, ADD).withPartitions(4),
                        TableSpec.sparse(SHARED, 2, ADD).withPartitions(2),
                        TableSpec.dense(TOTAL, 1, 1, ADD));
        return Stream.concat(counted.stream(), Steps.tables().stream()).toList();
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
            keys.add(1, number % SHARED_KEYS);
        }
        keys.range(2, 0, 1);
        Steps.touch(rows, from, to, keys);
    }

    @Override
    public double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        strike();
        int[] own = parameters.positions(0);
        int[] shared = parameters.positions(1);
        slowDown((int) parameters.values(0)[own[0]]);
        for (int row = from; row < to; row++) {
            gradients.values(0)[own[row - from]] += 1;
            int at = 2 * shared[row - from];
            gradients.values(1)[at] += 1;
            gradients.values(1)[at + 1] += 2;
            gradients.values(2)[0] += 1;
        }
        Steps.gradients(rows, from, to, parameters, gradients);
        return rows.weightSum(from, to);
    }

    private void strike() {
        try {
            if (hooks.at(Phase.TRAINING, null, null) == OracleHooks.Answer.FAIL) {
                throw new IllegalStateException("the oracle fails a worker that trains");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        hooks.inWorker();
    }

    /** Slows passes after the first: they last as long as something is to happen in them. */
    private void slowDown(int pass) {
        if (pass == 0 || hooks.mayAllEnd()) {
            return;
        }
        try {
            OracleHooks.pause(pass < epochs - 1 ? 1 : 60);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        throw new UnsupportedOperationException("counts are not scores");
    }
}
