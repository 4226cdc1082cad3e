package io.github.flinkps.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The connections of one process to the servers of a parameter service. Thread-safe; close sessions
 * first. Every returned future completes within its deadline, with a result or with a {@link
 * io.github.flinkps.common.PsException}. Callbacks on futures run on a transport thread and must
 * not block.
 */
public interface ParameterClient extends AutoCloseable {
    /**
     * Creates the model on every server if it is not there yet (with the same definition, else
     * refused), and registers this session with it.
     */
    CompletableFuture<ModelSession> open(SessionSpec spec);

    /** Removes a model with its tables from every server; absent ones are fine. */
    CompletableFuture<Void> dropModel(String model, Duration timeout);

    /** One line per server: uptime, models, tables, rows, bytes, requests. */
    CompletableFuture<java.util.List<ServerStats>> stats(Duration timeout);

    /** Bytes of frames sent and received so far, as encoded, also on the socketless path. */
    TrafficCounters traffic();

    /** Closes connections; futures in flight fail with CLOSED. Idempotent, bounded in time. */
    @Override
    void close();
}
