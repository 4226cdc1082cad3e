package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.TreeMap;

/**
 * Limits how far a worker may run ahead under BSP, as the pushes of rounds to come are kept. The
 * slowest is never held back. Confined to the owner thread.
 */
final class RoundBudget {
    /** Rounds whose pushes are kept for a worker that pushes without pulling. */
    private static final int MAX_ROUNDS_AHEAD = 256;

    private final long limit;

    /** Bytes of pushes that wait for their round, by its clock, and all of them. */
    private final TreeMap<Long, Long> kept = new TreeMap<>();

    private long keptBytes;

    /**
     * @param limit of the bytes kept; 0: nothing waits for a round
     */
    RoundBudget(long limit) {
        this.limit = limit;
    }

    /** Whether the worker may push for its next round: THROTTLED if not. */
    void check(WorkerClocks clocks, int worker, LogEntry entry) {
        long clock = clocks.clock(worker);
        if (limit == 0 || entry.pushes() == 0 || clock == WorkerClocks.INFINITE) {
            return;
        }
        long ahead = clock - clocks.lowest();
        boolean tooMuch = keptBytes > limit;
        if (ahead >= MAX_ROUNDS_AHEAD || ahead > 0 && tooMuch) {
            throw new PsException(
                    ErrorCode.THROTTLED,
                    "worker "
                            + worker
                            + " is "
                            + ahead
                            + " rounds ahead of worker "
                            + clocks.laggard()
                            + (tooMuch ? ", and " + keptBytes + " bytes of pushes wait" : ""));
        }
    }

    /** Counts the pushes that wait for the round of this clock. */
    void keep(long clock, LogEntry entry) {
        if (limit > 0 && entry.pushes() > 0) {
            long bytes = entry.frame().capacity();
            kept.merge(clock, bytes, Long::sum);
            keptBytes += bytes;
        }
    }

    /** The rounds before the lowest clock have been applied. */
    void letGo(long lowest) {
        while (!kept.isEmpty() && kept.firstKey() < lowest) {
            keptBytes -= kept.pollFirstEntry().getValue();
        }
    }
}
