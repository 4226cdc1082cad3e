package io.github.flinkps.flink.training.cut;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.service.ServiceException;
import io.github.flinkps.flink.training.WorkerCounts;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the cuts of a worker in one attempt: sends a marker at each barrier, and tells the servers
 * what becomes of its checkpoint. Never waits. Barriers may come before the worker is registered:
 * their markers are sent then, before anything else. Confined to the task's thread.
 *
 * <p>The checkpoint of every worker refers to the cut's manifest. Each worker makes the same
 * manifest of the same parts; the first worker alone writes it.
 */
public final class WorkerCuts {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerCuts.class);

    private static final int REMEMBERED = 256;
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final CutSettings settings;
    private final String run;
    private final int worker;
    private final int workers;

    /** Cuts that are neither complete nor aborted, by number. */
    private final TreeMap<Long, PendingCut> open = new TreeMap<>();

    /** The most cuts that have been open at a time. */
    private int mostOpen;

    /** Manifests of cuts of this attempt that may be the base of another. */
    private final ManifestCache manifests = new ManifestCache();

    private final CutGrowth growth = new CutGrowth();

    /** Checkpoints aborted before the worker was registered: the servers are told then. */
    private final List<Long> abortsOwed = new ArrayList<>();

    /** The keeper of cuts at the first worker, else null. */
    private final CutKeeper keeper;

    /** Completes when no marker sent so far defers entries at any server. */
    private CompletableFuture<Void> settled = DONE;

    private ModelSession session;
    private long fence;
    private long complete;

    /** The first complete cut that was taken after all workers had finished. */
    private long overFrom = Long.MAX_VALUE;

    /** True if passes were left out: a job that goes on from a cut needs the rows for them. */
    private boolean passesLeft;

    private final FinalCuts finals = new FinalCuts();

    /** The complete cuts after {@link #overFrom}, which hold the same model. */
    private int copies;

    /** The sum of losses of all rows trained until the last barrier. */
    private double lossSum;

    private double weightSum;

    public WorkerCuts(CutSettings settings, String run, int worker, int workers) {
        this.settings = settings;
        this.run = run;
        this.worker = worker;
        this.workers = workers;
        this.keeper = worker == 0 ? new CutKeeper(settings, run, manifests) : null;
    }

    /** Returns the directory of the model. */
    public String directory() {
        return settings.publisher().directory();
    }

    /**
     * Begins the attempt at the servers, before anything is trained: sends markers and aborts that
     * were owed.
     *
     * @param restored the cut it goes on from, or null
     */
    public void registered(ModelSession with, long attempt, CutId restored) {
        session = with;
        fence = attempt;
        if (keeper != null) {
            keeper.begin(fence, restored);
        }
        open.values().forEach(this::send);
        abortsOwed.forEach(this::tellAborted);
        abortsOwed.clear();
    }

    /** Takes note of the counts with which the worker begins; the next cut has what comes then. */
    public void standsAt(WorkerCounts counts) {
        lossSum = counts.lossSum();
        weightSum = counts.weightSum();
    }

    /** Notes in an open cut how far the worker had trained when its barrier came. */
    public void standsAt(long checkpoint, WorkerCounts counts) {
        PendingCut cut = open.get(checkpoint);
        if (cut != null) {
            cut.at(
                    new CutProgress(
                            worker,
                            workers,
                            counts.trainedRows(),
                            counts.lossSum() - lossSum,
                            counts.weightSum() - weightSum));
            standsAt(counts);
        }
    }

    /** Keeps the cached rows at the end: passes are left out, for which a later job needs them. */
    public void leavesPasses() {
        passesLeft = true;
    }

    /** Begins the cut of a barrier: what was sent before belongs to it, what is sent after not. */
    public CutRef barrier(Barrier barrier) {
        PendingCut cut = new PendingCut(barrier, workers, worker == 0, manifests, settings, finals);
        open.put(cut.number(), cut);
        mostOpen = Math.max(mostOpen, open.size());
        if (session != null) {
            send(cut);
        }
        return CutRef.pending(cut);
    }

    private void send(PendingCut cut) {
        CutId name = new CutId(run, fence, cut.number());
        cut.addsTo(growth.base(complete));
        CompletableFuture<Void> marker = session.marker(cut.number(), cut.base());
        CompletableFuture<CutReport> durable = session.awaitCut(cut.number(), settings.timeout());
        cut.sent(name, marker, durable);
        CompletableFuture<Void> over =
                durable.handle((parts, failure) -> failure == null ? DONE : letGo(cut.number()))
                        .thenCompose(each -> each);
        settled = settled.isDone() ? over : CompletableFuture.allOf(settled, over);
    }

    /** Tells the servers that a cut has failed, so that none defers entries for it. */
    private CompletableFuture<Void> letGo(long cut) {
        return session.abortCut(cut, "it has failed elsewhere");
    }

    /** Returns what completes when servers defer nothing of what was sent until now. */
    public CompletableFuture<Void> settled() {
        return settled;
    }

    /**
     * Takes note that a checkpoint is complete, or the savepoint that the job is stopped with, to
     * which Flink does not go back if the job fails before it ends. An earlier savepoint may still
     * be under way.
     */
    public void completed(long checkpoint) {
        PendingCut cut = open.remove(checkpoint);
        open.headMap(checkpoint).values().removeIf(PendingCut::isOver);
        if (cut != null && cut.isFinal()) {
            finals.completed(cut);
        }
        if (cut != null && cut.isItself() && !cut.isOfSavepoint()) {
            completed(cut);
        }
        removeRows();
        manifests.keepNewest(REMEMBERED);
    }

    private void completed(PendingCut cut) {
        long checkpoint = cut.number();
        if (overFrom < Long.MAX_VALUE) {
            copies++; // no base of others: not every worker knows whether it has its manifest
        } else {
            growth.add(checkpoint, cut.report());
            complete = Math.max(complete, checkpoint);
            overFrom = cut.isFinal() ? checkpoint : overFrom;
        }
        if (keeper != null) {
            keeper.completed(
                    new CutId(run, fence, checkpoint),
                    new CutId(run, fence, oldestNeeded()),
                    mostOpen,
                    copies);
        }
    }

    /** Removes the cached rows once no checkpoint needs them; savepoints may take long. */
    private void removeRows() {
        if (keeper != null
                && !passesLeft
                && overFrom < Long.MAX_VALUE
                && open.headMap(overFrom).values().stream().allMatch(PendingCut::isOver)) {
            keeper.over(overFrom);
        }
    }

    /** Returns the oldest cut that one which is open may add to, as far as this worker knows. */
    private long oldestNeeded() {
        return open.values().stream()
                .mapToLong(PendingCut::base)
                .filter(base -> base != 0)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Gives up the cut of an aborted checkpoint, whose barrier may not have come yet. */
    public void aborted(long checkpoint) {
        PendingCut cut = open.remove(checkpoint);
        if (cut != null) {
            cut.abort(givenUp("checkpoint " + checkpoint + " was aborted"));
        }
        if (session == null) {
            abortsOwed.add(checkpoint);
        } else {
            tellAborted(checkpoint);
            if (keeper != null) {
                keeper.aborted(new CutId(run, fence, checkpoint));
            }
        }
        removeRows();
    }

    private void tellAborted(long checkpoint) {
        session.abortCut(checkpoint, "its checkpoint was aborted")
                .whenComplete(
                        (nothing, failure) -> {
                            if (failure != null) {
                                LOG.info(
                                        "Servers were not told that checkpoint {} was aborted: {}",
                                        checkpoint,
                                        ServiceException.unwrap(failure).getMessage());
                            }
                        });
    }

    private static PsException givenUp(String reason) {
        return new PsException(ErrorCode.CUT_FAILED, reason);
    }

    /** Ends all waits; idempotent. */
    public void close() {
        PsException closed = givenUp("worker " + worker + " has ended");
        open.values().forEach(cut -> cut.abort(closed));
        removeRows();
        open.clear();
        if (keeper != null) {
            keeper.close();
        }
    }
}
