package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.Arrays;

/** How far each worker has come in a log: its clock. Confined to the owner thread. */
final class WorkerClocks {
    /** The clock of a worker that has finished or is idle. */
    static final long INFINITE = Long.MAX_VALUE;

    /**
     * Entries below the next expected one that are still acknowledged as done; older ones are
     * refused.
     */
    static final long WINDOW = 4096;

    private final long[] clocks;
    private final long[] idleAt;
    private long lowest;

    WorkerClocks(int workers) {
        this(new long[workers], new long[workers], workers == 0 ? INFINITE : 0);
        Arrays.fill(idleAt, -1);
    }

    private WorkerClocks(long[] clocks, long[] idleAt, long lowest) {
        this.clocks = clocks;
        this.idleAt = idleAt;
        this.lowest = lowest;
    }

    /**
     * Clocks as they stood.
     *
     * @param clocks {@link #INFINITE} of a worker that has finished or is idle
     * @param idleAt the clock at which a worker is idle, else negative
     */
    static WorkerClocks of(long[] clocks, long[] idleAt) {
        long lowest = INFINITE;
        for (long clock : clocks) {
            lowest = Math.min(lowest, clock);
        }
        return new WorkerClocks(clocks.clone(), idleAt.clone(), lowest);
    }

    WorkerClocks copy() {
        return new WorkerClocks(clocks.clone(), idleAt.clone(), lowest);
    }

    /** How an entry stands to the sequence expected of its worker. */
    enum Place {
        NEXT,
        DONE,
        EARLY
    }

    /**
     * Where an entry belongs.
     *
     * @throws PsException SEQUENCE_TOO_OLD below the window
     */
    static Place place(long expected, long sequence) {
        if (sequence == expected) {
            return Place.NEXT;
        }
        if (sequence > expected) {
            return Place.EARLY;
        }
        if (sequence < expected - WINDOW) {
            throw new PsException(
                    ErrorCode.SEQUENCE_TOO_OLD,
                    "entry " + sequence + " lies below the window that ends at " + expected);
        }
        return Place.DONE;
    }

    int workers() {
        return clocks.length;
    }

    long clock(int worker) {
        return clocks[worker];
    }

    /** All clocks; not to be changed. */
    long[] clocks() {
        return clocks;
    }

    /** The clocks at which workers are idle, negative for the others; not to be changed. */
    long[] idleAt() {
        return idleAt;
    }

    long lowest() {
        return lowest;
    }

    boolean isIdle(int worker) {
        return idleAt[worker] >= 0;
    }

    boolean isFinished(int worker) {
        return clocks[worker] == INFINITE && idleAt[worker] < 0;
    }

    /** The worker with the lowest clock, for messages. */
    int laggard() {
        int worker = 0;
        for (int i = 1; i < clocks.length; i++) {
            if (clocks[i] < clocks[worker]) {
                worker = i;
            }
        }
        return worker;
    }

    /**
     * Moves a worker's clock forward, never back: one that has rejoined here at a higher clock than
     * elsewhere waits for itself. Returns whether the lowest clock grew.
     */
    boolean advance(int worker, long clock) {
        long before = clocks[worker];
        clocks[worker] = Math.max(before, clock);
        if (before != lowest) {
            return false;
        }
        long low = INFINITE;
        for (long other : clocks) {
            low = Math.min(low, other);
        }
        lowest = low;
        return low > before;
    }

    /** A worker has no rows for now; as {@link #advance}. */
    boolean idle(int worker) {
        if (idleAt[worker] >= 0 || clocks[worker] == INFINITE) {
            return false;
        }
        idleAt[worker] = clocks[worker];
        return advance(worker, INFINITE);
    }

    /**
     * A worker has rows again: it stands at the clock given, but not below where it stood; for 0
     * where the lowest of the others does.
     */
    void rejoin(int worker, long clock) {
        if (idleAt[worker] >= 0) {
            long others = lowest == INFINITE ? 0 : lowest;
            long at = Math.max(idleAt[worker], clock == 0 ? others : clock);
            idleAt[worker] = -1;
            clocks[worker] = at;
            lowest = Math.min(lowest, at);
        }
    }

    /** A worker has finished; as {@link #advance}. */
    boolean finish(int worker) {
        idleAt[worker] = -1;
        return advance(worker, INFINITE);
    }
}
