package io.github.flinkps.harness.oracle;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Stands behind each reader. It lets numbers through at a pace that leaves time for faults, notes
 * which ones came before each barrier, and holds barriers back. Belongs to the task's thread.
 */
final class OracleGate extends AbstractStreamOperator<Long>
        implements OneInputStreamOperator<Long, Long> {
    /** The name of the notes of barriers. */
    static final String NOTE = "read";

    /** The name, instead of a checkpoint's, for all that a reader has read at its end. */
    static final String END = "end";

    /** A number at which a worker fails. */
    static final long FAILING = -1;

    private static final long serialVersionUID = 1L;

    private final OracleHooks hooks;
    private final long count;
    private final boolean once;
    private transient OracleTaken taken;
    private transient Intervals seen;
    private transient ListState<long[]> saved;
    private transient boolean failed;

    /**
     * @param count of numbers
     * @param once whether numbers that an attempt has read come to no later one
     */
    OracleGate(OracleHooks hooks, long count, boolean once) {
        this.hooks = hooks;
        this.count = count;
        this.once = once;
        // In the reader's task: behind an edge barriers would wait for all that is buffered there.
        this.chainingStrategy = ChainingStrategy.ALWAYS;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        seen = new Intervals();
        taken = once ? new OracleTaken(hooks.taken()) : null;
        saved =
                context.getOperatorStateStore()
                        .getListState(
                                new ListStateDescriptor<>(
                                        "oracle-read",
                                        PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO));
        seen.addAll(saved.get());
        if (context.getRestoredCheckpointId().isPresent()) {
            long checkpoint = context.getRestoredCheckpointId().getAsLong();
            seen.addAll(EndedReaders.before(hooks, job(), checkpoint, subtask()).list());
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        saved.update(seen.list());
    }

    @Override
    public void processElement(StreamRecord<Long> element) throws Exception {
        if (taken != null && !taken.take(element.getValue())) {
            return;
        }
        if (!hooks.maySourceEnd()) {
            OracleHooks.pause(millis((double) element.getValue() / count));
        }
        seen.add(element.getValue());
        output.collect(element);
    }

    /** Returns a longer time the nearer the end, so that it does not come before it may. */
    private static long millis(double done) {
        return done < .5 ? 1 : done < .8 ? 15 : 60;
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpoint) throws Exception {
        super.prepareSnapshotPreBarrier(checkpoint);
        hooks.note(name(Long.toString(checkpoint), subtask()), seen.write());
        int readers = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
        if (subtask() != readers - 1) {
            return;
        }
        OracleHooks.Answer answer = OracleHooks.Answer.GO;
        if (hooks.isArmed(Phase.ALIGNING)) {
            answer = hooks.at(Phase.ALIGNING, null, this::failWorker);
        } else if (readers > 1 && hooks.isArmed(Phase.DEFERRED)) {
            answer = hooks.at(Phase.DEFERRED, () -> othersHavePassed(checkpoint), this::failWorker);
        }
        if (answer != OracleHooks.Answer.GO) {
            throw new IOException("the oracle fails a task at a barrier");
        }
    }

    /** Returns whether a worker has sent its marker. The one behind this reader has not. */
    private boolean othersHavePassed(long checkpoint) {
        for (int worker = 0; worker < subtask(); worker++) {
            String name =
                    OracleHooks.name(job(), Long.toString(checkpoint), OracleState.NOTE, worker);
            if (Files.exists(hooks.noted(name))) {
                return true;
            }
        }
        return false;
    }

    /** Fails the worker behind the barrier that is held back, once, if one is to fail. */
    private void failWorker() {
        if (!failed && hooks.workerFailureIsDue()) {
            failed = true;
            output.collect(new StreamRecord<>(FAILING));
        }
    }

    @Override
    public void finish() throws Exception {
        super.finish();
        hooks.note(name(END, subtask()), seen.write());
    }

    @Override
    public void close() throws Exception {
        if (taken != null) {
            taken.close();
        }
        super.close();
    }

    private int subtask() {
        return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    }

    private String job() {
        return getRuntimeContext().getJobInfo().getJobId().toString();
    }

    private String name(String checkpoint, int subtask) {
        return OracleHooks.name(job(), checkpoint, NOTE, subtask);
    }
}
