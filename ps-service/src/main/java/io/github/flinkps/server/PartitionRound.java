package io.github.flinkps.server;

import java.util.Arrays;

/**
 * The pushes to one partition that wait for a round of BSP, by worker; a worker may have several.
 * Takes room for those that are there, however many workers there may be. Keeps no references of
 * its own to frames and rows: {@link OpenRounds} does. Confined to the owner thread.
 */
final class PartitionRound {
    private static final int FIRST_ROOM = 2;

    /** Visits the pushes of a round. */
    interface Visitor {
        void visit(int worker, Push push, int slice);
    }

    /** The workers of the pushes, ascending; those of one worker stand in the order they came. */
    private int[] workers = new int[FIRST_ROOM];

    private Push[] pushes = new Push[FIRST_ROOM];
    private int[] slices = new int[FIRST_ROOM];
    private int count;
    private long clock;

    void begin(long newClock) {
        clock = newClock;
    }

    long clock() {
        return clock;
    }

    void add(int worker, Push push, int slice) {
        if (count == pushes.length) {
            workers = Arrays.copyOf(workers, 2 * count);
            pushes = Arrays.copyOf(pushes, 2 * count);
            slices = Arrays.copyOf(slices, 2 * count);
        }
        int at = from(worker + 1);
        System.arraycopy(workers, at, workers, at + 1, count - at);
        System.arraycopy(pushes, at, pushes, at + 1, count - at);
        System.arraycopy(slices, at, slices, at + 1, count - at);
        workers[at] = worker;
        pushes[at] = push;
        slices[at] = slice;
        count++;
    }

    /** Returns the place of the first push of a worker or of those behind it. */
    private int from(int worker) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (workers[middle] < worker) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    boolean has(int worker) {
        int at = from(worker);
        return at < count && workers[at] == worker;
    }

    /** Visits all pushes, in the order of workers. */
    void each(Visitor visitor) {
        for (int at = 0; at < count; at++) {
            visitor.visit(workers[at], pushes[at], slices[at]);
        }
    }

    /** Visits the pushes of a worker in the order they came. */
    void each(int worker, Visitor visitor) {
        for (int at = from(worker); at < count && workers[at] == worker; at++) {
            visitor.visit(worker, pushes[at], slices[at]);
        }
    }

    /** Forgets the pushes. */
    void clear() {
        Arrays.fill(pushes, 0, count, null);
        count = 0;
    }
}
