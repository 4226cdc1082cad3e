package io.github.flinkps.flink.testing;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.Gradients;
import io.github.flinkps.flink.algorithm.KeyCollector;
import io.github.flinkps.flink.algorithm.Parameters;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import java.util.List;
import java.util.Map;

/** Another model, some of whose gradients fail. */
public final class FailingModel implements TrainingModel {
    private static final long serialVersionUID = 1L;

    private final TrainingModel model;
    private final TestingFailures failures;

    public FailingModel(TrainingModel model, TestingFailures failures) {
        this.model = model;
        this.failures = failures;
    }

    @Override
    public String name() {
        return model.name();
    }

    @Override
    public Map<String, String> options() {
        return model.options();
    }

    @Override
    public List<TableSpec> tables() {
        return model.tables();
    }

    @Override
    public Labels labels() {
        return model.labels();
    }

    @Override
    public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        model.touch(rows, from, to, keys);
    }

    @Override
    public double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        failures.before(rows.block());
        return model.gradients(rows, from, to, parameters, gradients);
    }

    @Override
    public void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        model.score(rows, from, to, parameters, scores, at);
    }
}
