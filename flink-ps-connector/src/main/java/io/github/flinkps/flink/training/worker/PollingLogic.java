package io.github.flinkps.flink.training.worker;

import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.internal.compat.OperatorLogic;
import io.github.flinkps.flink.training.WorkerReport;

/**
 * Looks for what training has saved: behind the workers, so that their end means that all of it is
 * there. One subtask.
 *
 * @param <O> what it tells of
 */
public abstract class PollingLogic<O> implements OperatorLogic<WorkerReport, O> {
    private static final long serialVersionUID = 1L;
    private static final long LOOK_MILLIS = 200;

    private final boolean onTheWay;
    private transient OperatorContext<O> context;

    /**
     * @param onTheWay whether it looks before the end, too
     */
    protected PollingLogic(boolean onTheWay) {
        this.onTheWay = onTheWay;
    }

    /** Emits what is there and was not told of; on the task's thread. */
    protected abstract void look() throws Exception;

    /** Returns the context of the task. */
    protected final OperatorContext<O> context() {
        return context;
    }

    @Override
    public void open(OperatorContext<O> operatorContext) {
        context = operatorContext;
        if (onTheWay) {
            context.executeLater(LOOK_MILLIS, this::tick);
        }
    }

    private void tick() throws Exception {
        look();
        context.executeLater(LOOK_MILLIS, this::tick);
    }

    @Override
    public void element(WorkerReport report) {}

    @Override
    public void endOfElements() {}

    @Override
    public void finish() throws Exception {
        look();
    }

    @Override
    public void close() {}
}
