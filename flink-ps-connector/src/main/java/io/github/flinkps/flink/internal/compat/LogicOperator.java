package io.github.flinkps.flink.internal.compat;

import java.nio.file.Path;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.taskmanager.TaskManagerRuntimeInfo;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorV2;
import org.apache.flink.streaming.api.operators.OperatorSnapshotFutures;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.function.ThrowingRunnable;

/**
 * Runs an {@link OperatorLogic}, which sees the records and watermarks of one input and their
 * status; its latency markers are forwarded. (AbstractStreamOperatorV2 is there in Flink 1.20 and
 * 2.x alike; it only lacks the key-context methods, which are empty here: no keys.)
 */
abstract class LogicOperator<I, O> extends AbstractStreamOperatorV2<O>
        implements OperatorContext<O> {
    private static final long serialVersionUID = 1L;

    final OperatorLogic<I, O> logic;
    private final transient MailboxExecutor mailbox;
    private final transient TaskManagerRuntimeInfo taskManager;
    private final StreamRecord<O> emitted = new StreamRecord<>(null);
    private long timestamp = NO_TIMESTAMP;
    private transient Barrier barrier;
    private boolean closed;

    LogicOperator(StreamOperatorParameters<O> parameters, OperatorLogic<I, O> logic, int inputs) {
        super(parameters, inputs);
        this.logic = logic;
        this.mailbox = parameters.getMailboxExecutor();
        this.taskManager = parameters.getContainingTask().getEnvironment().getTaskManagerInfo();
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        logic.initializeState(context.getOperatorStateStore(), context.isRestored());
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpoint) throws Exception {
        super.prepareSnapshotPreBarrier(checkpoint);
        logic.beforeBarrier();
    }

    @Override
    public OperatorSnapshotFutures snapshotState(
            long checkpoint,
            long checkpointTimestamp,
            CheckpointOptions options,
            CheckpointStreamFactory streams)
            throws Exception {
        boolean savepoint = options.getCheckpointType().isSavepoint();
        barrier = new Barrier(checkpoint, checkpointTimestamp, savepoint);
        return super.snapshotState(checkpoint, checkpointTimestamp, options, streams);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        logic.snapshotState(barrier);
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) throws Exception {
        super.notifyCheckpointComplete(checkpoint);
        logic.checkpointCompleted(checkpoint);
    }

    @Override
    public void notifyCheckpointAborted(long checkpoint) throws Exception {
        super.notifyCheckpointAborted(checkpoint);
        logic.checkpointAborted(checkpoint);
    }

    @Override
    public void open() throws Exception {
        super.open();
        logic.open(this);
    }

    final void element(StreamRecord<I> element) throws Exception {
        timestamp = element.hasTimestamp() ? element.getTimestamp() : NO_TIMESTAMP;
        logic.element(element.getValue());
    }

    final void watermark(Watermark mark) throws Exception {
        logic.watermark(mark.getTimestamp(), this);
    }

    final void idleness(WatermarkStatus status) throws Exception {
        logic.idleness(status.isIdle(), this);
    }

    final void latency(LatencyMarker marker) {
        reportOrForwardLatencyMarker(marker);
    }

    final void attributes(RecordAttributes attributes) {
        output.emitRecordAttributes(attributes);
    }

    @Override
    public void finish() throws Exception {
        logic.finish();
        super.finish();
    }

    @Override
    public void close() throws Exception {
        if (closed) {
            return;
        }
        closed = true;
        try {
            logic.close();
        } finally {
            super.close();
        }
    }

    @Override
    public String jobId() {
        return getRuntimeContext().getJobInfo().getJobId().toString();
    }

    @Override
    public int subtask() {
        return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    @Override
    public int parallelism() {
        return getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    }

    @Override
    public MetricGroup metrics() {
        return getMetricGroup();
    }

    @Override
    public void count(String accumulator, long more) {
        getRuntimeContext().getLongCounter(accumulator).add(more);
    }

    @Override
    public Path temporaryFolder() {
        String[] folders = taskManager.getTmpDirectories();
        return Path.of(folders[subtask() % folders.length]);
    }

    @Override
    public Configuration taskManager() {
        return taskManager.getConfiguration();
    }

    @Override
    public long timestamp() {
        return timestamp;
    }

    @Override
    public void emit(O record, long recordTimestamp) {
        if (recordTimestamp == NO_TIMESTAMP) {
            emitted.eraseTimestamp();
            output.collect(emitted.replace(record));
        } else {
            output.collect(emitted.replace(record, recordTimestamp));
        }
    }

    @Override
    public void emitWatermark(long markTimestamp) {
        output.emitWatermark(new Watermark(markTimestamp));
    }

    @Override
    public void emitIdleness(boolean idle) {
        output.emitWatermarkStatus(idle ? WatermarkStatus.IDLE : WatermarkStatus.ACTIVE);
    }

    @Override
    public <X> void emit(OutputTag<X> tag, X record) {
        output.collect(tag, new StreamRecord<>(record));
    }

    @Override
    public void execute(ThrowingRunnable<? extends Exception> mail, String description) {
        try {
            mailbox.execute(mail, description);
        } catch (RejectedExecutionException late) {
            LOG.debug("The task has ended; dropped: {}", description);
        }
    }

    @Override
    public void executeLater(long millis, ThrowingRunnable<? extends Exception> mail) {
        getProcessingTimeService()
                .registerTimer(
                        getProcessingTimeService().getCurrentProcessingTime() + millis,
                        timestamp -> mail.run());
    }

    @Override
    public long processingTime() {
        return getProcessingTimeService().getCurrentProcessingTime();
    }

    @Override
    public void yieldToMailbox() throws Exception {
        mailbox.yield();
    }
}
