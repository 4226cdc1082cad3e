package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.CutOrigin;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.internal.compat.OperatorContext;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.training.TrainingException;
import io.github.flinkps.flink.training.cut.CutRef;
import io.github.flinkps.flink.training.cut.CutSettings;
import io.github.flinkps.flink.training.cut.WorkerCuts;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutPaths;
import io.github.flinkps.model.cut.ManifestRef;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.configuration.CheckpointingOptions;

/**
 * The part of a worker in checkpoints: its {@link WorkerStore}, and its {@link WorkerCuts} where
 * the job takes checkpoints or goes on from one. Belongs to the task's thread.
 */
final class WorkerCheckpoints {
    /** The worker's state; null where its host keeps none. */
    private final WorkerStore store;

    /** The worker's cuts; null where the job neither takes checkpoints nor goes on from one. */
    private WorkerCuts cuts;

    private WorkerStore.Snapshot before;
    private CutId restored;
    private ManifestRef manifest;

    private WorkerCheckpoints(WorkerStore store) {
        this.store = store;
    }

    /** Returns the checkpoints of a worker whose host keeps no state. */
    static WorkerCheckpoints none() {
        return new WorkerCheckpoints(null);
    }

    static WorkerCheckpoints of(OperatorStateStore states, boolean restored) throws Exception {
        return new WorkerCheckpoints(new WorkerStore(states, restored));
    }

    /**
     * Begins an attempt.
     *
     * @return what the servers are to be told of cuts before anything is trained; null: nothing
     */
    CutOrigin open(TrainingSettings settings, OperatorContext<?> context) throws Exception {
        if (store == null || !(settings.cuts().enabled() || store.isRestored())) {
            return null;
        }
        int worker = context.subtask();
        int workers = context.parallelism();
        CutSettings kept =
                settings.cuts()
                        .retaining(
                                context.taskManager()
                                        .get(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS));
        cuts = new WorkerCuts(kept, settings.model().run(), worker, workers);
        if (store.isRestored()) {
            before = store.restored(worker, workers, settings.passes().epochs());
            cuts.standsAt(before.counts());
        }
        CutRef ref = store.restoredCut();
        restored = ref == null ? null : ref.name();
        manifest = ref == null ? null : ref.manifest();
        return new CutOrigin(cuts.directory(), manifest, kept.keeps(), kept.timeout());
    }

    /**
     * Returns a failure that says why the attempt cannot begin, and from which cuts a job can: they
     * need no rows.
     *
     * @param lost names the file
     */
    TrainingException withoutRows(IOException lost) {
        StringBuilder message = new StringBuilder(lost.getMessage());
        if (restored != null) {
            message.append(". They belong to the checkpoint of ")
                    .append(restored)
                    .append(", whose model is whole: go back to an earlier checkpoint, or begin a")
                    .append(" new job by start-cut, which needs no rows, as this cut (")
                    .append(manifest.path())
                    .append(") or the one before: ")
                    .append(cutBefore());
        }
        TrainingException failure = new TrainingException(message.toString());
        failure.initCause(lost);
        return failure;
    }

    private String cutBefore() {
        try {
            return CutPaths.modelDirectory(manifest.path(), restored)
                    .map(model -> new CutCatalog(new FlinkModelStorage(), model))
                    .flatMap(catalog -> catalog.previous(restored))
                    .map(cut -> cut.id() + " (" + cut.ref().path() + ")")
                    .orElse("there is none");
        } catch (PsException e) {
            return "unknown (" + e.getMessage() + ")";
        }
    }

    /**
     * Returns where the worker stood at the barrier it goes on from, only once; null if it begins.
     */
    WorkerStore.Snapshot takeBefore() {
        WorkerStore.Snapshot taken = before;
        if (before != null) {
            before = null;
            store.forget();
        }
        return taken;
    }

    /**
     * Begins the cuts of the attempt at the servers, which know the worker now.
     *
     * @param cutPending run by any thread when a pull is put off until the next barrier has come
     */
    void registered(ServiceFinder.Connection connection, Runnable cutPending) {
        if (cuts != null) {
            connection.session().onCutPending(cutPending);
            cuts.registered(connection.session(), connection.fence(), restored);
        }
    }

    /** Returns what completes when servers defer nothing any more of what the worker has sent. */
    CompletableFuture<Void> settled() {
        return cuts == null ? CompletableFuture.completedFuture(null) : cuts.settled();
    }

    /** Says what a worker's state is, after its marker was sent. */
    interface SnapshotSource {
        WorkerStore.Snapshot now() throws Exception;

        /** Returns whether passes were left out. */
        boolean leavesPasses();
    }

    /**
     * Sends the marker of a barrier that has come, and writes the worker's state. (Barriers come
     * also after the end of the inputs: servers live until a checkpoint that was taken after it, or
     * the savepoint that drains the job, is complete.)
     */
    void snapshot(Barrier barrier, SnapshotSource source, OperatorContext<?> context)
            throws Exception {
        CutRef ref =
                cuts == null
                        ? CutRef.refused(
                                "checkpoints are off: set execution.checkpointing.interval")
                        : cuts.barrier(barrier);
        WorkerStore.Snapshot snapshot = source.now();
        if (cuts != null) {
            cuts.standsAt(barrier.checkpoint(), snapshot.counts());
            if (source.leavesPasses()) {
                cuts.leavesPasses();
            }
        }
        store.write(ref, snapshot);
        context.execute(store::forget, "state of a checkpoint");
    }

    void completed(long checkpoint) {
        if (cuts != null) {
            cuts.completed(checkpoint);
        }
    }

    void aborted(long checkpoint) {
        if (cuts != null) {
            cuts.aborted(checkpoint);
        }
    }

    /** Ends all waits; idempotent. */
    void close() {
        if (cuts != null) {
            cuts.close();
        }
    }
}
