package io.github.flinkps.flink.training;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.service.ServiceBackend;
import java.util.ArrayDeque;
import org.apache.flink.api.java.tuple.Tuple2;

/**
 * A worker that scores the rows of records of any type, and emits each record with its timestamp
 * beside its scores, in the order of the input. Watermarks wait for the records before them.
 *
 * @param <T> the records
 */
final class RecordScoringOperator<T> extends ScoringWorker<Tuple2<T, ScoredRow>> {
    private static final long serialVersionUID = 1L;

    private transient ArrayDeque<Held<T>> held;

    /** A record that waits for its score, or (null) a watermark that waits for those before it. */
    private record Held<T>(T record, long timestamp) {}

    RecordScoringOperator(TrainingSettings settings, TrainingModel model, ServiceBackend backend) {
        super(settings, model, backend);
    }

    @Override
    public void open(OperatorContext<Tuple2<T, ScoredRow>> operatorContext) {
        held = new ArrayDeque<>();
        super.open(operatorContext);
    }

    /** The record of the next row that the worker takes; it is the worker's from now on. */
    void hold(T record) {
        held.add(new Held<>(record, context.timestamp()));
    }

    @Override
    public void watermark(long timestamp, OperatorContext<Tuple2<T, ScoredRow>> operatorContext) {
        if (held.isEmpty()) {
            operatorContext.emitWatermark(timestamp);
        } else {
            held.add(new Held<>(null, timestamp));
        }
    }

    @Override
    void scored(ScoredRow row) {
        Held<T> next = held.remove();
        context.emit(Tuple2.of(next.record, row), next.timestamp);
        while (!held.isEmpty() && held.peek().record == null) {
            context.emitWatermark(held.remove().timestamp);
        }
    }
}
