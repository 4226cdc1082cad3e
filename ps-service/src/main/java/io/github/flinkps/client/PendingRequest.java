package io.github.flinkps.client;

import io.github.flinkps.common.PsException;
import io.netty.buffer.ByteBuf;

/**
 * A request that has not been answered: its frame is kept for retries. The two ends of its life,
 * {@link #onAnswer} and {@link #onFailure}, are called once in all, by the thread that brings the
 * news.
 */
abstract class PendingRequest {
    private final long deadlineNanos;
    private ByteBuf frame;
    private int retries;
    private long retryAt;
    private PsException lastError;

    /** Takes ownership of the frame. */
    PendingRequest(ByteBuf frame, long deadlineNanos) {
        this.frame = frame;
        this.deadlineNanos = deadlineNanos;
    }

    /** The answer; valid during the call. */
    abstract void onAnswer(ByteBuf response);

    abstract void onFailure(PsException error);

    /**
     * Another frame for the same request with its keys spelled out, or null if it has none to
     * spell.
     */
    ByteBuf withKeys(ByteBuf before) {
        return null;
    }

    // The rest belongs to the link, under its lock.

    final ByteBuf frame() {
        return frame;
    }

    final void replaceFrame(ByteBuf other) {
        frame.release();
        frame = other;
    }

    final long deadlineNanos() {
        return deadlineNanos;
    }

    final void release() {
        frame.release();
    }

    /** Notes a failed try, after which the next one is due at {@code retryAt}. */
    final void failed(PsException error, long now) {
        lastError = error;
        retries++;
        retryAt = now + Math.min(500_000_000L, 5_000_000L << Math.min(retries, 10));
    }

    final int retries() {
        return retries;
    }

    /** Whether a retry waits, and is due. */
    final boolean due(long now) {
        return retryAt != 0 && now - retryAt >= 0;
    }

    final void sentAgain() {
        retryAt = 0;
    }

    final PsException lastError() {
        return lastError;
    }
}
