package io.github.flinkps.flink.training;

/** Training cannot go on; the message says where it stopped and what to change. */
public final class TrainingException extends Exception {
    private static final long serialVersionUID = 1L;

    TrainingException(String message) {
        super(message);
    }

    TrainingException(String message, Throwable cause) {
        super(message + ": " + reason(cause), cause);
    }

    private static String reason(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
