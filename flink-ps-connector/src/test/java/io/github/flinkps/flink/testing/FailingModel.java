package io.github.flinkps.flink.testing;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;

/** Another model, some of whose gradients fail. */
public final class FailingModel extends ForwardingModel {
    private static final long serialVersionUID = 1L;

    private final TestingFailures failures;

    public FailingModel(TrainingModel model, TestingFailures failures) {
        super(model);
        this.failures = failures;
    }

    @Override
    protected void before(RowBatch rows) {
        failures.before(rows.block());
    }
}
