package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.protocol.ExchangeHeader;

/**
 * Limits how far a worker may run ahead under BSP, as the pushes of rounds to come are kept, and
 * the weights of their mini-batches. The slowest is never held back. Confined to the owner thread.
 */
final class RoundBudget {
    /**
     * Rounds ahead of the slowest for which a worker may push, or count its clock: a power of 2.
     */
    private static final int MAX_ROUNDS_AHEAD = 256;

    private static final int ROUND_BYTES = 128;

    private final long limit;
    private final long roundBytes;

    /** Bytes kept for each round that is not over, at the index of its clock's last bits. */
    private final long[] kept;

    /** The clocks of the rounds in {@link #kept}. */
    private final long[] clocks;

    private long keptBytes;

    /**
     * Counts the bytes of the rounds of so many workers.
     *
     * @param limit of the bytes kept; 0: nothing waits for a round
     */
    RoundBudget(long limit, int workers) {
        this.limit = limit;
        this.roundBytes = ROUND_BYTES + (long) Double.BYTES * workers;
        this.kept = new long[limit == 0 ? 0 : MAX_ROUNDS_AHEAD];
        this.clocks = new long[kept.length];
    }

    /** Refuses what would go too far ahead, a push or a clock, with THROTTLED. */
    void check(WorkerClocks workers, int worker, LogEntry entry) {
        long clock = workers.clock(worker);
        boolean joins = entry.has(ExchangeHeader.REJOIN);
        boolean waits = entry.pushes() > 0 || (entry.has(ExchangeHeader.CLOCK) && !joins);
        if (limit == 0 || !waits || clock == WorkerClocks.INFINITE) {
            return;
        }
        long ahead = clock - workers.lowest();
        boolean tooMuch = keptBytes > limit;
        if (ahead >= MAX_ROUNDS_AHEAD || ahead > 0 && tooMuch) {
            throw new PsException(
                    ErrorCode.THROTTLED,
                    "worker "
                            + worker
                            + " is "
                            + ahead
                            + " rounds ahead of worker "
                            + workers.laggard()
                            + (tooMuch ? ", and " + keptBytes + " bytes of pushes wait" : ""));
        }
    }

    /** Counts bytes of pushes that wait for the round of this clock, and the round itself. */
    void keep(long clock, long bytes) {
        if (limit == 0) {
            return;
        }
        int at = (int) clock & (MAX_ROUNDS_AHEAD - 1);
        long more = kept[at] == 0 ? roundBytes + bytes : bytes;
        clocks[at] = clock;
        kept[at] += more;
        keptBytes += more;
    }

    /** Forgets the rounds before the lowest clock, which have been applied. */
    void letGo(long lowest) {
        for (int i = 0; i < kept.length && keptBytes > 0; i++) {
            if (clocks[i] < lowest) {
                keptBytes -= kept[i];
                kept[i] = 0;
            }
        }
    }
}
