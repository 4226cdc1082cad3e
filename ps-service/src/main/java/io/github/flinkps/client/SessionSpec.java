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
 */
public record SessionSpec(
        String model,
        String run,
        long fence,
        int worker,
        int workers,
        ConsistencySpec consistency,
        Duration timeout) {
    /** The worker index of a plain client. */
    public static final int NO_WORKER = -1;
}
