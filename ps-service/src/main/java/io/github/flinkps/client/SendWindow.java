package io.github.flinkps.client;

import java.util.ArrayDeque;

/**
 * The bytes that one session has under way over one link, of requests and expected answers; beyond
 * a limit its requests wait here unencoded. Each session has its own: a pull that waits for another
 * worker's clock must not keep that worker's clock from being sent. Guarded by the link's lock.
 */
final class SendWindow {
    private static final long BYTES = 8 << 20;

    private final ArrayDeque<PendingRequest> unsent = new ArrayDeque<>();
    private long unanswered;

    void add(PendingRequest request) {
        request.markSent(false);
        unsent.add(request);
    }

    /** Returns the next request that may be sent, or null; at least one may always be under way. */
    PendingRequest poll() {
        return unanswered == 0 || unanswered < BYTES ? unsent.poll() : null;
    }

    void sent(PendingRequest request) {
        request.markSent(true);
        unanswered += request.windowBytes();
    }

    /** Ends a request, sent or not: its bytes no longer count. */
    void done(PendingRequest request) {
        if (request.isSent()) {
            request.markSent(false);
            unanswered -= request.windowBytes();
        }
    }

    void clear() {
        unsent.clear();
        unanswered = 0;
    }
}
