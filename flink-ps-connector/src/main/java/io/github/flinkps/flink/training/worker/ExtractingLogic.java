package io.github.flinkps.flink.training.worker;

import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.internal.compat.OperatorLogic;
import io.github.flinkps.flink.training.TrainingException;
import org.apache.flink.api.common.state.OperatorStateStore;

/**
 * A worker for records of any type: their rows are gathered at its door, straight into the
 * mini-batch that is filling, so that no object is made per row.
 *
 * @param <T> the records
 * @param <O> what the worker emits
 */
public class ExtractingLogic<T, O> implements OperatorLogic<T, O> {
    private static final long serialVersionUID = 1L;

    private final Worker<O> worker;
    private final RowExtractor<T> extractor;
    private final OnBadRow onBadRow;

    public ExtractingLogic(Worker<O> worker, RowExtractor<T> extractor, OnBadRow onBadRow) {
        this.worker = worker;
        this.extractor = extractor;
        this.onBadRow = onBadRow;
    }

    @Override
    public OperatorLogic<T, O> ofJob(String jobId) {
        return worker.ofJob(jobId) instanceof Worker<O> other && other != worker
                ? new ExtractingLogic<>(other, extractor, onBadRow)
                : this;
    }

    /**
     * Tells a subclass how many rows a record had, before the worker takes them; does nothing here.
     */
    protected void extracted(T record, int rows) throws Exception {}

    @Override
    public void initializeState(OperatorStateStore states, boolean restored) throws Exception {
        worker.initializeState(states, restored);
    }

    @Override
    public void beforeBarrier() throws Exception {
        worker.beforeBarrier();
    }

    @Override
    public void snapshotState(Barrier barrier) throws Exception {
        worker.snapshotState(barrier);
    }

    @Override
    public void checkpointCompleted(long checkpoint) throws Exception {
        worker.checkpointCompleted(checkpoint);
    }

    @Override
    public void checkpointAborted(long checkpoint) throws Exception {
        worker.checkpointAborted(checkpoint);
    }

    @Override
    public void open(OperatorContext<O> context) throws Exception {
        worker.open(context);
    }

    @Override
    public void element(T record) throws Exception {
        RowBatchBuilder open = worker.schedule.open();
        int before = open.rows();
        int skipped = 0;
        try {
            extractor.extract(record, open);
        } catch (Exception e) {
            if (onBadRow == OnBadRow.FAIL) {
                throw new TrainingException("a record cannot be read", e);
            }
            open.abandonRow();
            skipped = 1;
        }
        if (open.openEntries() != 0) {
            throw new IllegalStateException("the row extractor has not ended its last row");
        }
        int rows = open.rows() - before;
        extracted(record, rows);
        worker.appended(rows, skipped);
    }

    @Override
    public void endOfElements() throws Exception {
        worker.endOfElements();
    }

    @Override
    public void finish() throws Exception {
        worker.finish();
    }

    @Override
    public void close() throws Exception {
        worker.close();
    }
}
