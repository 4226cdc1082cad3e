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

/** Another model, before each of whose mini-batches something happens. */
public abstract class ForwardingModel implements TrainingModel {
    private static final long serialVersionUID = 1L;

    private final TrainingModel model;

    protected ForwardingModel(TrainingModel model) {
        this.model = model;
    }

    /** Called before the gradients of these rows are computed. */
    protected abstract void before(RowBatch rows);

    @Override
    public final String name() {
        return model.name();
    }

    @Override
    public final Map<String, String> options() {
        return model.options();
    }

    @Override
    public final List<TableSpec> tables() {
        return model.tables();
    }

    @Override
    public final Labels labels() {
        return model.labels();
    }

    @Override
    public final void touch(RowBatch rows, int from, int to, KeyCollector keys) {
        model.touch(rows, from, to, keys);
    }

    @Override
    public final double gradients(
            RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
        before(rows);
        return model.gradients(rows, from, to, parameters, gradients);
    }

    @Override
    public final void score(
            RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
        model.score(rows, from, to, parameters, scores, at);
    }
}
