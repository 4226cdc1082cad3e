package io.github.flinkps.client;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.netty.buffer.ByteBuf;

/**
 * A request that has not been answered. It is encoded each time it is sent, not before: large
 * operations hold no more than a window of frames. The two ends of its life, {@link #onAnswer} and
 * {@link #onFailure}, are called once in all, by the thread that brings the news.
 */
abstract class PendingRequest {
    /** The delay of a retry that waits for a barrier on its way: neither soon nor far. */
    private static final long CUT_PENDING_NANOS = 10_000_000;

    private final long deadlineNanos;
    private final long windowBytes;
    private final SendWindow window;
    private long correlation;
    private boolean sent;
    private boolean doomed;
    private int retries;
    private long retryAt;
    private PsException lastError;

    /**
     * A request.
     *
     * @param window of the session at the link
     * @param windowBytes of the frame and of the answer expected, about
     */
    PendingRequest(long deadlineNanos, SendWindow window, long windowBytes) {
        this.window = window;
        this.deadlineNanos = deadlineNanos;
        this.windowBytes = windowBytes;
    }

    /**
     * Returns a new frame, owned by the caller; called under the link's lock.
     *
     * @param spellKeys whether to send keys that the server was thought to know
     */
    abstract ByteBuf encode(boolean spellKeys);

    /** Takes the answer, which is valid during the call. */
    abstract void onAnswer(ByteBuf response);

    abstract void onFailure(PsException error);

    /** Takes note that the server has refused a try, and that another follows. */
    void onRetry(PsException error) {}

    // The rest belongs to the link, under its lock.

    final long deadlineNanos() {
        return deadlineNanos;
    }

    final SendWindow window() {
        return window;
    }

    final long windowBytes() {
        return windowBytes;
    }

    final long correlation() {
        return correlation;
    }

    final void number(long newCorrelation) {
        this.correlation = newCorrelation;
    }

    final boolean isSent() {
        return sent;
    }

    final void markSent(boolean now) {
        sent = now;
        retryAt = 0;
    }

    /** Notes that a retry is sent. */
    final void tryAgain() {
        retryAt = 0;
    }

    /** Marks the request as one that no retry can save: the next sweep fails it with this error. */
    final void doom(PsException error) {
        lastError = error;
        doomed = true;
    }

    final boolean isDoomed() {
        return doomed;
    }

    /** Notes a failed try, after which the next one is due at {@code retryAt}. */
    final void failed(PsException error, long now) {
        lastError = error;
        retries++;
        retryAt =
                error.code() == ErrorCode.CUT_PENDING
                        ? now + CUT_PENDING_NANOS
                        : now + Math.min(500_000_000L, 5_000_000L << Math.min(retries, 10));
    }

    /** Returns whether a retry waits, and is due. */
    final boolean due(long now) {
        return retryAt != 0 && now - retryAt >= 0;
    }

    /**
     * Returns what it fails with at its deadline: what the server said last, if it said something.
     *
     * @param linkError what went wrong with the connection last, or null
     */
    final PsException tooLate(String server, PsException linkError) {
        if (doomed || (lastError != null && lastError.code() == ErrorCode.NOT_READY)) {
            return lastError;
        }
        PsException cause = lastError != null ? lastError : linkError;
        return new PsException(
                ErrorCode.TIMEOUT,
                "server "
                        + server
                        + " did not answer in time"
                        + (cause == null ? "" : "; last: " + cause.getMessage()),
                cause);
    }
}
