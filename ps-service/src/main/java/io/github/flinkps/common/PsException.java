package io.github.flinkps.common;

/** A failure of the parameter service, with its code; the message says what to change. */
public class PsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public PsException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    public PsException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }

    /** Returns whether the same operation may succeed later. */
    public boolean retriable() {
        return code.retriable();
    }
}
