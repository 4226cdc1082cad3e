package io.github.flinkps.server;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.util.ArrayDeque;

/**
 * Entries of workers behind a marker: acknowledged, without effect until the cut is frozen or given
 * up. Keeps their frames. Confined to the owner thread.
 */
final class HeldEntries {
    private final ArrayDeque<ExchangeRequest>[] entries;
    private final long limit;
    private long bytes;

    /**
     * @param limit bytes of held frames beyond which pushes are refused
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    HeldEntries(int workers, long limit) {
        this.entries = new ArrayDeque[workers];
        this.limit = limit;
        for (int worker = 0; worker < workers; worker++) {
            entries[worker] = new ArrayDeque<>();
        }
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
        entries[worker].add(entry);
        entry.retain();
        bytes += size;
    }

    /** Whether the entry of this sequence is among a worker's. */
    boolean contains(int worker, long sequence) {
        ExchangeRequest first = entries[worker].peekFirst();
        return first != null && sequence >= first.sequence();
    }

    /** The worker's oldest entry, or null; {@link #release} it afterwards. */
    ExchangeRequest poll(int worker) {
        return entries[worker].pollFirst();
    }

    void release(ExchangeRequest entry) {
        bytes -= entry.frame().capacity();
        entry.letGo();
    }

    long bytes() {
        return bytes;
    }

    /** Drops all. */
    void clear() {
        for (ArrayDeque<ExchangeRequest> ofWorker : entries) {
            for (ExchangeRequest entry : ofWorker) {
                entry.letGo();
            }
            ofWorker.clear();
        }
        bytes = 0;
    }
}
