package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.CutOrigin;
import io.github.flinkps.client.Residuals;
import io.github.flinkps.client.TrafficCounters;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.internal.compat.SlotHeap;
import io.github.flinkps.flink.service.EarlyStopping;
import io.github.flinkps.flink.service.ServiceBackend;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.flink.training.TrainingException;
import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.WorkerCounts;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.flink.training.rows.BatchAssembler;
import io.github.flinkps.flink.training.rows.BatchSchedule;
import io.github.flinkps.flink.training.rows.MiniBatch;
import io.github.flinkps.flink.training.rows.PlannedBatch;
import io.github.flinkps.flink.training.rows.RowCache;
import io.github.flinkps.flink.training.rows.RowDealer;
import io.github.flinkps.flink.training.rows.SavedCache;
import io.github.flinkps.flink.training.rows.SpillingRowCache;
import io.github.flinkps.flink.training.rows.ValidationRows;
import io.github.flinkps.model.cut.CutPaths;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.util.OutputTag;

/**
 * A worker that trains: computes the gradients of each mini-batch, watches its loss, and emits a
 * {@link WorkerReport} at its end and {@link TrainingProgress} on the way.
 */
public final class TrainingOperator extends Worker<WorkerReport> {
    /** The side output of progress records. */
    public static final OutputTag<TrainingProgress> PROGRESS =
            new OutputTag<>("training-progress", TypeInformation.of(TrainingProgress.class));

    private static final long serialVersionUID = 1L;

    /** The heap is divided by this for rows, unless {@code row-memory} says how much they get. */
    private static final int ROW_SHARE = 4;

    private transient WorkerCheckpoints checkpoints;

    /**
     * The updates retained; null where no filter stands before pushes and none has retained any.
     */
    private transient Residuals residuals;

    private transient ProgressMeter meter;
    private transient Counter trainedRows;
    private transient boolean begun;
    private transient int epoch;
    private transient int verdicts;
    private transient long rows;
    private transient long skippedRows;
    private transient long firstRowMillis;
    private transient long lastProgressMillis;

    public TrainingOperator(
            TrainingSettings settings, TrainingModel model, ServiceBackend backend) {
        super(settings, model, backend);
    }

    @Override
    public TrainingOperator ofJob(String jobId) {
        return settings.isOfJob()
                ? new TrainingOperator(settings.ofJob(jobId), model, backend)
                : this;
    }

    @Override
    protected BatchSchedule newSchedule(int worker) {
        BatchSchedule schedule =
                new BatchSchedule(
                        new BatchAssembler(settings.passes().batches(), true),
                        settings.passes().epochs() > 1 ? newCache(trainingShare()) : null,
                        settings.passes().epochs(),
                        settings.passes().seed(),
                        worker);
        if (settings.cuts() != null) {
            String model = settings.cuts().publisher().directory();
            schedule.withSavedCache(new SavedCache(CutPaths.rows(model, settings.model().run())));
        }
        if (settings.passes().validation() != null) {
            schedule.withValidation(
                    new ValidationRows(
                            settings.passes().validation().share(),
                            settings.passes().seed(),
                            worker,
                            settings.passes().batches().first(),
                            newCache(settings.passes().validation().share())));
        }
        if (settings.passes().shuffle() == Shuffle.ROWS) {
            schedule.withShuffledRows(RowDealer.WINDOW_BYTES);
        }
        return model.samples() ? schedule.withNewKeysEachPass() : schedule;
    }

    private double trainingShare() {
        return settings.passes().validation() == null
                ? 1
                : 1 - settings.passes().validation().share();
    }

    /** Makes a cache for a share of the rows. */
    private RowCache newCache(double share) {
        long all =
                settings.intake().rowMemory() == null
                        ? SlotHeap.bytes(context.taskManager()) / ROW_SHARE
                        : settings.intake().rowMemory();
        return new SpillingRowCache((long) (all * share), context.temporaryFolder());
    }

    @Override
    public void open(OperatorContext<WorkerReport> operatorContext) throws Exception {
        boolean samples = !settings.waits().progress().isZero();
        meter =
                new ProgressMeter(
                        model, operatorContext.subtask(), settings.passes().epochs(), samples);
        trainedRows = operatorContext.metrics().counter("trainedRows");
        lastProgressMillis = operatorContext.processingTime();
        super.open(operatorContext);
    }

    @Override
    public void initializeState(OperatorStateStore states, boolean restored) throws Exception {
        checkpoints = WorkerCheckpoints.of(states, restored);
    }

    @Override
    CutOrigin goOn() throws Exception {
        checkpoints = checkpoints == null ? WorkerCheckpoints.none() : checkpoints;
        CutOrigin start = checkpoints.open(settings, context);
        WorkerStore.Snapshot before = checkpoints.takeBefore();
        if (before != null) {
            goOnFrom(before);
        }
        residuals = settings.residuals(model.tables(), before);
        return start;
    }

    private void goOnFrom(WorkerStore.Snapshot before) throws Exception {
        try {
            schedule.restore(before.schedule());
        } catch (IOException e) {
            throw checkpoints.withoutRows(e);
        }
        restore(before.counts());
        standAs(before.idle(), before.reported());
    }

