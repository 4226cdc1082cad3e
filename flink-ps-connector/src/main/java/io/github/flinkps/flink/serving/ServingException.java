package io.github.flinkps.flink.serving;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A model does not answer: its servers, or its files, cannot be reached. May be tried again. */
public final class ServingException extends Exception {
    private static final long serialVersionUID = 1L;

    public ServingException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Waits for what a client was asked. */
    static <T> T await(CompletableFuture<T> future, Duration timeout, String what)
            throws ServingException {
        try {
            return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServingException(what + " was interrupted", e);
        } catch (TimeoutException e) {
            throw new ServingException(what + " took longer than " + timeout, e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() instanceof CompletionException inner ? inner : e;
            throw new ServingException(
                    what + " failed: " + cause.getCause().getMessage(), cause.getCause());
        }
    }
}
