package io.github.flinkps.flink.training.scoring;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.service.ServiceBackend;
import io.github.flinkps.flink.training.worker.TrainingSettings;

/** A worker that scores rows in columns and emits their scores. */
public final class ScoringOperator extends ScoringWorker<ScoredBatch> {
    /** Name of the accumulator of bad rows that were left out. */
    public static final String SKIPPED_ROWS = "flink-ps-skipped-rows";

    private static final long serialVersionUID = 1L;

    public ScoringOperator(TrainingSettings settings, TrainingModel model, ServiceBackend backend) {
        super(settings, model, backend);
    }

    @Override
    void scored(ScoredBatch batch) {
        context.emit(batch);
    }
}