    @Override
    Residuals residuals() {
        return residuals;
    }

    @Override
    void registered(ServiceFinder.Connection found) {
        checkpoints.registered(found, () -> context.execute(this::cutPending, "cut pending"));
    }

    @Override
    CompletableFuture<Void> settled() {
        return checkpoints.settled();
    }

    @Override
    public void snapshotState(Barrier barrier) throws Exception {
        cutPassed();
        checkpoints.snapshot(barrier, new StateNow(), context);
    }

    private final class StateNow implements WorkerCheckpoints.SnapshotSource {
        @Override
        public WorkerStore.Snapshot now() throws TrainingException {
            return new WorkerStore.Snapshot(
                    context.subtask(),
                    context.parallelism(),
                    schedule.save(untrained()),
                    rests(),
                    hasReported(),
                    counts(),
                    residuals == null ? List.of() : residuals.save());
        }

        @Override
        public boolean leavesPasses() {
            return schedule.isStopped();
        }
    }

    @Override
    public void checkpointCompleted(long checkpoint) {
        checkpoints.completed(checkpoint);
    }

    @Override
    public void checkpointAborted(long checkpoint) {
        cutPassed();
        checkpoints.aborted(checkpoint);
    }

    @Override
    public void close() throws Exception {
        if (checkpoints != null) {
            checkpoints.close();
        }
        super.close();
    }

    @Override
    double[] told() {
        WorkerCounts counts = counts();
        return new double[] {counts.trainedRows(), counts.lossSum(), counts.weightSum()};
    }

    private WorkerCounts counts() {
        LossCurve losses = meter.losses();
        int epochs = settings.passes().epochs();
        return new WorkerCounts(
                rows,
                skippedRows,
                firstRowMillis,
                epoch,
                meter.rows(),
                meter.computeNanos(),
                losses.lossSums(epochs),
                losses.weightSums(epochs),
                losses.batchesOfPasses());
    }

    private void restore(WorkerCounts before) {
        rows = before.rows();
        skippedRows = before.skippedRows();
        firstRowMillis = before.firstRowMillis();
        epoch = before.epoch();
        meter.restore(before);
        trainedRows.inc(before.trainedRows());
    }

    @Override
    protected void arrived(int more, int skipped, long readMillis) {
        if (rows == 0) {
            firstRowMillis = readMillis;
        }
        rows += more;
        skippedRows += skipped;
    }

    @Override
    protected void compute(PulledBatch pulled) throws Exception {
        PlannedBatch planned = pulled.planned();
        MiniBatch batch = planned.batch();
        if (!begun) {
            begun = true;
            begin();
        }
        endEpochs(planned.epoch());
        meter.beforeTraining(pulled);
        long begun = System.nanoTime();
        pulled.clearGradients();
        double loss = model.gradients(batch.rows, batch.from, batch.to, pulled, pulled.gradients());
        long nanos = System.nanoTime() - begun;
        if (!Double.isFinite(loss)) {
            throw planned.notFinite("the loss", context.subtask(), null);
        }
        meter.trained(planned, loss, nanos);
        trainedRows.inc(batch.size());
    }

    @Override
    protected void passed(EarlyStopping.Verdict verdict) {
        verdicts++;
        meter.validated(verdict);
        emitProgress(true);
        epoch++;
    }

    /** Says that training begins, so that its speed can be told from the first pass on. */
    private void begin() {
        if (!settings.waits().progress().isZero()) {
            emitProgress(false);
        }
    }

    /** Ends the passes before this one, and emits the last progress of each. */
    private void endEpochs(int before) {
        while (epoch < before) {
            emitProgress(true);
            epoch++;
        }
    }

    private void emitProgress(boolean endOfEpoch) {
        context.emit(PROGRESS, meter.progress(epoch, endOfEpoch, connection));
    }

    @Override
    protected void tick(long nowMillis) {
        long interval = settings.waits().progress().toMillis();
        boolean due = interval > 0 && nowMillis - lastProgressMillis >= interval;
        if (due && epoch < settings.passes().epochs()) {
            lastProgressMillis = nowMillis;
            emitProgress(false);
        }
    }

    @Override
    protected void finished() {
        int epochs = verdicts;
        if (settings.passes().validation() == null) {
            epochs = schedule.passes();
            endEpochs(epochs - 1);
            emitProgress(true);
        }
        LossCurve losses = meter.losses();
        TrafficCounters traffic = connection.client().traffic();
        context.emit(
                new WorkerReport(
                        context.subtask(),
                        context.parallelism(),
                        rows,
                        schedule.validation() == null ? 0 : schedule.validation().rows(),
                        skippedRows,
                        epochs,
                        losses.batches(),
                        losses.lossSums(epochs),
                        losses.weightSums(epochs),
                        losses.validationLosses(),
                        traffic.bytesSent(),
                        traffic.bytesReceived(),
                        pipeline.pushedRows(),
                        pipeline.retainedRows(),
                        firstRowMillis,
                        pipeline.acknowledgedMillis(),
                        meter.computeNanos()));
    }
}
