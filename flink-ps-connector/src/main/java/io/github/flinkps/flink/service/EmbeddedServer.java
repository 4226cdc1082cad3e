package io.github.flinkps.flink.service;

import java.util.concurrent.CompletableFuture;

/** A parameter server in this process. */
public interface EmbeddedServer extends AutoCloseable {
    /** Returns where clients reach the server, as {@code host:port}. */
    String address();

    /** Returns what completes when the heap is exhausted and the server must end. */
    CompletableFuture<OutOfMemoryError> heapExhausted();

    /** Stops it, bounded in time; clients' operations fail. Idempotent. */
    @Override
    void close();
}
