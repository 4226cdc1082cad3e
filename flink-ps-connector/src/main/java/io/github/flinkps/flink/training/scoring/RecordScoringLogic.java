package io.github.flinkps.flink.training.scoring;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.service.ServiceBackend;
import io.github.flinkps.flink.training.worker.ExtractingLogic;
import io.github.flinkps.flink.training.worker.TrainingSettings;
import org.apache.flink.api.java.tuple.Tuple2;

/**
 * Scores records of any type and emits each beside its scores: once for each of its rows. (Records
 * may be kept without a copy: an operator with two inputs heads its chain, so that they come over a
 * serialized edge.)
 *
 * @param <T> the records
 */
public final class RecordScoringLogic<T> extends ExtractingLogic<T, Tuple2<T, ScoredRow>> {
    private static final long serialVersionUID = 1L;

    private final RecordScoringOperator<T> worker;

    private RecordScoringLogic(
            RecordScoringOperator<T> worker, RowExtractor<T> extractor, OnBadRow onBadRow) {
        super(worker, extractor, onBadRow);
        this.worker = worker;
    }

    /** Returns a worker and its door. */
    public static <T> RecordScoringLogic<T> create(
            TrainingSettings settings,
            TrainingModel model,
            ServiceBackend backend,
            RowExtractor<T> extractor,
            OnBadRow onBadRow) {
        return new RecordScoringLogic<>(
                new RecordScoringOperator<>(settings, model, backend), extractor, onBadRow);
    }

    @Override
    protected void extracted(T record, int rows) {
        for (int i = 0; i < rows; i++) {
            worker.enqueue(record);
        }
    }

    @Override
    public void watermark(long timestamp, OperatorContext<Tuple2<T, ScoredRow>> context) {
        worker.watermark(timestamp, context);
    }

    @Override
    public void idleness(boolean idle, OperatorContext<Tuple2<T, ScoredRow>> context) {
        worker.idleness(idle, context);
    }
}
