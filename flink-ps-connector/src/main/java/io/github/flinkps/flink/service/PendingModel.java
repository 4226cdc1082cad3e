package io.github.flinkps.flink.service;

import java.util.Map;

/** A model that is written but not in its place yet. Belongs to one thread. */
public interface PendingModel extends AutoCloseable {
    /**
     * Puts it in its place. On failure what was there before still is.
     *
     * @param facts about its training, which are kept with it
     * @throws Exception naming the directory
     */
    void publish(Map<String, String> facts) throws Exception;

    /** Removes it unless published; idempotent. */
    @Override
    void close();
}
