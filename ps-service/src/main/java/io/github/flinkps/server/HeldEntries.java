package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;

/**
 * Entries of workers behind a marker: acknowledged, without effect until the cut is frozen or given
 * up. Keeps their frames. Needs no memory of its own for them, so that none is lost for lack of it.
 * Confined to the owner thread.
 */
final class HeldEntries {
    /** By worker, each followed by {@link ExchangeRequest#nextHeld}. */
    private final ExchangeRequest[] first;

    private final ExchangeRequest[] last;
    private final long limit;
    private long bytes;

    /**
     * @param limit bytes of held frames beyond which pushes are refused
     */
    HeldEntries(int workers, long limit) {
        this.first = new ExchangeRequest[workers];
        this.last = new ExchangeRequest[workers];
        this.limit = limit;
    }

    /**
     * Keeps an entry of a worker, and its frame.
     *
     * @throws PsException THROTTLED, before anything is kept
     */
    void add(int worker, ExchangeRequest entry) {
        long size = entry.frame().capacity();
        if (entry.pushes() > 0 && bytes + size > limit) {
            throw new PsException(
                    ErrorCode.THROTTLED,
                    bytes + " bytes of pushes wait behind a cut, and cut.hold-bytes is " + limit);
        }
        if (first[worker] == null) {
            first[worker] = entry;
        } else {
            last[worker].nextHeld(entry);
        }
        last[worker] = entry;
        bytes += size;
        entry.retain();
    }

    /** The worker's oldest entry, or null; {@link #release} it afterwards. */
    ExchangeRequest poll(int worker) {
        ExchangeRequest entry = first[worker];
        if (entry != null) {
            first[worker] = entry.nextHeld();
            last[worker] = first[worker] == null ? null : last[worker];
        }
        return entry;
    }

    void release(ExchangeRequest entry) {
        bytes -= entry.frame().capacity();
        entry.letGo();
    }

    /** Drops all. */
    void clear() {
        for (int worker = 0; worker < first.length; worker++) {
            ExchangeRequest entry = poll(worker);
            while (entry != null) {
                release(entry);
                entry = poll(worker);
            }
        }
    }
}
