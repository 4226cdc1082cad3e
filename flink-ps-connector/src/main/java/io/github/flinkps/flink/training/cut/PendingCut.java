package io.github.flinkps.flink.training.cut;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.service.ServiceException;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutProgress;
import io.github.flinkps.model.cut.ManifestRef;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cut whose marker a worker has sent, or owes. The task's thread feeds it and may give it up; the
 * thread that writes the checkpoint waits for it.
 */
final class PendingCut {
    private static final Logger LOG = LoggerFactory.getLogger(PendingCut.class);
    private static final long LOOK_MILLIS = 20;

    private final Barrier barrier;
    private final long number;
    private final int workers;
    private final boolean writes;
    private final ManifestCache known;
    private final CutSettings settings;
    private final FinalCuts finals;
    private final long deadline;
    private final CompletableFuture<CutId> name = new CompletableFuture<>();
    private final CompletableFuture<CutReport> parts = new CompletableFuture<>();
    private final CompletableFuture<Void> abandoned = new CompletableFuture<>();

    /** The cut that this one may be an increment of, as the worker's marker says; 0 for none. */
    private long base;

    private volatile ManifestRef manifest;
    private volatile boolean aborted;

    /** The complete cut of the same model that is used instead, as this one was not written. */
    private volatile PendingCut standIn;

    /** The progress of the worker at the cut; set before the thread that waits has begun. */
    private CutProgress progress;

    /**
     * @param workers of the attempt
     * @param writes whether this worker writes the manifest for all
     * @param known manifests of earlier cuts
     * @param finals of the attempt
     */
    PendingCut(
            Barrier barrier,
            int workers,
            boolean writes,
            ManifestCache known,
            CutSettings settings,
            FinalCuts finals) {
        this.barrier = barrier;
        this.number = barrier.checkpoint();
        this.workers = workers;
        this.writes = writes;
        this.known = known;
        this.settings = settings;
        this.finals = finals;
        this.deadline = System.nanoTime() + settings.timeout().toNanos();
    }

    long number() {
        return number;
    }

    /** Returns whether its checkpoint is a savepoint. */
    boolean isOfSavepoint() {
        return barrier.savepoint();
    }

    /** Sets how far the worker had trained when the barrier came. */
    void at(CutProgress standing) {
        progress = standing;
    }

    /** Sets the cut that this one may be an increment of, 0 for none; before its marker is sent. */
    void addsTo(long cut) {
        base = cut;
    }

    /** Returns the cut that this one may be an increment of, 0 for none. */
    long base() {
        return base;
    }

    /** Takes what becomes of the marker, which has been sent, and of the cut. */
    void sent(CutId cut, CompletableFuture<Void> marker, CompletableFuture<CutReport> durable) {
        name.complete(cut);
        marker.whenComplete((nothing, failure) -> fail(failure));
        durable.whenComplete(
                (all, failure) -> {
                    fail(failure);
                    if (parts.complete(all) && all.isFinal()) {
                        finals.durable(number);
                        if (aborted) {
                            finals.givenUp(number);
                        }
                    }
                });
    }

    /** Gives it up, unless {@code failure} is null; only the first call counts. */
    void fail(Throwable failure) {
        if (failure != null) {
            Throwable cause = ServiceException.unwrap(failure);
            name.completeExceptionally(cause);
            parts.completeExceptionally(cause);
        }
    }

    /** Gives it up with its checkpoint. It may be durable; if it has no manifest, it gets none. */
    void abort(Throwable reason) {
        aborted = true;
        abandoned.complete(null);
        finals.givenUp(number);
        fail(reason);
    }

    /**
     * Returns whether it has its manifest or cannot get one any more, so that it needs no other
     * cut.
     */
    boolean isOver() {
        return manifest != null || aborted || parts.isCompletedExceptionally() || isTimeOver();
    }

    private boolean isTimeOver() {
        return deadline - System.nanoTime() <= 0;
    }

