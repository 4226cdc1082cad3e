package io.github.flinkps.flink.training;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.service.ValidationSpec;
import java.io.Serializable;
import java.time.Duration;

/**
 * How a worker works.
 *
 * @param modelName name of the model on the servers
 * @param modelRoot where the registry lives
 * @param run names the job over all its attempts, in the registry and in cuts
 * @param train whether to train; else rows are scored
 * @param batchSize rows of a mini-batch (to score: the most that are pulled for at a time)
 * @param epochs passes over a bounded input, 1 for an unbounded one
 * @param consistency of the model
 * @param prefetch mini-batches to pull ahead, within what the consistency allows
 * @param seed of the order of mini-batches after the first pass
 * @param shuffle what changes its place after the first pass
 * @param rowMemory bytes of heap for rows that later passes train again; the others go to files.
 *     Null: a share of what the JVM has
 * @param validation rows that measure each pass, or null
 * @param bufferRows rows taken ahead of training before backpressure begins
 * @param readers upstream subtasks, each of which may be one batch of rows ahead of its turn
 * @param linger an unfilled mini-batch trains after so long; zero: never before the end of input
 * @param idleTimeout a worker without rows for so long leaves the others' minimum; zero: never
 * @param progressInterval time between progress records within a pass
 * @param timeout the bound of every wait for servers
 * @param cuts how it takes cuts; null where rows are scored
 */
public record TrainingSettings(
        String modelName,
        String modelRoot,
        String run,
        boolean train,
        int batchSize,
        int epochs,
        ConsistencySpec consistency,
        int prefetch,
        long seed,
        Shuffle shuffle,
        Long rowMemory,
        ValidationSpec validation,
        int bufferRows,
        int readers,
        Duration linger,
        Duration idleTimeout,
        Duration progressInterval,
        Duration timeout,
        CutSettings cuts)
        implements Serializable {
    private static final long MIN_TICK_MILLIS = 5;
    private static final long MAX_TICK_MILLIS = 500;

    /** Time between two looks of a worker at what lingers, idles or is late. */
    long tickMillis() {
        long shortest = MAX_TICK_MILLIS;
        for (long millis :
                new long[] {
                    linger.toMillis() / 2,
                    idleTimeout.toMillis() / 4,
                    progressInterval.toMillis() / 2
                }) {
            if (millis > 0) {
                shortest = Math.min(shortest, millis);
            }
        }
        return Math.max(MIN_TICK_MILLIS, shortest);
    }

    /** Mini-batches pulled ahead of the one that is computed. */
    int depth() {
        return train ? Math.min(prefetch, consistency.prefetchLimit()) : Math.max(1, prefetch);
    }
}
