package io.github.flinkps.flink.testing;

import java.time.Duration;
import java.util.List;

/**
 * Keeps what an operation of a testing session asked for when it was sent.
 *
 * @param worker -1 for no worker's
 * @param timestamp by which others wait for it
 * @param clock whether it ended a mini-batch
 * @param batchWeight of that mini-batch, or the largest of its pushes where none was said
 * @param after timestamps of operations it waits for
 * @param timeout null: the session's
 */
public record SentExchange(
        int worker,
        long timestamp,
        List<Push> pushes,
        boolean clock,
        double batchWeight,
        int ahead,
        List<Long> after,
        Duration timeout) {
    /** A push of so many rows of a table. */
    public record Push(String table, int rows, double weight) {}
}
