package io.github.flinkps.flink.training.scoring;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.service.ServiceBackend;
import io.github.flinkps.flink.training.TrainingException;
import io.github.flinkps.flink.training.rows.BatchAssembler;
import io.github.flinkps.flink.training.rows.BatchSchedule;
import io.github.flinkps.flink.training.rows.MiniBatch;
import io.github.flinkps.flink.training.worker.PulledBatch;
import io.github.flinkps.flink.training.worker.TrainingSettings;
import io.github.flinkps.flink.training.worker.Worker;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * A worker that scores: pulls the rows of the model that a batch touches, without a clock and
 * without creating any, and hands on a {@link ScoredBatch} for each, in the order of its input.
 *
 * <p>All rows before a barrier are scored before it goes on, so that checkpoints hold none.
 *
 * @param <O> what it emits
 */
abstract class ScoringWorker<O> extends Worker<O> {
    private static final long serialVersionUID = 1L;

    private transient ListState<Long> skippedState;
    private transient long skippedRows;
    private transient float[] scores;
    private transient int perRow;

    ScoringWorker(TrainingSettings settings, TrainingModel model, ServiceBackend backend) {
        super(settings, model, backend);
    }

    /** Emits the next rows of the input with their scores. */
    abstract void scored(ScoredBatch batch);

    @Override
    public void initializeState(OperatorStateStore states, boolean restored) throws Exception {
        skippedState =
                states.getListState(new ListStateDescriptor<>("flink-ps-skipped-rows", Types.LONG));
        for (long before : skippedState.get()) {
            skippedRows += before;
        }
    }

    @Override
    public void open(OperatorContext<O> operatorContext) throws Exception {
        super.open(operatorContext);
        if (skippedRows > 0) {
            context.count(ScoringOperator.SKIPPED_ROWS, skippedRows);
        }
    }

    @Override
    public void beforeBarrier() throws Exception {
        awaitRows();
    }

    @Override
    public void snapshotState(Barrier barrier) throws Exception {
        skippedState.update(List.of(skippedRows));
    }

    /**
     * Ends the worker. The service may have ended in an attempt before, all of whose rows were
     * scored: then there is nobody to meet.
     */
    @Override
    public void finish() throws Exception {
        if (connection == null && failure() == null && !hasRows()) {
            return;
        }
        super.finish();
    }

    @Override
    protected BatchSchedule newSchedule(int worker) {
        perRow = model.scoresPerRow();
        scores = new float[Math.multiplyExact(settings.passes().batches().first(), perRow)];
        return new BatchSchedule(
                new BatchAssembler(settings.passes().batches(), false),
                null,
                1,
                settings.passes().seed(),
                worker);
    }

    @Override
    protected void arrived(int rows, int skipped, long readMillis) {
        if (skipped > 0) {
            skippedRows += skipped;
            context.count(ScoringOperator.SKIPPED_ROWS, skipped);
        }
    }

    @Override
    protected void compute(PulledBatch pulled) throws Exception {
        MiniBatch batch = pulled.planned().batch();
        RowBatch rows = batch.rows;
        model.score(rows, batch.from, batch.to, pulled, scores, 0);
        int count = batch.to - batch.from;
        for (int at = 0; at < count * perRow; at++) {
            if (!Float.isFinite(scores[at])) {
                throw new TrainingException(
                        "the score of row "
                                + (rows.firstRow() + batch.from + at / perRow)
                                + " of block "
                                + rows.block()
                                + " is NaN or infinite: the model's values are too large");
            }
        }
        float[] weights = rows.weights();
        scored(
                new ScoredBatch(
                        rows.block(),
                        rows.firstRow() + (long) batch.from,
                        Arrays.copyOfRange(rows.labels(), batch.from, batch.to),
                        weights == null ? null : Arrays.copyOfRange(weights, batch.from, batch.to),
                        Arrays.copyOf(scores, count * perRow)));
    }

    @Override
    protected void tick(long nowMillis) {}

    @Override
    protected void finished() {}
}
