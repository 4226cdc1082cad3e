package io.github.flinkps.simulation;

import io.github.flinkps.server.OwnerStandings;
import java.util.Arrays;

/**
 * What the workers of an attempt have said of themselves, and what servers have acknowledged: who
 * rests holds nobody, who has joined again is waited for, at no further clock than others, and does
 * not wait for itself.
 */
final class Standings implements OwnerStandings.Rule {
    private enum Said {
        NOTHING,
        IDLE,
        JOINED
    }

    private final Said[] said;
    private final long[] acknowledged;
    private final int[] changes;
    private long highest;

    Standings(int workers) {
        said = new Said[workers];
        acknowledged = new long[workers];
        changes = new int[workers];
        Arrays.fill(said, Said.NOTHING);
    }

    /** Takes note that a worker begins at a clock, and takes part. */
    void begins(int worker, long clock) {
        says(worker);
        said[worker] = Said.JOINED;
        reached(worker, clock);
        ended(worker, clock);
    }

    /** Takes note that a worker has sent the end of a mini-batch, and is at a clock. */
    void ended(int worker, long clock) {
        highest = Math.max(highest, clock);
    }

    /** Takes note that servers have acknowledged a worker's clock. */
    void reached(int worker, long clock) {
        acknowledged[worker] = Math.max(acknowledged[worker], clock);
    }

    /**
     * Takes note that a worker says something; until that is acknowledged it may stand either way.
     *
     * @return the number of what it says
     */
    int says(int worker) {
        said[worker] = Said.NOTHING;
        return ++changes[worker];
    }

    /** Takes note that servers have acknowledged that a worker is idle. */
    void rests(int worker, int change) {
        acknowledged(worker, change, Said.IDLE);
    }

    /** Takes note that servers have acknowledged that a worker takes part again. */
    void joined(int worker, int change) {
        acknowledged(worker, change, Said.JOINED);
    }

    private void acknowledged(int worker, int change, Said what) {
        if (changes[worker] == change) {
            said[worker] = what;
        }
    }

    /** Returns what contradicts how a worker stands at an owner where it is not held, or null. */
    @Override
    public String contradiction(int worker, boolean idle, long clock) {
        boolean right =
                switch (said[worker]) {
                    case NOTHING -> true;
                    case IDLE -> idle;
                    case JOINED -> !idle && clock >= acknowledged[worker] && clock <= highest;
                };
        return right
                ? null
                : "worker %d has said %s and come to clock %d, others to %d; here it stands at %d%s"
                        .formatted(
                                worker,
                                said[worker],
                                acknowledged[worker],
                                highest,
                                clock,
                                idle ? ", idle" : "");
    }
}
