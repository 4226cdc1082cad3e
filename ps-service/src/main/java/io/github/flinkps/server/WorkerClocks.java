package io.github.flinkps.server;

import java.util.Arrays;

/**
 * Keeps the clock of each worker of an attempt: how far it has come in its log. All partitions of
 * an owner thread share it. Confined to the owner thread.
 */
final class WorkerClocks {
    /** The clock of a worker that has finished or is idle. */
    static final long INFINITE = Long.MAX_VALUE;

    private final long[] clocks;
    private final long[] idleAt;
    private long lowest;

    /** Workers at the lowest clock. */
    private int atLowest;

    /** The next lowest clock: none lies between the lowest and this one. */
    private long nextLowest;

    /** The furthest that the lowest clock has come while there was a worker to wait for. */
    private long furthestLowest;

    private boolean moved;

    WorkerClocks(int workers) {
        this(new long[workers], new long[workers]);
        Arrays.fill(idleAt, -1);
    }

    private WorkerClocks(long[] clocks, long[] idleAt) {
        this.clocks = clocks;
        this.idleAt = idleAt;
        findLowest();
    }

    private void findLowest() {
        lowest = INFINITE;
        nextLowest = INFINITE;
        atLowest = 0;
        for (long clock : clocks) {
            found(clock);
        }
        rememberLowest();
    }

    private void rememberLowest() {
        if (lowest != INFINITE) {
            furthestLowest = Math.max(furthestLowest, lowest);
        }
    }

    private void found(long clock) {
        if (clock < lowest) {
            nextLowest = lowest;
            lowest = clock;
            atLowest = 1;
        } else if (clock == lowest) {
            atLowest++;
        } else {
            nextLowest = Math.min(nextLowest, clock);
        }
    }

    /**
     * Returns clocks as they stood.
     *
     * @param clocks {@link #INFINITE} of a worker that has finished or is idle
     * @param idleAt the clock at which a worker is idle, else negative
     */
    static WorkerClocks of(long[] clocks, long[] idleAt) {
        return new WorkerClocks(clocks.clone(), idleAt.clone());
    }

    /** Returns clocks that begin at these. */
    WorkerClocks copy() {
        return new WorkerClocks(clocks.clone(), idleAt.clone());
    }

    int workers() {
        return clocks.length;
    }

    long clock(int worker) {
        return clocks[worker];
    }

    /** Returns all clocks; not to be changed. */
    long[] clocks() {
        return clocks;
    }

    /** Returns the clocks at which workers are idle, negative for the others; not to be changed. */
    long[] idleAt() {
        return idleAt;
    }

    long lowest() {
        return lowest;
    }

    /** Returns whether others are beyond the clock of a worker, so that it alone is waited for. */
    boolean isLast(int worker) {
        return atLowest == 1 && clocks[worker] == lowest;
    }

    /** Returns whether a worker has come to a further clock since all began at theirs. */
    boolean haveMoved() {
        return moved;
    }

    boolean isIdle(int worker) {
        return idleAt[worker] >= 0;
    }

    boolean isFinished(int worker) {
        return clocks[worker] == INFINITE && idleAt[worker] < 0;
    }

    /** Returns the worker with the lowest clock, for messages. */
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
        if (clock <= before) {
            return false;
        }
        clocks[worker] = clock;
        moved |= clock != INFINITE;
        if (before != lowest) {
            return false;
        }
        if (--atLowest > 0) {
            nextLowest = Math.min(nextLowest, clock);
            return false;
        }
        if (clock < nextLowest) {
            lowest = clock;
            atLowest = 1;
            rememberLowest();
        } else {
            findLowest();
        }
        return true;
    }

    /** Marks a worker as idle: it has no rows for now. Returns whether the lowest clock grew. */
    boolean idle(int worker) {
        if (idleAt[worker] >= 0 || clocks[worker] == INFINITE) {
            return false;
        }
        idleAt[worker] = clocks[worker];
        return advance(worker, INFINITE);
    }

    /**
     * Ends the idleness of a worker that has rows again. It goes on at the clock given, but not
     * below where it stood; for 0 at the lowest of the others, or where that has been if there are
     * none. Who is deferred behind a marker is told of the lowest clock, and goes on from it,
     * before it joins here: were its clock lower here, its pulls would wait for itself.
     */
    void rejoin(int worker, long clock) {
        if (idleAt[worker] >= 0) {
            long at = Math.max(idleAt[worker], clock == 0 ? furthestLowest : clock);
            idleAt[worker] = -1;
            clocks[worker] = at;
            found(at);
            rememberLowest();
        }
    }

    /** Marks a worker as finished. Returns whether the lowest clock grew. */
    boolean finish(int worker) {
        idleAt[worker] = -1;
        return advance(worker, INFINITE);
    }
}
