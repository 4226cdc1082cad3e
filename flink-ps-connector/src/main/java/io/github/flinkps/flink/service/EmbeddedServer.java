package io.github.flinkps.flink.service;

/** A parameter server in this process. */
public interface EmbeddedServer extends AutoCloseable {
    /** Where clients reach it, {@code host:port}. */
    String address();

    /** Stops it, bounded in time; clients' operations fail. Idempotent. */
    @Override
    void close();
}
