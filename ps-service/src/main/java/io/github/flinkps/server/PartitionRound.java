package io.github.flinkps.server;

import java.util.ArrayList;
import java.util.Arrays;

/**
 * The pushes to one partition that wait for a round of BSP, by worker; a worker may have several.
 * Keeps no references of its own to frames and rows: {@link OpenRounds} does. Confined to the owner
 * thread.
 */
final class PartitionRound {
    /** A further push of a worker. */
    private record More(int worker, Push push, int slice) {}

    /** Is called with the pushes of a round. */
    interface Visitor {
        void visit(int worker, Push push, int slice);
    }

    private final Push[] first;
    private final int[] firstSlice;
    private final ArrayList<More> more = new ArrayList<>(0);
    private long clock;

    PartitionRound(int workers) {
        this.first = new Push[workers];
        this.firstSlice = new int[workers];
    }

    void begin(long newClock) {
        clock = newClock;
    }

    long clock() {
        return clock;
    }

    void add(int worker, Push push, int slice) {
        if (first[worker] == null) {
            first[worker] = push;
            firstSlice[worker] = slice;
        } else {
            more.add(new More(worker, push, slice));
        }
    }

    boolean has(int worker) {
        return first[worker] != null;
    }

    /** Visits the pushes in the order of workers, and those of a worker in the order they came. */
    void each(Visitor visitor) {
        for (int worker = 0; worker < first.length; worker++) {
            each(worker, visitor);
        }
    }

    /** Visits the pushes of a worker in the order they came. */
    void each(int worker, Visitor visitor) {
        if (first[worker] == null) {
            return;
        }
        visitor.visit(worker, first[worker], firstSlice[worker]);
        for (int i = 0; i < more.size(); i++) {
            if (more.get(i).worker() == worker) {
                visitor.visit(worker, more.get(i).push(), more.get(i).slice());
            }
        }
    }

    /** Forgets the pushes. */
    void clear() {
        Arrays.fill(first, null);
        more.clear();
    }
}
