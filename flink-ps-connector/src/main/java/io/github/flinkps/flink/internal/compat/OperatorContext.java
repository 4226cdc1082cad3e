package io.github.flinkps.flink.internal.compat;

import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.OutputTag;
import org.apache.flink.util.function.ThrowingRunnable;

/**
 * The view that an {@link OperatorLogic} has of its task.
 *
 * @param <O> records emitted
 */
public interface OperatorContext<O> {
    /** The timestamp of a record that has none. */
    long NO_TIMESTAMP = Long.MIN_VALUE;

    /** Returns the identity of the job, the same over all its attempts. */
    String jobId();

    int subtask();

    int parallelism();

    MetricGroup metrics();

    /** Adds to a number of the job's result; on the task's thread only. */
    void count(String accumulator, long more);

    /** Returns a folder of the TaskManager for files that end with the task. */
    Path temporaryFolder();

    /** Returns the configuration of the TaskManager. */
    Configuration taskManager();

    /** Returns the timestamp of the record of input 1 that is at hand, or {@link #NO_TIMESTAMP}. */
    long timestamp();

    /** Emits a record without a timestamp; on the task's thread only. */
    default void emit(O record) {
        emit(record, NO_TIMESTAMP);
    }

    /** Emits a record; on the task's thread only. */
    void emit(O record, long timestamp);

    /** Emits a watermark; on the task's thread only. */
    void emitWatermark(long timestamp);

    /** Tells that no records come for now (true), or again (false); on the task's thread only. */
    void emitIdleness(boolean idle);

    /** Emits a record of a side output; on the task's thread only. */
    <X> void emit(OutputTag<X> tag, X record);

    /**
     * Runs {@code mail} on the task's thread, between two records or in a wait of {@link
     * #yieldToMailbox}. From any thread; a mail that comes after the end is dropped. What it throws
     * fails the task.
     */
    void execute(ThrowingRunnable<? extends Exception> mail, String description);

    /** Runs {@code mail} on the task's thread once the milliseconds have passed. */
    void executeLater(long millis, ThrowingRunnable<? extends Exception> mail);

    /** Returns the clock of {@link #executeLater}, milliseconds. */
    long processingTime();

    /** Waits for a mail and runs it; ends with an exception when the task is cancelled. */
    void yieldToMailbox() throws Exception;
}