    /** Returns whether every server has made its part durable. */
    boolean isDurable() {
        return parts.isDone() && !parts.isCompletedExceptionally();
    }

    /**
     * Returns whether it is durable and all workers had finished, so that every later one is the
     * same.
     */
    boolean isFinal() {
        return standIn != null || isDurable() && report().isFinal();
    }

    /** Returns whether it is durable and no other stands for it, as far as this worker knows. */
    boolean isItself() {
        return standIn == null && isDurable();
    }

    /** Returns what it is made of; of one that is durable. */
    CutReport report() {
        return parts.join();
    }

    /**
     * Returns which cut it is; waits until it is durable.
     *
     * @throws IOException when it has been given up, or its time is over
     */
    CutId name() throws IOException {
        manifest();
        return standIn == null ? await(name) : standIn.name();
    }

    /**
     * Returns the manifest; waits until the cut is durable, and puts the manifest together.
     *
     * @throws IOException when it has been given up, or its time is over
     */
    synchronized ManifestRef manifest() throws IOException {
        if (manifest == null) {
            try {
                manifest = written();
            } catch (IOException e) {
                PendingCut same = awaitAlike();
                if (same == null || aborted) {
                    throw e;
                }
                standIn = same;
                LOG.info("Checkpoint {} has the model of {}: it is the same", number, same.name());
                manifest = same.manifest();
            }
        }
        return manifest;
    }

    private ManifestRef written() throws IOException {
        CutReport all = await(parts);
        CutId cut = await(name);
        ManifestRef written;
        enter(known.guard());
        try {
            checkNeeded();
            ManifestRef base = known.get(all.base());
            written =
                    settings.publisher()
                            .publish(
                                    new CutPublisher.Parts(cut, barrier, all, base, workers),
                                    writes);
            known.put(number, written);
        } finally {
            known.guard().unlock();
        }
        noteProgress(cut);
        return written;
    }

    /** Waits for a removal, which takes as long as the storage does; an abort ends the wait. */
    private void enter(ReentrantLock guard) throws IOException {
        try {
            while (!guard.tryLock(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                checkNeeded();
            }
        } catch (InterruptedException e) {
            throw ended(e);
        }
    }

    private void checkNeeded() throws IOException {
        if (aborted || isTimeOver()) {
            String reason = aborted ? "it was aborted" : "its checkpoint took too long";
            throw new IOException("cut " + number + " has been given up: " + reason);
        }
    }

    private InterruptedIOException ended(InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException ended =
                new InterruptedIOException("the wait for cut " + number + " was ended");
        ended.initCause(e);
        return ended;
    }

    /**
     * Returns one of the same model whose checkpoint is complete, as soon as that is known; null
     * for none.
     */
    private PendingCut awaitAlike() throws IOException {
        CompletableFuture<?> news = finals.news(number);
        while (news != null && finals.complete() == null && !aborted) {
            await(CompletableFuture.anyOf(news, abandoned));
            news = finals.news(number);
        }
        return news == null ? null : finals.complete();
    }

    /** Writes the progress for users who list cuts. No checkpoint fails for want of it. */
    private void noteProgress(CutId cut) {
        try {
            settings.publisher().noteProgress(cut, progress);
        } catch (IOException e) {
            LOG.warn("Nobody will know how far worker {} was at {}", progress.worker(), cut, e);
        }
    }

    private <T> T await(CompletableFuture<T> future) throws IOException {
        try {
            return future.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw ended(e);
        } catch (ExecutionException e) {
            throw new IOException(
                    "cut " + number + " has been given up: " + e.getCause().getMessage(),
                    e.getCause());
        } catch (TimeoutException e) {
            throw new IOException(
                    "cut "
                            + number
                            + " did not become durable within "
                            + settings.timeout().toMillis()
                            + " ms, the timeout of checkpoints",
                    e);
        }
    }
}
