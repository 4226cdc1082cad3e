package io.github.flinkps.flink.training.worker;

import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.internal.compat.OperatorLogic;
import io.github.flinkps.flink.service.DoneBarrier;
import io.github.flinkps.flink.service.ServiceException;
import io.github.flinkps.flink.training.TrainingException;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life cycle of a worker: the state it is in, what fails it, and how answers come back to the
 * task's thread.
 *
 * @param <O> what it emits
 */
abstract class WorkerLifecycle<O> implements OperatorLogic<RowBatch, O> {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLifecycle.class);
    private static final long serialVersionUID = 1L;

    /** The time for which a worker that has lost its servers waits for the end of its task. */
    private static final long LOST_MILLIS = 8_000;

    protected final TrainingSettings settings;

    protected transient OperatorContext<O> context;

    /** The connection to the servers; null until they are found. */
    protected transient ServiceFinder.Connection connection;

    private transient WorkerState state;
    private transient boolean awaitsSaved;
    private transient boolean saved;
    private transient Throwable unsaved;
    private transient long stateSinceMillis;
    private transient Throwable failure;

    WorkerLifecycle(TrainingSettings settings) {
        this.settings = settings;
    }

    /** Begins the worker with its task: it waits for the service. */
    void begin(OperatorContext<O> operatorContext) {
        context = operatorContext;
        state = WorkerState.SERVICE_WAIT;
        stateSinceMillis = context.processingTime();
    }

    /**
     * Ends the worker with its task, whatever its state. Returns false if it had not begun or had
     * ended before.
     */
    boolean end() {
        boolean open = state != null && state != WorkerState.CLOSED;
        state = open ? WorkerState.CLOSED : state;
        return open;
    }

    /** Returns how long it has been in its state. */
    long stateMillis() {
        return context.processingTime() - stateSinceMillis;
    }

    /** Returns what it failed with, or null. */
    protected final Throwable failure() {
        return failure;
    }

    /** Returns the state of the worker. */
    WorkerState state() {
        return state;
    }

    TrainingException exchangeFailed(Throwable cause) {
        return TrainingException.lostExchange(
                context.subtask(), settings.pace().consistency(), ServiceException.unwrap(cause));
    }

    <T> void whenAnswered(CompletableFuture<T> future, PassEnd.Step<T> step) {
        whenAnswered(future, step, null);
    }

    /**
     * @param again what to do where others are not there yet; null: that is a failure
     */
    <T> void whenAnswered(CompletableFuture<T> future, PassEnd.Step<T> step, Runnable again) {
        future.whenComplete(
                (answer, cause) ->
                        context.execute(() -> answered(answer, cause, step, again), "answered"));
    }

    private <T> void answered(T answer, Throwable cause, PassEnd.Step<T> step, Runnable again)
            throws Exception {
        if (state == WorkerState.CLOSED || state == WorkerState.FAILED) {
            return;
        }
        if (cause != null && again != null && DoneBarrier.mustEnterAgain(cause)) {
            again.run();
            return;
        }
        if (cause != null) {
            lost(exchangeFailed(cause), cause);
        } else {
            step.run(answer);
        }
    }

    void moveTo(WorkerState next) {
        LOG.debug("Worker {}: {} to {}", context.subtask(), state, next);
        state = state.moveTo(next);
        stateSinceMillis = context.processingTime();
    }

    /**
     * Fails the worker, whose operation has failed: after a while if the servers have gone and the
     * job takes checkpoints. When a job is stopped with a savepoint servers may go before the
     * worker is told to: then it ends, or its timers do, before it fails.
     */
    void lost(TrainingException failed, Throwable cause) throws Exception {
        boolean gone =
                switch (ServiceException.code(cause)) {
                    case DISCONNECTED, CLOSED -> true;
                    default -> false;
                };
        if (gone && settings.train() && settings.cuts().enabled()) {
            LOG.info("Worker {} has lost the servers: {}", context.subtask(), failed.getMessage());
            context.executeLater(LOST_MILLIS, () -> fail(failed));
        } else {
            fail(failed);
        }
    }

    void fail(Throwable cause) throws Exception {
        if (state == WorkerState.CLOSED || state == WorkerState.FAILED) {
            return;
        }
        moveTo(WorkerState.FAILED);
        failure = cause;
        throw cause instanceof Exception e ? e : new TrainingException("training failed", cause);
    }

    /**
     * Returns what the others learn of the worker at the end, as {@link DoneBarrier#enter} takes
     * it.
     */
    double[] told() {
        return new double[0];
    }

    /** Enters the barrier at which all workers and the service meet. */
    void meetOthers() {
        new DoneMeeting(
                        connection.session(),
                        context.parallelism(),
                        settings.model().run(),
                        connection.fence(),
                        new MeetingMails())
                .enter();
    }

    private final class MeetingMails implements DoneMeeting.Owner {
        @Override
        public void execute(ExchangePipeline.Mail mail) {
            context.execute(mail::run, "workers met");
        }

        @Override
        public double[] told() {
            return WorkerLifecycle.this.told();
        }

        @Override
        public boolean attends() {
            return state == WorkerState.REPORTED || state == WorkerState.DONE;
        }

        @Override
        public void met() {
            if (state == WorkerState.REPORTED) {
                moveTo(WorkerState.DONE);
                meetSaved();
            }
        }

        @Override
        public void missed(Throwable cause) {
            if (state == WorkerState.REPORTED) {
                // The servers may have gone because all is over: then input 2 ends soon.
                context.executeLater(
                        settings.waits().timeout().toMillis(),
                        () -> WorkerLifecycle.this.missed(cause));
            }
        }
    }

    private void missed(Throwable cause) throws Exception {
        if (state == WorkerState.REPORTED) {
            fail(exchangeFailed(cause));
        }
    }

    /**
     * Waits until the model is saved: where the job is drained the service ends with this task, and
     * would not have the time.
     *
     * @param over whether training may be over for the service, too: servers that are gone have
     *     been told to go then
     */
    void awaitSaved(boolean over) throws Exception {
        if (state == WorkerState.REPORTED) {
            moveTo(WorkerState.DONE);
        }
        if (!awaitsSaved) {
            meetSaved();
        }
        while (!saved && unsaved == null) {
            context.yieldToMailbox();
        }
        if (!saved && !over) {
            fail(exchangeFailed(unsaved));
        }
    }

    private void meetSaved() {
        awaitsSaved = true;
        DoneBarrier.saved(
                        connection.session(),
                        context.parallelism(),
                        settings.model().run(),
                        connection.fence())
                .whenComplete(
                        (nothing, cause) -> context.execute(() -> metSaved(cause), "model saved"));
    }

    private void metSaved(Throwable cause) {
        if (cause == null) {
            saved = true;
        } else if (state == WorkerState.DONE && DoneBarrier.mustEnterAgain(cause)) {
            meetSaved();
        } else {
            unsaved = cause;
        }
    }
}
