package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.FilteredPushes;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.PushFilter;
import io.github.flinkps.client.Residual;
import io.github.flinkps.client.Residuals;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.service.JobFolders;
import io.github.flinkps.flink.service.ValidationSpec;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.flink.training.cut.CutSettings;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * How a worker works.
 *
 * @param modelName name of the model on the servers
 * @param directory of the model, in which the registry lives
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
 * @param filter decides which updates are pushed at once; null: all
 * @param cuts how it takes cuts; null where rows are scored
 */
public record TrainingSettings(
        String modelName,
        String directory,
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
        PushFilter filter,
        CutSettings cuts)
        implements Serializable {
    private static final long MIN_TICK_MILLIS = 5;
    private static final long MAX_TICK_MILLIS = 500;

    /** Whether every job has folders of its own. */
    boolean isOfJob() {
        return JobFolders.isOfJob(directory);
    }

    /** Returns the settings with the folders of a job; see {@link JobFolders}. */
    TrainingSettings ofJob(String jobId) {
        return new TrainingSettings(
                modelName,
                JobFolders.of(directory, jobId),
                run,
                train,
                batchSize,
                epochs,
                consistency,
                prefetch,
                seed,
                shuffle,
                rowMemory,
                validation,
                bufferRows,
                readers,
                linger,
                idleTimeout,
                progressInterval,
                timeout,
                filter,
                cuts == null ? null : cuts.ofJob(jobId));
    }

    /** The same of another run. */
    TrainingSettings withRun(String other) {
        return new TrainingSettings(
                modelName,
                directory,
                other,
                train,
                batchSize,
                epochs,
                consistency,
                prefetch,
                seed,
                shuffle,
                rowMemory,
                validation,
                bufferRows,
                readers,
                linger,
                idleTimeout,
                progressInterval,
                timeout,
                filter,
                cuts);
    }

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

    /** What a worker holds as it begins; null where no filter is set and nothing was held. */
    Residuals residuals(List<TableSpec> tables, WorkerStore.Snapshot before) {
        List<Residual> held = before == null ? List.of() : before.residuals();
        if (filter == null && held.isEmpty()) {
            return null;
        }
        Residuals residuals = new Residuals(tables);
        held.forEach(residuals::add);
        return residuals;
    }

    /**
     * What stands before pushes, or null. What a filter held that is not set any more comes with
     * the next update of its key, too.
     *
     * @param held null where no filter is set and nothing is held
     */
    FilteredPushes filtered(ModelSession session, List<TableSpec> tables, Residuals held) {
        PushFilter each = filter == null ? rows -> {} : filter;
        return held == null ? null : new FilteredPushes(session, tables, each, held);
    }

    /** Mini-batches pulled ahead of the one that is computed. */
    int depth() {
        return train ? Math.min(prefetch, consistency.prefetchLimit()) : Math.max(1, prefetch);
    }
}
