package io.github.flinkps.transport;

import java.util.concurrent.CompletableFuture;

/** Makes connections to servers; replaced in simulations. */
public interface Transport extends AutoCloseable {
    /**
     * Connects to a server.
     *
     * @param address {@code host:port}, or what the implementation calls its servers
     * @param timeoutNanos after which the future fails
     */
    CompletableFuture<Connection> connect(String address, FrameHandler handler, long timeoutNanos);

    /** Returns a loop of this transport, for timers. */
    Loop loop();

    /** Closes loops and connections that this transport made; bounded in time, idempotent. */
    @Override
    void close();
}
