package io.github.flinkps.client;

import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.HelloMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Holds all that waits for a server, once it is taken off its link.
 *
 * @param first the answer to the first hello, which may be complete
 */
record WaitingRequests(
        List<PendingRequest> requests, CompletableFuture<HelloMessage.Response> first) {
    /** Fails all of them; outside of the link's lock. */
    void fail(PsException error) {
        requests.forEach(request -> request.onFailure(error));
        first.completeExceptionally(error);
    }
}
