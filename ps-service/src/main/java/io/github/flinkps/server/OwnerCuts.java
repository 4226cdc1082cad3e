package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.server.store.SavedBlocks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The cuts of a model's attempt at an owner: holds entries behind markers, freezes when all are in,
 * and copies the frozen image out. One image at a time: the next cut is frozen when the one before
 * has been copied out or given up. Confined to the owner thread.
 */
final class OwnerCuts {
    private final OwnerModel model;
    private final CutPlace place;
    private final CutLedger ledger;
    private final HeldEntries held;
    private final SavedBlocks memory = new SavedBlocks();
    private CutImage image;
    private boolean closed;

    /**
     * @param place where cuts go; null: there are none
     */
    OwnerCuts(int workers, OwnerModel model, CutPlace place) {
        this.model = model;
        this.place = place;
        this.ledger = new CutLedger(workers);
        this.held = new HeldEntries(workers, place == null ? 0 : place.holdBytes());
    }

    /** Whether the attempt takes cuts. */
    boolean isPlaced() {
        return place != null;
    }

    /** Whether it is the attempt of this fence whose cuts these are. */
    boolean isOf(long fence) {
        return place != null && place.fence() == fence;
    }

    /** Whether what the worker does now waits for a cut. */
    boolean holds(int worker) {
        return ledger.holds(worker);
    }

    /** Keeps an entry of a worker that is held; THROTTLED before anything is kept. */
    void hold(int worker, ExchangeRequest entry) {
        held.add(worker, entry);
    }

    /** Whether pushes must wait, because too many rows had to be saved from them. */
    boolean isFull() {
        return image != null && image.savedBytes() > place.savedBytes();
    }

    /** The cut that keeps the worker from reading, 0 for none; see {@link CutLedger#blocking}. */
    long blocking(int worker, IntPredicate lags) {
        return ledger.isEmpty() ? 0 : ledger.blocking(worker, lags);
    }

    /** A marker has its turn. */
    void marker(int worker, long cut, long completeCut) {
        if (place == null) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "worker " + worker + " sent a marker, but the attempt has not begun its cuts");
        }
        if (cut <= ledger.lastMarker(worker)) {
            throw new PsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "marker " + cut + " of worker " + worker + " does not follow the one before");
        }
        long deadline = place.loop().nanoTime() + place.holdNanos();
        for (long leftOut : ledger.marker(worker, cut, completeCut, deadline)) {
            giveUp(leftOut, "worker " + worker + " has gone on to barrier " + cut);
        }
    }

    /** Freezes what is complete and lets go on who is no longer held, until nothing moves. */
    void settle() {
        boolean moves = !closed;
        while (moves) {
            moves = false;
            CutLedger.Complete complete = image == null ? ledger.complete(model::isFinished) : null;
            if (complete != null) {
                freeze(complete);
                moves = true;
            }
            for (int worker = ledger.pollReleased(); worker >= 0; worker = ledger.pollReleased()) {
                goOn(worker);
                moves = true;
            }
        }
    }

    private void goOn(int worker) {
        while (!ledger.holds(worker)) {
            ExchangeRequest entry = held.poll(worker);
            if (entry == null) {
                return;
            }
            model.effectOfHeld(entry);
            held.release(entry);
        }
    }

    private void freeze(CutLedger.Complete complete) {
        if (model.loss() != null) {
            giveUp(complete.cut(), "a round is lost: " + model.loss().getMessage());
            return;
        }
        try {
            image = CutImage.freeze(model, place, complete, memory, this::copied);
            ledger.frozen(complete.cut());
            image.start();
        } catch (RuntimeException | Error e) {
            giveUp(complete.cut(), "it cannot be frozen: " + e);
        }
    }

    /** The image has been copied out, or has failed; the next cut may be frozen. */
    private void copied(CutImage done, String failure) {
        if (done != image) {
            return;
        }
        image = null;
        if (failure != null) {
            giveUp(done.cut(), failure);
        }
        model.settle();
    }

    /** The cut has failed elsewhere, or here. */
    void abort(long cut) {
        if (image != null && image.cut() == cut) {
            image.abort();
            image = null;
        }
        ledger.abort(cut);
    }

    private void giveUp(long cut, String reason) {
        abort(cut);
        place.failed(cut, reason);
    }

    /** Whether a cut is under way here. */
    boolean isOpen() {
        return image != null || !ledger.isEmpty();
    }

    /** Gives up cuts that have waited too long; whether there were any. */
    boolean expire(long now) {
        List<Long> late = new ArrayList<>(ledger.expired(now));
        late.forEach(cut -> giveUp(cut, "the markers of some workers have not come in time"));
        if (image != null && now - image.deadline() >= 0) {
            late.add(image.cut());
            giveUp(image.cut(), "it has not been written in time");
        }
        return !late.isEmpty();
    }

    /** Drops all; nothing that is held takes effect any more. */
    void close() {
        closed = true;
        held.clear();
        if (image != null) {
            image.abort();
            image = null;
        }
    }
}
