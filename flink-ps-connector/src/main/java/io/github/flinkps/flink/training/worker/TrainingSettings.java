package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.FilteredPushes;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.PushFilter;
import io.github.flinkps.client.Residual;
import io.github.flinkps.client.Residuals;
import io.github.flinkps.client.ValueEncodings;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.service.JobFolders;
import io.github.flinkps.flink.service.ValidationSpec;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.flink.training.cut.CutSettings;
import io.github.flinkps.flink.training.rows.BatchGrowth;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;

/**
 * The settings of a worker.
 *
 * @param model which model, and for which run
 * @param passes how rows are gone through
 * @param pace how far it may run ahead of others
 * @param intake what it takes of its input, and keeps
 * @param waits how long it waits whatever its input does
 * @param cuts how it takes cuts; null where rows are scored
 */
public record TrainingSettings(
        ModelRun model, Passes passes, Pace pace, Intake intake, Waits waits, CutSettings cuts)
        implements Serializable {
    /**
     * Names a model in one run of a job.
     *
     * @param name of the model on the servers
     * @param directory of the model, in which the registry lives
     * @param run names the job over all its attempts, in the registry and in cuts
     */
    public record ModelRun(String name, String directory, String run) implements Serializable {}

    /**
     * The settings of the passes over the rows.
     *
     * @param batches rows of mini-batches (to score: the most that are pulled for at a time)
     * @param epochs passes over a bounded input, 1 for an unbounded one
     * @param seed of the order of mini-batches after the first pass
     * @param shuffle what changes its place after the first pass
     * @param validation rows that measure each pass, or null
     */
    public record Passes(
            BatchGrowth batches, int epochs, long seed, Shuffle shuffle, ValidationSpec validation)
            implements Serializable {}

    /**
     * The settings of how far a worker may run ahead of others.
     *
     * @param consistency of the model
     * @param prefetch mini-batches to pull ahead, within what the consistency allows
     * @param filter decides which updates are pushed at once; null: all
     * @param encodings of gradients and values that travel
     */
    public record Pace(
            ConsistencySpec consistency, int prefetch, PushFilter filter, ValueEncodings encodings)
            implements Serializable {}

    /**
     * The settings of what a worker takes of its input, and keeps.
     *
     * @param bufferRows rows taken ahead of training before backpressure begins
     * @param readers upstream subtasks, each of which may be one batch of rows ahead of its turn
     * @param rowMemory bytes of heap for rows that later passes train again; the others go to
     *     files. Null: a share of what the JVM has
     * @param linger an unfilled mini-batch trains after so long; zero: never before the end of
     *     input
     * @param idle a worker without rows for so long leaves the others' minimum; zero: never
     */
    public record Intake(
            int bufferRows, int readers, Long rowMemory, Duration linger, Duration idle)
            implements Serializable {}

    /**
     * The settings of how long a worker waits whatever its input does.
     *
     * @param progress time between progress records within a pass
     * @param timeout the bound of every wait for servers
     */
    public record Waits(Duration progress, Duration timeout) implements Serializable {}

    private static final long MIN_TICK_MILLIS = 5;
    private static final long MAX_TICK_MILLIS = 500;

    /** Returns whether the job trains; else it scores rows. */
    public boolean train() {
        return cuts != null;
    }

    /** Returns whether every job has folders of its own. */
    boolean isOfJob() {
        return JobFolders.isOfJob(model.directory());
    }

    /** Returns the settings with the folders of a job; see {@link JobFolders}. */
    TrainingSettings ofJob(String jobId) {
        return new TrainingSettings(
                new ModelRun(model.name(), JobFolders.of(model.directory(), jobId), model.run()),
                passes,
                pace,
                intake,
                waits,
                cuts == null ? null : cuts.ofJob(jobId));
    }

    /** Returns the same settings for another run. */
    TrainingSettings withRun(String other) {
        return new TrainingSettings(
                new ModelRun(model.name(), model.directory(), other),
                passes,
                pace,
                intake,
                waits,
                cuts);
    }

    /** Returns the milliseconds between two looks of a worker at what lingers, idles or is late. */
    long tickMillis() {
        long shortest = MAX_TICK_MILLIS;
        for (long millis :
                new long[] {
                    intake.linger().toMillis() / 2,
                    intake.idle().toMillis() / 4,
                    waits.progress().toMillis() / 2
                }) {
            if (millis > 0) {
                shortest = Math.min(shortest, millis);
            }
        }
        return Math.max(MIN_TICK_MILLIS, shortest);
    }

    /**
     * Returns the updates a worker retains as it begins; null if no filter is set and none were
     * retained.
     */
    Residuals residuals(List<TableSpec> tables, WorkerStore.Snapshot before) {
        List<Residual> retained = before == null ? List.of() : before.residuals();
        if (pace.filter() == null && retained.isEmpty()) {
            return null;
        }
        Residuals residuals = new Residuals(tables);
        retained.forEach(residuals::add);
        return residuals;
    }

    /**
     * Returns what filters pushes, or null if nothing does. What was retained by a filter that is
     * not set any more is pushed with the next update of its key.
     *
     * @param retained null where no filter is set and nothing is retained
     */
    FilteredPushes filtered(ModelSession session, List<TableSpec> tables, Residuals retained) {
        PushFilter each = pace.filter() == null ? rows -> {} : pace.filter();
        return retained == null
                ? null
                : new FilteredPushes(session, pace.encodings(), tables, each, retained);
    }

    /** Returns the number of mini-batches pulled ahead of the one that is computed. */
    int depth() {
        return Math.min(pace.prefetch(), pace.consistency().prefetchLimit());
    }
}
