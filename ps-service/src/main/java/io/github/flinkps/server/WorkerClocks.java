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

    /**
     * The clocks as leaves of a tree, from index {@link #workers} on, and the lower of two nodes
     * above them: the children of node i are at 2i and 2i + 1, and the root at 1. So no clock walks
     * all workers, whoever is the last.
     */
    private final long[] lowestOf;

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
        this.lowestOf = new long[2 * Math.max(1, clocks.length)];
        this.lowestOf[1] = INFINITE; // if there are no workers
        System.arraycopy(clocks, 0, lowestOf, clocks.length, clocks.length);
        for (int node = clocks.length - 1; node > 0; node--) {
            lowestOf[node] = Math.min(lowestOf[2 * node], lowestOf[2 * node + 1]);
        }
        rememberLowest();
    }

    private void set(int worker, long clock) {
        clocks[worker] = clock;
        int node = clocks.length + worker;
        lowestOf[node] = clock;
        for (node /= 2; node > 0; node /= 2) {
            lowestOf[node] = Math.min(lowestOf[2 * node], lowestOf[2 * node + 1]);
        }
        rememberLowest();
    }

    private void rememberLowest() {
        if (lowest() != INFINITE) {
            furthestLowest = Math.max(furthestLowest, lowest());
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
        return lowestOf[1];
    }

    /**
     * Returns the clock that no worker which rejoins without one begins before, now or later: the
     * lowest, or where that has been if there is nobody to wait for.
     */
    long rejoinsFrom() {
        return furthestLowest;
    }

    /** Returns whether others are beyond the clock of a worker, so that it alone is waited for. */
    boolean isLast(int worker) {
        boolean last = clocks[worker] == lowest();
        for (int node = clocks.length + worker; last && node > 1; node /= 2) {
            last = lowestOf[node ^ 1] > lowest();
        }
        return last;
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
        if (clock <= clocks[worker]) {
            return false;
        }
        long before = lowest();
        set(worker, clock);
        moved |= clock != INFINITE;
        return lowest() > before;
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
     * below where it stood; for 0 at {@link #rejoinsFrom}. Who is deferred behind a marker is told
     * of that clock, and goes on from it, before it joins here: were its clock lower here, its
     * pulls would wait for itself.
     */
    void rejoin(int worker, long clock) {
        if (idleAt[worker] >= 0) {
            long at = Math.max(idleAt[worker], clock == 0 ? furthestLowest : clock);
            idleAt[worker] = -1;
            set(worker, at);
        }
    }

    /** Marks a worker as finished. Returns whether the lowest clock grew. */
    boolean finish(int worker) {
        idleAt[worker] = -1;
        return advance(worker, INFINITE);
    }
}
