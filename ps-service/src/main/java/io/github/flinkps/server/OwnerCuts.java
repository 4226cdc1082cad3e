package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.server.store.SavedBlocks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The cuts of an attempt at an owner thread: who is deferred behind markers, which cut is to be
 * frozen, and the frozen image while it is copied out. One image at a time: the next cut is frozen
 * when the one before has been copied out or given up. Confined to the owner thread.
 */
final class OwnerCuts {
    private final CutContext context;
    private final CutLedger ledger;
    private final SavedBlocks memory = new SavedBlocks();
    private CutImage image;
    private long deferredBytes;
    private boolean closed;

    /**
     * @param context what cuts need; null: there are none
     */
    OwnerCuts(int workers, CutContext context) {
        this.context = context;
        this.ledger = new CutLedger(workers);
    }

    CutLedger ledger() {
        return ledger;
    }

    /** Returns whether the attempt takes cuts. */
    boolean isPlaced() {
        return context != null;
    }

    /** Returns whether it is the attempt of this fence whose cuts these are. */
    boolean isOf(long fence) {
        return context != null && context.attempt().fence() == fence;
    }

    /** Returns whether what the worker does now waits for a cut. */
    boolean isDeferred(int worker) {
        return ledger.isDeferred(worker);
    }

    /**
     * Counts the frame of an entry that is to be deferred.
     *
     * @throws PsException THROTTLED, before it is counted
     */
    void defer(LogEntry entry) {
        long size = entry.bytes();
        if (entry.pushes() > 0 && deferredBytes + size > context.limits().holdBytes()) {
            throw new PsException(
                    ErrorCode.THROTTLED,
                    deferredBytes
                            + " bytes of pushes wait behind a cut, and cut-hold-bytes is "
                            + context.limits().holdBytes());
        }
        deferredBytes += size;
    }

    /** Lets an entry go that was deferred. */
    void release(LogEntry entry) {
        deferredBytes -= entry.bytes();
        entry.release();
    }

    /** Takes note that a deferred worker, which was idle at its marker, has joined at a clock. */
    void joined(int worker, long clock) {
        ledger.joined(worker, clock);
    }

    /** Returns the bytes of entries that are deferred. */
    long deferredBytes() {
        return deferredBytes;
    }

    /** Returns the bytes of rows saved for the image that is being copied. */
    long savedBytes() {
        return image == null ? 0 : memory.savedBytes();
    }

    /** Returns whether pushes must wait, because too many rows had to be saved from them. */
    boolean isFull() {
        return image != null && savedBytes() > context.limits().savedBytes();
    }

    /**
     * Returns the cut that keeps the worker from reading, 0 for none; {@link CutLedger#blocking}.
     */
    long blocking(int worker, LongPredicate lags) {
        return ledger.blocking(worker, lags);
    }

    /** Takes the marker of a worker at a clock, whose turn it is. */
    void marker(int worker, long clock, long cut, long completeCut) {
        if (context == null) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "worker " + worker + " sent a marker, but the attempt has not begun its cuts");
        }
        if (cut <= ledger.lastMarker(worker)) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "marker " + cut + " of worker " + worker + " does not follow the one before");
        }
        for (long leftOut : ledger.marker(worker, clock, cut, completeCut)) {
            giveUp(leftOut, "worker " + worker + " has gone on to barrier " + cut);
        }
    }

    /** Returns the cut that is to be frozen now, or null. */
    CutLedger.Complete complete(WorkerClocks clocks) {
        return closed || image != null ? null : ledger.complete(clocks::isFinished);
    }

    /** Returns a worker that is no longer deferred and has not been taken since, or -1. */
    int pollReleased() {
        return closed ? -1 : ledger.pollReleased();
    }

    /**
     * Freezes a cut and begins to copy it out; gives it up if that fails.
     *
     * @param over called when the next cut may be frozen
     */
    void freeze(CutLedger.Complete complete, CutImage.Source source, Runnable over) {
        try {
            CutImage frozen =
                    CutImage.freeze(
                            source,
                            context,
                            complete,
                            memory,
                            (done, failure) -> {
                                if (copied(done, failure)) {
                                    over.run();
                                }
                            });
            image = frozen;
            ledger.frozen(complete.cut());
            frozen.start();
        } catch (RuntimeException | Error e) {
            giveUp(complete.cut(), "it cannot be frozen: " + KnownError.of(e));
        }
    }

    /** Takes the end of an image, copied out or failed; whether it was the present one. */
    private boolean copied(CutImage done, String failure) {
        if (done != image) {
            return false;
        }
        image = null;
        if (failure != null) {
            giveUp(done.cut(), failure);
        }
        return true;
    }

    /** Gives a cut up that has failed elsewhere, or here. */
    void abort(long cut) {
        if (image != null && image.cut() == cut) {
            image.abort();
            image = null;
        }
        ledger.abort(cut);
    }

    /** Gives a cut up, and says why. */
    void giveUp(long cut, String reason) {
        abort(cut);
        context.failed(cut, reason);
    }

    /** Returns whether a cut is under way here. */
    boolean isOpen() {
        return image != null || !ledger.isEmpty();
    }

    /** Gives up cuts that have waited too long; whether there were any. */
    boolean expire(long now) {
        if (context == null) {
            return false;
        }
        List<Long> late = new ArrayList<>(ledger.expired(now, context.deferNanos()));
        late.forEach(cut -> giveUp(cut, "the markers of some workers have not come in time"));
        if (image != null && now - image.deadline() >= 0) {
            late.add(image.cut());
            giveUp(image.cut(), "it has not been written in time");
        }
        return !late.isEmpty();
    }

    /** Returns whether all is dropped. */
    boolean isClosed() {
        return closed;
    }

    /** Drops all; nobody goes on who is deferred. */
    void close() {
        closed = true;
        if (image != null) {
            image.abort();
            image = null;
        }
    }
}
