package io.github.flinkps.flink.service;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** The service of a job failed; the message is that of what went wrong first. */
public final class ServiceException extends Exception {
    private static final long serialVersionUID = 1L;

    ServiceException(String message) {
        super(message);
    }

    ServiceException(Throwable cause) {
        super(message(unwrap(cause)), unwrap(cause));
    }

    ServiceException(String message, Throwable cause) {
        super(message + ": " + message(unwrap(cause)), unwrap(cause));
    }

    private static String message(Throwable cause) {
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Returns what a future failed with. */
    public static Throwable unwrap(Throwable failure) {
        Throwable found = failure;
        while ((found instanceof CompletionException || found instanceof ExecutionException)
                && found.getCause() != null) {
            found = found.getCause();
        }
        return found;
    }

    /** Returns the code of a failure of the service; INTERNAL for anything else. */
    public static ErrorCode code(Throwable failure) {
        return unwrap(failure) instanceof PsException e ? e.code() : ErrorCode.INTERNAL;
    }
}
