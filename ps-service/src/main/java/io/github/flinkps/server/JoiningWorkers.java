package io.github.flinkps.server;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps the workers of an attempt that were idle at a marker and have joined again behind it, where
 * that is deferred: until then they are idle by their clocks, but are waited for at the clock that
 * they have been told. Confined to the owner thread.
 */
final class JoiningWorkers {
    private final Map<Integer, Long> clocks = new HashMap<>();

    /** The numbers of workers by their clocks: the lowest is found without a walk over all. */
    private final TreeMap<Long, Integer> counts = new TreeMap<>();

    private long lowest = WorkerClocks.INFINITE;

    /** Adds a worker that joins at a clock, or later; one that is there stays as it is. */
    void add(int worker, long clock) {
        if (clocks.putIfAbsent(worker, clock) == null) {
            counts.merge(clock, 1, Integer::sum);
            lowest = counts.firstKey();
        }
    }

    /** Removes a worker, which has joined now; does nothing if it is not there. */
    void remove(int worker) {
        Long clock = clocks.remove(worker);
        if (clock != null) {
            counts.computeIfPresent(clock, (same, count) -> count == 1 ? null : count - 1);
            lowest = counts.isEmpty() ? WorkerClocks.INFINITE : counts.firstKey();
        }
    }

    void clear() {
        clocks.clear();
        counts.clear();
        lowest = WorkerClocks.INFINITE;
    }

    /** Returns the clock at which a worker joins; {@link WorkerClocks#INFINITE} if it does not. */
    long clock(int worker) {
        return clocks.getOrDefault(worker, WorkerClocks.INFINITE);
    }

    /** Returns the lowest of the clocks; {@link WorkerClocks#INFINITE} if there are none. */
    long lowest() {
        return lowest;
    }
}
