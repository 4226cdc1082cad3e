package io.github.flinkps.flink.training.scoring;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.service.ServiceBackend;
import io.github.flinkps.flink.training.worker.TrainingSettings;
import java.util.ArrayDeque;
import org.apache.flink.api.java.tuple.Tuple2;

/**
 * A worker that scores the rows of records of any type, and emits each record with its timestamp
 * beside its scores, in the order of the input. Watermarks and their status wait for the records
 * before them.
 *
 * @param <T> the records
 */
final class RecordScoringOperator<T> extends ScoringWorker<Tuple2<T, ScoredRow>> {
    private static final long serialVersionUID = 1L;

    private transient ArrayDeque<Waiting<T>> waiting;

    /** A record that waits for its score, or (unless null) a step that waits for those before. */
    private record Waiting<T>(T record, long timestamp, Runnable step) {}

    RecordScoringOperator(TrainingSettings settings, TrainingModel model, ServiceBackend backend) {
        super(settings, model, backend);
    }

    @Override
    public void open(OperatorContext<Tuple2<T, ScoredRow>> operatorContext) throws Exception {
        waiting = new ArrayDeque<>();
        super.open(operatorContext);
    }

    /** Queues the record of the next row that the worker takes; it is the worker's from now on. */
    void enqueue(T record) {
        waiting.add(new Waiting<>(record, context.timestamp(), null));
    }

    @Override
    public void watermark(long timestamp, OperatorContext<Tuple2<T, ScoredRow>> operatorContext) {
        inTurn(() -> operatorContext.emitWatermark(timestamp));
    }

    @Override
    public void idleness(boolean idle, OperatorContext<Tuple2<T, ScoredRow>> operatorContext) {
        inTurn(() -> operatorContext.emitIdleness(idle));
    }

    private void inTurn(Runnable step) {
        if (waiting.isEmpty()) {
            step.run();
        } else {
            waiting.add(new Waiting<>(null, OperatorContext.NO_TIMESTAMP, step));
        }
    }

    @Override
    void scored(ScoredBatch batch) {
        for (int row = 0; row < batch.rows(); row++) {
            scored(batch.row(row));
        }
    }

    void scored(ScoredRow row) {
        Waiting<T> next = waiting.remove();
        context.emit(Tuple2.of(next.record, row), next.timestamp);
        while (!waiting.isEmpty() && waiting.peek().step != null) {
            waiting.remove().step.run();
        }
    }
}
