package io.github.flinkps.flink.training;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.flink.service.ServiceException;

/** Training cannot go on; the message says where it stopped and what to change. */
public final class TrainingException extends Exception {
    private static final long serialVersionUID = 1L;

    public TrainingException(String message) {
        super(message);
    }

    public TrainingException(String message, Throwable cause) {
        super(cause == null ? message : message + ": " + reason(cause), cause);
    }

    private static String reason(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Returns the failure of a worker whose operation at the servers has failed. */
    public static TrainingException lostExchange(
            int worker, ConsistencySpec consistency, Throwable cause) {
        String advice =
                ServiceException.code(cause) == ErrorCode.NOT_READY
                        ? " (a worker lags behind; consistency "
                                + consistency.kind()
                                + " waits for it at most timeout)"
                        : "";
        return new TrainingException(
                "worker " + worker + " lost its exchange with the parameter servers" + advice,
                cause);
    }
}
