package io.github.flinkps.common;

/** A failure of the parameter service, with its code; the message says what to change. */
public class PsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /**
     * Makes a failure. One that is tried again has no stack trace: it is part of normal work, and
     * may come once a mini-batch.
     */
    public PsException(ErrorCode code, String message) {
        super(message, null, true, !code.retriable());
        this.code = code;
    }

    public PsException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /**
     * Returns what was thrown as an error with a code: itself if it has one, else INVALID_ARGUMENT
     * or INTERNAL, with what was thrown as its cause.
     */
    public static PsException of(Throwable thrown) {
        if (thrown instanceof PsException known) {
            return known;
        }
        return thrown instanceof IllegalArgumentException
                ? new PsException(ErrorCode.INVALID_ARGUMENT, thrown.getMessage(), thrown)
                : new PsException(ErrorCode.INTERNAL, String.valueOf(thrown), thrown);
    }

    public ErrorCode code() {
        return code;
    }

    /** Returns whether the same operation may succeed later. */
    public boolean retriable() {
        return code.retriable();
    }
}
