package io.github.flinkps.client;

import io.github.flinkps.common.PsException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The operations of a session that have ended and whose callers are not told yet. Callers are told
 * outside of the session's monitor, as what they do then may block, or wait for another thread that
 * uses the session. Any thread.
 */
final class EndedOperations {
    private final Object monitor;
    private final Deque<Ended> ended = new ArrayDeque<>();

    private record Ended(ExchangeOperation operation, PsException error) {}

    /**
     * @param monitor of the session
     */
    EndedOperations(Object monitor) {
        this.monitor = monitor;
    }

    /**
     * Takes an operation whose caller is to be told.
     *
     * @param error null if it succeeded
     */
    void add(ExchangeOperation operation, PsException error) {
        synchronized (monitor) {
            ended.add(new Ended(operation, error));
        }
    }

    /** Tells all callers, unless this thread holds the monitor: it then tells them behind it. */
    void tell() {
        if (Thread.holdsLock(monitor)) {
            return;
        }
        for (Ended next = poll(); next != null; next = poll()) {
            next.operation().end();
            if (next.error() == null) {
                next.operation().result().complete(null);
            } else {
                next.operation().result().completeExceptionally(next.error());
            }
        }
    }

    private Ended poll() {
        synchronized (monitor) {
            return ended.poll();
        }
    }
}
