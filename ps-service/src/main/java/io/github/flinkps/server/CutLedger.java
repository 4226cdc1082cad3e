package io.github.flinkps.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;

/**
 * Keeps, for the cuts of an attempt at one owner, which workers have sent their markers. A worker
 * is deferred behind its marker until the cut is frozen or aborted.
 *
 * <pre>
 * (nothing) --first marker--> pending --all markers--> frozen
 * pending --abort, deadline, a worker's marker of a later cut--> aborted
 * (nothing) --abort--> aborted: markers that come late defer nothing
 * </pre>
 *
 * Confined to the owner thread.
 */
final class CutLedger {
    private static final int REMEMBERED = 4096;
    private static final long NONE = 0;

    private final long[] deferredBy;
    private final long[] lastMarker;
    private final TreeMap<Long, Pending> pending = new TreeMap<>();
    private final Set<Long> aborted = new LinkedHashSet<>();
    private final BitSet released = new BitSet();
    private long newestFrozen;

    /**
     * The newest base that a cut was frozen with. Partitions forget which rows changed before it,
     * so no later cut has an older one.
     */
    private long newestBase;

    private static final class Pending {
        /** The workers whose marker is in. */
        private final BitSet marked = new BitSet();

        /** The newest cut that each of them knew to be complete. */
        private final long[] bases;

        /**
         * The lowest clock of those whose marker is in: they stand there while they are deferred.
         */
        private long lowestClock = Long.MAX_VALUE;

        /** All workers before this one have sent their marker or have finished. */
        private int firstMissing;

        /** The time at which it is given up, on the loop's clock; set by {@link #expired}. */
        private long deadline;

        private boolean timed;

        Pending(int workers) {
            this.bases = new long[workers];
        }

        /**
         * Returns the newest cut that all unfinished workers know to be complete. Which markers of
         * finished ones are in differs between owners; they count where all have finished.
         */
        long base(IntPredicate finished) {
            return marked.stream()
                    .filter(worker -> !finished.test(worker))
                    .mapToLong(worker -> bases[worker])
                    .min()
                    .orElseGet(
                            () ->
                                    marked.stream()
                                            .mapToLong(worker -> bases[worker])
                                            .min()
                                            .getAsLong());
        }
    }

    /**
     * A cut all of whose markers are in, and what it may be an increment of; base 0: of nothing.
     */
    record Complete(long cut, long base) {}

    CutLedger(int workers) {
        this.deferredBy = new long[workers];
        this.lastMarker = new long[workers];
    }

    /** Returns whether nothing is pending, so that nobody is deferred. */
    boolean isEmpty() {
        return pending.isEmpty();
    }

    /** Returns whether what the worker does now waits for a cut. */
    boolean isDeferred(int worker) {
        return deferredBy[worker] != NONE;
    }

    /** Returns the cut behind whose marker the worker is deferred; 0 for none. */
    long deferredBy(int worker) {
        return deferredBy[worker];
    }

    /** Returns the newest cut that the worker has sent a marker of; 0 for none. */
    long lastMarker(int worker) {
        return lastMarker[worker];
    }

    /**
     * Takes a worker's marker and defers the worker, unless the cut has been given up.
     *
     * @param clock at which the worker stands
     * @param base the newest cut the worker knows to be complete, 0 for none
     * @return cuts that are given up because the worker has left them out
     */
    List<Long> marker(int worker, long clock, long cut, long base) {
        List<Long> leftOut = new ArrayList<>();
        for (Map.Entry<Long, Pending> before : pending.headMap(cut).entrySet()) {
            if (!before.getValue().marked.get(worker)) {
                leftOut.add(before.getKey());
            }
        }
        lastMarker[worker] = Math.max(lastMarker[worker], cut);
        // A finished worker, for whose marker nobody waits, may send it late.
        if (!aborted.contains(cut) && cut > newestFrozen) {
            Pending of = pending.computeIfAbsent(cut, number -> new Pending(deferredBy.length));
            of.marked.set(worker);
            of.bases[worker] = base;
            of.lowestClock = Math.min(of.lowestClock, clock);
            deferredBy[worker] = cut;
        }
        return leftOut;
    }

    /** Takes note that a deferred worker, which was idle at its marker, has joined at a clock. */
    void joined(int worker, long clock) {
        Pending of = pending.get(deferredBy[worker]);
        of.lowestClock = Math.min(of.lowestClock, clock);
    }

    /**
     * Returns the oldest cut, if every worker has sent its marker or has finished, to be frozen;
     * else null.
     *
     * @param finished whether a worker has, which it does for good
     */
    Complete complete(IntPredicate finished) {
        if (pending.isEmpty()) {
            return null;
        }
        Pending oldest = pending.firstEntry().getValue();
        while (oldest.firstMissing < deferredBy.length) {
            if (!oldest.marked.get(oldest.firstMissing) && !finished.test(oldest.firstMissing)) {
                return null;
            }
            oldest.firstMissing++;
        }
        long base = oldest.base(finished);
        newestBase = Math.max(newestBase, base);
        return new Complete(pending.firstKey(), base == 0 ? 0 : newestBase);
    }

    /** Takes note that a cut is frozen, and releases the workers it deferred. */
    void frozen(long cut) {
        newestFrozen = Math.max(newestFrozen, cut);
        release(pending.remove(cut));
    }

    /**
     * Gives a cut up, and releases the workers it deferred; markers that come later defer nobody.
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
        released.or(cut.marked);
        cut.marked.stream().forEach(worker -> deferredBy[worker] = NONE);
    }

    /** Returns a worker that is no longer deferred and has not been taken since, or -1. */
    int pollReleased() {
        int worker = released.nextSetBit(0);
        if (worker >= 0) {
            released.clear(worker);
        }
        return worker;
    }

    /**
     * Returns pending cuts whose time has passed, oldest first. The time of a cut counts from the
     * first call that finds it pending, so that what markers do does not depend on time.
     *
     * @param deferNanos how long entries may be deferred
     */
    List<Long> expired(long now, long deferNanos) {
        List<Long> late = new ArrayList<>();
        pending.forEach(
                (cut, of) -> {
                    if (!of.timed) {
                        of.timed = true;
                        of.deadline = now + deferNanos;
                    }
                    if (now - of.deadline >= 0) {
                        late.add(cut);
                    }
                });
        return late;
    }

    /** Returns the pending cuts, oldest first. */
    List<Long> pending() {
        return List.copyOf(pending.keySet());
    }

    /**
     * Returns the oldest cut that defers a worker for which a pull waits, and whose marker the
     * pulling worker has not sent; 0 for none. Such a pull would wait for its own worker.
     *
     * @param lags whether the pull waits for a worker at that clock; if so, also at a lower one
     */
    long blocking(int worker, LongPredicate lags) {
        for (Map.Entry<Long, Pending> cut : pending.tailMap(lastMarker[worker], false).entrySet()) {
            if (lags.test(cut.getValue().lowestClock)) {
                return cut.getKey();
            }
        }
        return NONE;
    }

    @Override
    public String toString() {
        return "pending " + pending.keySet() + ", deferred by " + Arrays.toString(deferredBy);
    }
}
