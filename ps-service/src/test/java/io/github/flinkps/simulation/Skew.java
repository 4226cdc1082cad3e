package io.github.flinkps.simulation;

import io.github.flinkps.simulation.JobCheckpoint.WorkerState;
import java.util.Random;

/**
 * The difference of one worker of a simulated job from the others, and whether rows that are read
 * again come in another order.
 *
 * @param worker the one that differs
 * @param thinkNanos how long it computes a mini-batch; the others need no time
 * @param starved it gets no row before so many checkpoints are complete
 * @param reorders whether sources replay in another order after each restore
 */
record Skew(int worker, long thinkNanos, int starved, boolean reorders) {
    static final Skew NONE = new Skew(0, 0, 0, false);

    /** Draws a skew: of one worker in four runs, for one cause or the other. */
    static Skew draw(Random random, int workers, long thinkNanos) {
        boolean reorders = random.nextBoolean();
        int worker = random.nextInt(workers);
        return switch (random.nextInt(8)) {
            case 0 -> new Skew(worker, thinkNanos, 0, reorders);
            case 1 -> new Skew(worker, 0, 1 + random.nextInt(4), reorders);
            default -> new Skew(worker, 0, 0, reorders);
        };
    }

    /** Returns how long a worker computes. */
    long thinkNanos(int of) {
        return of == worker ? thinkNanos : 0;
    }

    /** Returns whether a worker's source has no row yet. */
    boolean starves(int of, int checkpoints) {
        return of == worker && checkpoints < starved;
    }

    /**
     * Returns what a worker begins with where the order of the rows it has not read is drawn anew.
     */
    WorkerState reordered(WorkerState before, long attempt, int of) {
        int[] order = before.order().clone();
        if (reorders) {
            Random random = new Random(attempt * 31 + of);
            for (int i = order.length - 1; i > before.read(); i--) {
                int other = before.read() + random.nextInt(i - before.read() + 1);
                int moved = order[i];
                order[i] = order[other];
                order[other] = moved;
            }
        }
        return new WorkerState(
                order, before.read(), before.untrained(), before.standing(), before.residuals());
    }
}
