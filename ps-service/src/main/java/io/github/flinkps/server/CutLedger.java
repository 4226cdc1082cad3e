package io.github.flinkps.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * The cuts of a model that an owner is asked for in one attempt: whose markers are in, and who is
 * held behind them.
 *
 * <pre>
 * (nothing) --first marker--> pending --all markers--> frozen
 * pending --abort, deadline, a worker's marker of a later cut--> aborted
 * (nothing) --abort--> aborted: markers that come late hold nothing
 * </pre>
 *
 * Confined to the owner thread.
 */
final class CutLedger {
    private static final int REMEMBERED = 4096;
    private static final long NONE = 0;

    private final long[] heldBy;
    private final long[] lastMarker;
    private final TreeMap<Long, Pending> pending = new TreeMap<>();
    private final Set<Long> aborted = new LinkedHashSet<>();
    private final BitSet released = new BitSet();
    private long newestFrozen;

    /** The newest base given out: which rows changed before it is forgotten. */
    private long newestBase;

    private static final class Pending {
        /** The newest cut that each worker, whose marker is in, knew to be complete. */
        private final Map<Integer, Long> bases = new HashMap<>();

        /**
         * The time at which it is given up, on the loop's clock; set by the first look at that
         * clock.
         */
        private long deadline;

        private boolean timed;

        boolean isMarked(int worker) {
            return bases.containsKey(worker);
        }

        /**
         * Returns the newest cut that all unfinished workers know to be complete. Which markers of
         * finished ones are in differs between owners; they count where all have finished.
         */
        long base(IntPredicate finished) {
            return bases.entrySet().stream()
                    .filter(marker -> !finished.test(marker.getKey()))
                    .mapToLong(Map.Entry::getValue)
                    .min()
                    .orElseGet(() -> Collections.min(bases.values()));
        }
    }

    /**
     * A cut all of whose markers are in, and what it may be an increment of; base 0: of nothing.
     */
    record Complete(long cut, long base) {}

    CutLedger(int workers) {
        this.heldBy = new long[workers];
        this.lastMarker = new long[workers];
    }

    /** Returns whether nothing is pending, so that nobody is held. */
    boolean isEmpty() {
        return pending.isEmpty();
    }

    /** Returns whether what the worker does now waits for a cut. */
    boolean holds(int worker) {
        return heldBy[worker] != NONE;
    }

    /** Returns the cut behind whose marker the worker is held; 0 for none. */
    long heldBy(int worker) {
        return heldBy[worker];
    }

    /** The newest cut the worker has sent a marker of; 0 for none. */
    long lastMarker(int worker) {
        return lastMarker[worker];
    }

    /**
     * A worker's marker has its turn: the worker is held, unless the cut has been given up.
     *
     * @param base the newest cut the worker knows to be complete, 0 for none
     * @return cuts that are given up because the worker has left them out
     */
    List<Long> marker(int worker, long cut, long base) {
        List<Long> leftOut = new ArrayList<>();
        for (Map.Entry<Long, Pending> before : pending.headMap(cut).entrySet()) {
            if (!before.getValue().isMarked(worker)) {
                leftOut.add(before.getKey());
            }
        }
        lastMarker[worker] = Math.max(lastMarker[worker], cut);
        // A finished worker, for whose marker nobody waits, may send it late.
        if (!aborted.contains(cut) && cut > newestFrozen) {
            pending.computeIfAbsent(cut, number -> new Pending()).bases.put(worker, base);
            heldBy[worker] = cut;
        }
        return leftOut;
    }

    /**
     * Returns the oldest cut, if every worker has sent its marker or has finished, to be frozen;
     * else null.
     */
    Complete complete(IntPredicate finished) {
        if (pending.isEmpty()) {
            return null;
        }
        Map.Entry<Long, Pending> oldest = pending.firstEntry();
        for (int worker = 0; worker < heldBy.length; worker++) {
            if (!oldest.getValue().isMarked(worker) && !finished.test(worker)) {
                return null;
            }
        }
        long base = oldest.getValue().base(finished);
        newestBase = Math.max(newestBase, base);
        return new Complete(oldest.getKey(), base == 0 ? 0 : newestBase);
    }

    /** The cut is frozen: who was held behind its markers goes on. */
    void frozen(long cut) {
        newestFrozen = Math.max(newestFrozen, cut);
        release(pending.remove(cut));
    }

    /**
     * The cut is given up, now or before its first marker: nobody is held behind its markers.
     *
     * @return whether it was pending
     */
    boolean abort(long cut) {
        aborted.add(cut);
        if (aborted.size() > REMEMBERED) {
            aborted.remove(aborted.iterator().next());
        }
        Pending before = pending.remove(cut);
        release(before);
        return before != null;
    }

    private void release(Pending cut) {
        if (cut == null) {
            return;
        }
        for (int worker : cut.bases.keySet()) {
            released.set(worker);
            heldBy[worker] = NONE;
        }
    }

    /** Returns a worker that is no longer held and has not been taken since, or -1. */
    int pollReleased() {
        int worker = released.nextSetBit(0);
        if (worker >= 0) {
            released.clear(worker);
        }
        return worker;
    }

    /**
     * Returns pending cuts whose time has passed, oldest first. It counts from the first call that
     * finds the cut: what markers do does not depend on time.
     *
     * @param holdNanos how long entries may be held
     */
    List<Long> expired(long now, long holdNanos) {
        List<Long> late = new ArrayList<>();
        pending.forEach(
                (cut, of) -> {
                    if (!of.timed) {
                        of.timed = true;
                        of.deadline = now + holdNanos;
                    }
                    if (now - of.deadline >= 0) {
                        late.add(cut);
                    }
                });
        return late;
    }

    /** Pending cuts, oldest first. */
    List<Long> pending() {
        return List.copyOf(pending.keySet());
    }

    /**
     * Returns the cut that keeps a worker's pull from being answered: a laggard is held behind its
     * marker, and the worker has not come to it. 0 for none.
     */
    long blocking(int worker, IntPredicate lags) {
        long oldest = Long.MAX_VALUE;
        for (int other = 0; other < heldBy.length; other++) {
            if (heldBy[other] > lastMarker[worker] && lags.test(other)) {
                oldest = Math.min(oldest, heldBy[other]);
            }
        }
        return oldest == Long.MAX_VALUE ? NONE : oldest;
    }

    @Override
    public String toString() {
        return "pending " + pending.keySet() + ", held by " + Arrays.toString(heldBy);
    }
}
