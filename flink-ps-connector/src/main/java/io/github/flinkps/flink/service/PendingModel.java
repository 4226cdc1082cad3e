package io.github.flinkps.flink.service;

/** A model that is written but not in its place yet. Belongs to one thread. */
public interface PendingModel extends AutoCloseable {
    /**
     * Puts it in its place. On failure what was there before still is.
     *
     * @throws Exception naming the directory
     */
    void publish() throws Exception;

    /** Removes it unless published; idempotent. */
    @Override
    void close();
}
