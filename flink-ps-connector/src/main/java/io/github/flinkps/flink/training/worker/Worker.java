package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.CutOrigin;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.Residuals;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.service.EarlyStopping;
import io.github.flinkps.flink.service.PassBarriers;
import io.github.flinkps.flink.service.ServiceBackend;
import io.github.flinkps.flink.service.ServiceException;
import io.github.flinkps.flink.training.TrainingException;
import io.github.flinkps.flink.training.rows.BatchSchedule;
import io.github.flinkps.flink.training.rows.KeyGatherer;
import io.github.flinkps.flink.training.rows.PlannedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker: the state machine beside the mailbox that takes rows, finds the servers, moves
 * mini-batches through the {@link ExchangePipeline} and says good-bye.
 *
 * <pre>
 * SERVICE_WAIT   --registry entry--> REGISTERING (--entry led nowhere--> SERVICE_WAIT)
 * REGISTERING    --session opened--> TRAINING
 * TRAINING       one step per mail: compute the oldest pulled mini-batch, push it, pull the next
 * TRAINING       --no rows for idle-timeout--> IDLE --rows--> REJOINING --joined--> TRAINING
 * TRAINING       --pass ended, rows validate--> VALIDATING --all know the loss--> TRAINING
 * TRAINING, IDLE --input ended, schedule exhausted, pipeline empty--> DRAINING
 * DRAINING       --all operations answered--> DEREGISTERING --answered--> REPORTED (report emitted)
 * REPORTED       --all workers and the service met at the barrier--> DONE
 * any            --error, deadline--> FAILED;   any --close--> CLOSED
 * </pre>
 *
 * Only {@link #element} waits, while more rows than {@code buffer-rows} are untrained: that is
 * backpressure. All else is a step that leaves a mail for the next one, so that barriers pass
 * between two. A tick looks after rows that linger, idleness, and operations nobody answers.
 *
 * @param <O> what it emits
 */
public abstract class Worker<O> extends WorkerLifecycle<O> {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final long serialVersionUID = 1L;

    /**
     * The time after its deadline when an operation that the client has not ended counts as lost.
     */
    private static final long OVERDUE_MILLIS = 5_000;

    protected final TrainingModel model;
    final ServiceBackend backend;

    transient ExchangePipeline pipeline;
    transient BatchSchedule schedule;

    private transient boolean overtaken;
    private transient boolean idleBefore;
    private transient boolean reported;
    private transient ServiceFinder finder;
    private transient KeyGatherer gatherer;
    private transient PlannedBatch upcoming;
    private transient PassEnd passEnd;
    private transient boolean inputEnded;
    private transient boolean mailed;
    private transient int largestElement;
    private transient long lastRowsMillis;
    private transient long openSinceMillis;

    public Worker(TrainingSettings settings, TrainingModel model, ServiceBackend backend) {
        super(settings);
        this.model = model;
        this.backend = backend;
    }

    /** Trains or scores the oldest mini-batch, whose rows are there. */
    protected abstract void compute(PulledBatch pulled) throws Exception;

    /** Reports what was trained, if anything was, after the last operation has been answered. */
    protected abstract void finished() throws Exception;

    /** Does what is due on a tick; called on each while training, or idle between rows. */
    protected abstract void tick(long nowMillis);

    /**
     * Takes the verdict on a pass that has ended; all workers know what its validation rows say.
     */
    protected void passed(EarlyStopping.Verdict verdict) {}

    protected abstract BatchSchedule newSchedule(int worker);

    /**
     * Goes on from where an attempt before this one stood, with the schedule made.
     *
     * @return what the servers are to be told of cuts before anything is trained; null: nothing
     */
    CutOrigin goOn() throws Exception {
        return null;
    }

    /** Returns what filters have retained of pushes; null where none stands before them. */
    Residuals residuals() {
        return null;
    }

    /**
     * Takes the connection to the servers, which know the worker from now on; does nothing here.
     */
    void registered(ServiceFinder.Connection found) {}

    /** Returns what completes when servers defer nothing any more of what the worker has sent. */
    CompletableFuture<Void> settled() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void open(OperatorContext<O> operatorContext) throws Exception {
        begin(operatorContext);
        lastRowsMillis = context.processingTime();
        schedule = newSchedule(context.subtask());
        CutOrigin start = goOn();
        backend.open(context.taskManager());
        finder =
                new ServiceFinder(
                        settings,
                        backend,
                        model.tables(),
                        context.subtask(),
                        context.parallelism(),
                        start,
                        new FinderMails());
        finder.start();
        context.executeLater(settings.tickMillis(), this::tick);
    }

    /**
     * Takes over from an earlier attempt whether the worker was idle, and whether it has reported.
     */
    final void standAs(boolean idle, boolean hasReported) {
        idleBefore = idle;
        reported = hasReported;
    }

    /** Returns the mini-batches that are planned and not trained, oldest first. */
    final List<PlannedBatch> untrained() {
        List<PlannedBatch> untrained =
                new ArrayList<>(pipeline == null ? List.of() : pipeline.planned());
        if (upcoming != null) {
            untrained.add(upcoming);
        }
        return untrained;
    }

    /** Returns whether it rests, or did before and is not registered yet. */
    final boolean rests() {
        return state() == WorkerState.IDLE || connection == null && idleBefore;
    }

    /** Returns whether its report has been emitted. */
    final boolean hasReported() {
        return reported;
    }

    /**
     * Takes rows beyond the usual limit until a barrier comes, which may be behind them: another
     * worker, for which this one's pull waits, is deferred at it.
     */
    final void cutPending() {
        overtaken = !inputEnded;
    }

    /** Ends {@link #cutPending}: the barrier has come, or none will. */
    final void cutPassed() {
        overtaken = false;
    }

    /** Hands what the finder tells over to the task's thread. */
    private final class FinderMails implements ServiceFinder.Listener {
        @Override
        public void registering(boolean found) {
            WorkerState next = found ? WorkerState.REGISTERING : WorkerState.SERVICE_WAIT;
            context.execute(
                    () -> {
                        if (state() != next) {
                            moveTo(next);
                        }
                    },
                    "servers found");
        }

        @Override
        public void connected(ServiceFinder.Connection found) {
            context.execute(() -> register(found), "registered with the servers");
        }

        @Override
        public void failed(Exception cause) {
            context.execute(() -> fail(cause), "no servers");
        }
    }

    private void register(ServiceFinder.Connection found) throws Exception {
        if (!finder.claim()) {
            return;
        }
        connection = found;
        List<TableSpec> tables = found.tables();
        gatherer = new KeyGatherer(model, tables, found.session());
        pipeline =
                new ExchangePipeline(
                        found.session(),
                        tables,
                        settings.depth(),
                        settings.train(),
                        settings.filtered(found.session(), tables, residuals()),
                        new PipelineMails(),
                        context::processingTime);
        if (schedule.validation() != null) {
            passEnd =
                    new PassEnd(
                            found,
                            model,
                            schedule.validation(),
                            new PassBarriers(
                                    found.session(),
                                    context.parallelism(),
                                    settings.model().run(),
                                    found.fence()),
                            new EarlyStopping(settings.passes().validation()),
                            new PassMails(),
                            context::processingTime);
        }
        registered(found);
        moveTo(WorkerState.TRAINING);
        if (idleBefore) {
            rest();
        }
        advance();
    }

    private class PipelineMails implements ExchangePipeline.Owner {
        @Override
        public void execute(ExchangePipeline.Mail mail) {
            context.execute(mail::run, "operation answered");
        }

        @Override
        public void completed(boolean pulled, Throwable cause) throws Exception {
            overtaken &= !pulled;
            if (state() == WorkerState.CLOSED || state() == WorkerState.FAILED) {
                return;
            }
            if (cause != null) {
                lost(exchangeFailed(cause), cause);
            } else {
                advance();
            }
        }
    }

    private final class PassMails extends PipelineMails implements PassEnd.Owner {
        @Override
        public <T> void whenAnswered(CompletableFuture<T> future, PassEnd.Step<T> step) {
            Worker.this.whenAnswered(future, step);
        }

        @Override
        public <T> void whenMet(Supplier<CompletableFuture<T>> barrier, PassEnd.Step<T> step) {
            Worker.this.whenAnswered(barrier.get(), step, () -> whenMet(barrier, step));
        }

        @Override
        public void mailStep() {
            Worker.this.mailStep();
        }

        @Override
        public void passed(EarlyStopping.Verdict verdict) throws Exception {
            Worker.this.passed(verdict);
            schedule.resume(verdict.last());
            trainOn();
        }
    }

    @Override
    public void element(RowBatch rows) throws Exception {
        int open = schedule.openRows();
        schedule.add(rows);
        took(open, rows.rows(), rows.skippedRows(), rows.readMillis());
    }

    /** Takes rows that have been appended to the mini-batch that is filling. */
    void appended(int rows, int skipped) throws Exception {
        int open = schedule.openRows() - rows;
        schedule.appended(rows);
        took(open, rows, skipped, 0);
    }

    private void took(int openBefore, int rows, int skipped, long readMillis) throws Exception {
        lastRowsMillis = context.processingTime();
        if (openBefore == 0 || schedule.openRows() <= rows) {
            openSinceMillis = lastRowsMillis;
        }
        arrived(rows, skipped, readMillis > 0 ? readMillis : System.currentTimeMillis());
        advance();
        largestElement = Math.max(largestElement, rows);
        while (waitsForTraining() && !overtaken) {
            context.yieldToMailbox();
        }
    }

    /** Returns whether too many rows wait; those that do not fill a mini-batch wait for more. */
    private boolean waitsForTraining() {
        long waiting = schedule.waitingRows();
        return waiting > mostWaitingRows() && waiting > schedule.openRows();
    }

    /**
     * Returns how many rows may wait before backpressure begins. Readers deal their batches out in
     * turn, so that one worker may get one of each reader before another gets any. It must be able
     * to take them all: while it waits for that other worker, holding readers back would hold back
     * the rows the other needs.
     */
    private long mostWaitingRows() {
        return Math.max(
                settings.intake().bufferRows(),
                (settings.intake().readers() + 1L) * largestElement);
    }

    /**
     * Counts rows that have come, whose reading began at this wall clock, and bad ones left out.
     */
    protected abstract void arrived(int rows, int skipped, long readMillis);

    @Override
    public void endOfElements() throws Exception {
        inputEnded = true;
        overtaken = false;
        schedule.endOfInput();
        advance();
    }

    /** Trains the rows that are there, also those that do not fill a mini-batch, and waits. */
    protected final void awaitRows() throws Exception {
        schedule.flush();
        advance();
        while (hasRows()) {
            context.yieldToMailbox();
        }
    }

    /** Returns whether rows wait or are under way. */
    protected final boolean hasRows() {
        return schedule.waitingRows() > 0
                || upcoming != null
                || pipeline != null && !pipeline.isEmpty();
    }

    /** Takes one step, which computes at most one mini-batch. */
    private void advance() throws Exception {
        switch (state()) {
            case TRAINING -> train();
            case VALIDATING -> passEnd.step();
            case IDLE -> wakeUp();
            case DRAINING -> drain();
            default -> {
                // Rows wait for the servers, or nothing is left to do.
            }
        }
    }

    private void train() throws Exception {
        PulledBatch oldest = pipeline.ready();
        if (oldest != null) {
            compute(oldest);
            finish(oldest, take());
        }
        while (pipeline.hasRoom()) {
            PlannedBatch next = take();
            if (next == null) {
                break;
            }
            pipeline.pull(next);
        }
        lookAhead();
        if (pipeline.ready() != null) {
            mailStep();
        } else if (pipeline.isEmpty() && upcoming == null) {
            trainedAll();
        }
    }

    /** Goes on when all rows that have come, or all of the pass, are trained. */
    private void trainedAll() throws Exception {
        int ended = schedule.endedEpoch();
        if (ended >= 0) {
            pipeline.pushRest(settings.passes().batches().first());
            moveTo(WorkerState.VALIDATING);
            passEnd.begin(ended);
        } else if (schedule.exhausted()) {
            pipeline.pushRest(settings.passes().batches().first());
            moveTo(WorkerState.DRAINING);
            drain();
        }
    }

    private void finish(PulledBatch oldest, PlannedBatch next) throws TrainingException {
        try {
            pipeline.finish(oldest, next);
        } catch (RuntimeException e) {
            if (ServiceException.code(e) == ErrorCode.NOT_FINITE) {
                throw oldest.planned().notFinite("a gradient", context.subtask(), e);
            }
            throw e;
        }
    }

    private PlannedBatch take() throws TrainingException {
        PlannedBatch next = upcoming != null ? upcoming : schedule.next();
        upcoming = null;
        if (next != null) {
            gatherer.prepare(next.batch(), next.seed(settings.passes().seed(), context.subtask()));
        }
        return next;
    }

    /** Prepares the keys of the next mini-batch while operations are under way. */
    private void lookAhead() throws TrainingException {
        upcoming = take();
    }

    private void mailStep() {
        if (!mailed) {
            mailed = true;
            context.execute(
                    () -> {
                        mailed = false;
                        advance();
                    },
                    "next mini-batch");
        }
    }

    private void wakeUp() throws Exception {
        lookAhead();
        if (upcoming != null) {
            moveTo(WorkerState.REJOINING);
            whenAnswered(connection.session().rejoin(), joined -> trainOn());
        } else if (schedule.exhausted()) {
            moveTo(WorkerState.DRAINING);
            drain();
        }
    }

    private void trainOn() throws Exception {
        moveTo(WorkerState.TRAINING);
        advance();
    }

    private void drain() throws Exception {
        if (pipeline.inFlight() > 0) {
            return;
        }
        moveTo(WorkerState.DEREGISTERING);
        ModelSession session = connection.session();
        if (settings.train()) {
            whenAnswered(session.deregister(), done -> report());
        } else {
            report();
        }
    }

    private void report() throws Exception {
        if (!reported) {
            finished();
            reported = true;
        }
        moveTo(WorkerState.REPORTED);
        // The model may be saved when all have met: with what waits behind markers.
        whenAnswered(settled(), nothing -> meetOthers());
    }

    private void tick() throws Exception {
        if (state() == WorkerState.DONE
                || state() == WorkerState.CLOSED
                || state() == WorkerState.FAILED) {
            return;
        }
        long now = context.processingTime();
        long bound = settings.waits().timeout().toMillis() + OVERDUE_MILLIS;
        boolean answerDue =
                state() == WorkerState.REJOINING || state() == WorkerState.DEREGISTERING;
        if (pipeline != null && pipeline.stalled(bound)
                || passEnd != null && passEnd.stalled(bound)
                || answerDue && stateMillis() > bound) {
            fail(new TrainingException("the parameter servers have not answered in time"));
        }
        linger(now);
        idle(now);
        if (state() == WorkerState.TRAINING || state() == WorkerState.IDLE) {
            tick(now);
        }
        context.executeLater(settings.tickMillis(), this::tick);
    }

    private void linger(long now) throws Exception {
        long linger = settings.intake().linger().toMillis();
        if (linger > 0 && schedule.openRows() > 0 && now - openSinceMillis >= linger) {
            schedule.flush();
            advance();
        }
    }

    private void idle(long now) {
        long idleTimeout = settings.intake().idle().toMillis();
        if (state() == WorkerState.TRAINING
                && idleTimeout > 0
                && !inputEnded
                && upcoming == null
                && pipeline.isEmpty()
                && pipeline.inFlight() == 0
                && now - lastRowsMillis >= idleTimeout) {
            rest();
        }
    }

    private void rest() {
        pipeline.pushRest(settings.passes().batches().first());
        moveTo(WorkerState.IDLE);
        whenAnswered(connection.session().idle(), resting -> {});
    }

    @Override
    public void finish() throws Exception {
        switch (state()) {
            case FAILED -> throw new TrainingException("training failed", failure());
            case REPORTED, DONE -> awaitSaved(true); // all have, or do before they end
            default -> endEarly();
        }
    }

    /**
     * Trains the rows that are there once, and waits until the model is saved, which is final.
     * Called when the job is stopped with a savepoint and drained.
     */
    private void endEarly() throws Exception {
        if (schedule.endNow()) {
            LOG.warn(
                    "Training is stopped: worker {} skips what is left of its epochs",
                    context.subtask());
        }
        inputEnded = true;
        advance();
        while (state() != WorkerState.DONE) {
            context.yieldToMailbox();
        }
        awaitSaved(false);
    }

    @Override
    public void close() throws Exception {
        if (!end()) {
            return;
        }
        try {
            if (finder != null) {
                finder.close();
            }
        } finally {
            try {
                if (connection != null) {
                    connection.close();
                }
            } finally {
                if (schedule != null) {
                    schedule.close();
                }
            }
        }
    }
}
