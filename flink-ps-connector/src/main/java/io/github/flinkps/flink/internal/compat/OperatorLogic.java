package io.github.flinkps.flink.internal.compat;

import java.io.Serializable;

/**
 * What an operator with two inputs does, without Flink's internal types: input 1 carries records,
 * input 2 nothing. Every method is called on the task's thread, which is that of the mailbox.
 *
 * @param <I> records of input 1
 * @param <O> records emitted
 */
public interface OperatorLogic<I, O> extends Serializable {
    /** Starts; must not wait. */
    void open(OperatorContext<O> context) throws Exception;

    /** A record of input 1. May wait by {@link OperatorContext#yieldToMailbox}: backpressure. */
    void element(I record) throws Exception;

    /** A watermark of input 1, which goes on at once unless the logic holds records back. */
    default void watermark(long timestamp, OperatorContext<O> context) throws Exception {
        context.emitWatermark(timestamp);
    }

    /** Input 1 has no records for now, or again; goes on at once as watermarks do. */
    default void idleness(boolean idle, OperatorContext<O> context) throws Exception {
        context.emitIdleness(idle);
    }

    /** Input 1 has ended. Must not wait: checkpoints still pass. */
    void endOfElements() throws Exception;

    /**
     * Both inputs have ended, and no more will be emitted after it. Not called when the task fails
     * or is cancelled.
     */
    void finish() throws Exception;

    /** Releases everything, after a failure and without {@link #open} too; idempotent. */
    void close() throws Exception;
}
