package io.github.flinkps.server;

import java.util.HashMap;
import java.util.Map;

/**
 * Keeps the workers of an attempt that were idle at a marker and have joined again behind it, where
 * that is deferred: until then they are idle by their clocks, but are waited for at the clock that
 * they have been told. Confined to the owner thread.
 */
final class JoiningWorkers {
    private final Map<Integer, Long> clocks = new HashMap<>();
    private long lowest = WorkerClocks.INFINITE;

    /** Adds a worker that joins at a clock, or later; one that is there stays as it is. */
    void add(int worker, long clock) {
        clocks.putIfAbsent(worker, clock);
        lowest = Math.min(lowest, clock(worker));
    }

    /** Removes a worker, which has joined now; does nothing if it is not there. */
    void remove(int worker) {
        if (clocks.remove(worker) != null) {
            lowest = clocks.values().stream().min(Long::compare).orElse(WorkerClocks.INFINITE);
        }
    }

    void clear() {
        clocks.clear();
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
