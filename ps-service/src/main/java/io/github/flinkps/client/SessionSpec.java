package io.github.flinkps.client;

import io.github.flinkps.common.ConsistencySpec;
import java.time.Duration;

/**
 * The registration of a session with a model.
 *
 * @param model name of the model
 * @param run identity of the job over all its attempts
 * @param fence identity of the attempt: servers refuse sessions and operations of a lower one. What
 *     {@link ParameterClient#grantFence} gave, or a number of one's own above all before it; 0 for
 *     a plain client that belongs to no attempt
 * @param worker index of the worker, or {@link #NO_WORKER} for a plain client
 * @param workers number of workers of the job, at least 1
 * @param consistency of the model; must be the same in all sessions
 * @param timeout default deadline of each operation, retries included
 * @param encodings of the values that travel
 */
public record SessionSpec(
        String model,
        String run,
        long fence,
        int worker,
        int workers,
        ConsistencySpec consistency,
        Duration timeout,
        ValueEncodings encodings) {
    /** The worker index of a plain client. */
    public static final int NO_WORKER = -1;

    /** Makes the registration of a session whose values are not rounded on their way. */
    public SessionSpec(
            String model,
            String run,
            long fence,
            int worker,
            int workers,
            ConsistencySpec consistency,
            Duration timeout) {
        this(model, run, fence, worker, workers, consistency, timeout, ValueEncodings.EXACT);
    }

    /** Returns a copy with other encodings of values. */
    public SessionSpec withEncodings(ValueEncodings others) {
        return new SessionSpec(model, run, fence, worker, workers, consistency, timeout, others);
    }
}
