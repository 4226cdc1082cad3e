package io.github.flinkps.flink.internal.compat;

import java.io.Serializable;
import org.apache.flink.api.common.state.OperatorStateStore;

/**
 * The logic of an operator, without Flink's internal types. Input 1 carries records. Input 2, if
 * there is one, carries nothing unless it is a {@link SecondInput}. Every method is called on the
 * task's thread, which is that of the mailbox.
 *
 * @param <I> records of input 1
 * @param <O> records emitted
 */
public interface OperatorLogic<I, O> extends Serializable {
    /**
     * Returns what does the work in a job, before all else: itself, unless jobs that run the same
     * graph at a time must not meet.
     */
    default OperatorLogic<I, O> ofJob(String jobId) {
        return this;
    }

    /**
     * Takes the state of the operator, from a checkpoint or empty. Called before {@link #open}. A
     * logic without state refuses a checkpoint's.
     *
     * @param restored whether the job goes on from a checkpoint or savepoint
     */
    default void initializeState(OperatorStateStore states, boolean restored) throws Exception {
        if (restored) {
            throw new IllegalStateException(
                    "this operator cannot start from a checkpoint or savepoint: it has no state");
        }
    }

    /**
     * Prepares for a checkpoint whose barrier has come and has not gone on: what is emitted now is
     * still before it. May wait by {@link OperatorContext#yieldToMailbox}.
     */
    default void beforeBarrier() throws Exception {}

    /**
     * Puts the state into the state store when the barrier of a checkpoint has come. What the store
     * holds when this returns is written while the task goes on. Must not wait.
     */
    default void snapshotState(Barrier barrier) throws Exception {}

    /** Tells that a checkpoint is complete, maybe others before it too that are not told of. */
    default void checkpointCompleted(long checkpoint) throws Exception {}

    /** Tells that a checkpoint was aborted, maybe before its barrier came. */
    default void checkpointAborted(long checkpoint) throws Exception {}

    /** Starts the logic; must not wait. */
    void open(OperatorContext<O> context) throws Exception;

    /**
     * Takes a record of input 1. May wait by {@link OperatorContext#yieldToMailbox}: backpressure.
     */
    void element(I record) throws Exception;

    /** Takes a watermark of input 1, and emits it at once unless the logic holds records back. */
    default void watermark(long timestamp, OperatorContext<O> context) throws Exception {
        context.emitWatermark(timestamp);
    }

    /**
     * Tells that input 1 has no records for now (true), or again (false); emits it at once, as
     * watermarks.
     */
    default void idleness(boolean idle, OperatorContext<O> context) throws Exception {
        context.emitIdleness(idle);
    }

    /**
     * Tells that input 1 has ended. Must not wait, as checkpoints still pass. The logic of an
     * operator without a second input may wait in jobs that take no checkpoints.
     */
    void endOfElements() throws Exception;

    /**
     * Ends the work when both inputs have ended; nothing is emitted after it. Not called when the
     * task fails or is cancelled.
     */
    void finish() throws Exception;

    /** Releases everything, after a failure and without {@link #open} too; idempotent. */
    void close() throws Exception;
}
