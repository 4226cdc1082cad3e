package io.github.flinkps.client;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;

/**
 * An entry of a session's log that a server may not have taken. Nothing behind it would ever take
 * effect there, so that later entries are refused at once. Guarded by the session's monitor.
 */
final class LogGap {
    private PsException cause;

    /** Returns why no further entry can be sent, in an exception of its own; null: one can. */
    PsException refusal() {
        return cause == null ? null : new PsException(cause.code(), cause.getMessage(), cause);
    }

    /** Notes that an entry of an operation may be missing; the first counts. */
    void open(ExchangeOperation operation, PsException error) {
        if (cause == null) {
            cause =
                    new PsException(
                            error.code(),
                            "operation "
                                    + operation.timestamp()
                                    + " of this session has failed, and what follows it"
                                    + " cannot take effect; open a new session: "
                                    + error.getMessage(),
                            error);
        }
    }

    /**
     * Returns whether an entry that failed may have no position at its server: it has one if it was
     * refused for what it says, which happens in its turn.
     */
    static boolean mayBeMissing(ExchangeMessage message, ErrorCode code) {
        return switch (code) {
            case INTERNAL,
                    INVALID_ARGUMENT,
                    KEY_OUT_OF_RANGE,
                    MALFORMED,
                    NOT_FINITE,
                    NOT_OWNER,
                    TABLE_FULL,
                    UNKNOWN_TABLE ->
                    false;
            // A worker's entry has had its turn when its pulls wait; nobody else's is taken while a
            // model is deferred.
            case NOT_READY -> message.isExplicit();
            default -> true;
        };
    }
}
