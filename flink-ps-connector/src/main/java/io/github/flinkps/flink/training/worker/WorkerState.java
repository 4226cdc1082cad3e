package io.github.flinkps.flink.training.worker;

import java.util.EnumSet;
import java.util.Set;

/** The states of a worker; see {@link TrainingOperator} for what moves it on. */
public enum WorkerState {
    /** Looks for the servers' addresses. Rows are buffered. */
    SERVICE_WAIT,
    /** Connects and registers. Rows are buffered. */
    REGISTERING,
    /** Pulls, computes and pushes mini-batches, as many at a time as prefetching allows. */
    TRAINING,
    /** Has ended a pass and measures it with the validation rows; see {@link PassEnd}. */
    VALIDATING,
    /** Has no rows for now and has told the others not to wait. */
    IDLE,
    /** Has rows again and waits to take part again. */
    REJOINING,
    /** Has computed the last mini-batch; pushes are not yet all acknowledged. */
    DRAINING,
    /** Has no clock any more and waits for the servers to say so. */
    DEREGISTERING,
    /** Has reported; waits for the others and for the model to be saved. */
    REPORTED,
    /** Every worker has reported. */
    DONE,
    /** Has failed, and the job with it. */
    FAILED,
    /** Has been closed, and has nothing any more. */
    CLOSED;

    private Set<WorkerState> next() {
        return switch (this) {
            case SERVICE_WAIT -> EnumSet.of(REGISTERING, FAILED, CLOSED);
            case REGISTERING -> EnumSet.of(SERVICE_WAIT, TRAINING, FAILED, CLOSED);
            case TRAINING -> EnumSet.of(IDLE, VALIDATING, DRAINING, FAILED, CLOSED);
            case VALIDATING -> EnumSet.of(TRAINING, FAILED, CLOSED);
            case IDLE -> EnumSet.of(REJOINING, DRAINING, FAILED, CLOSED);
            case REJOINING -> EnumSet.of(TRAINING, FAILED, CLOSED);
            case DRAINING -> EnumSet.of(DEREGISTERING, FAILED, CLOSED);
            case DEREGISTERING -> EnumSet.of(REPORTED, FAILED, CLOSED);
            case REPORTED -> EnumSet.of(DONE, FAILED, CLOSED);
            case DONE -> EnumSet.of(FAILED, CLOSED);
            case FAILED -> EnumSet.of(CLOSED);
            case CLOSED -> EnumSet.noneOf(WorkerState.class);
        };
    }

    /**
     * Returns the state to move to, if the table of moves has it.
     *
     * @throws IllegalStateException otherwise
     */
    WorkerState moveTo(WorkerState state) {
        if (!next().contains(state)) {
            throw new IllegalStateException("a worker cannot go from " + this + " to " + state);
        }
        return state;
    }
}
