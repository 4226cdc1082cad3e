package io.github.flinkps.flink.training;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The cuts of an attempt in which all workers had finished: they are the same model, and every
 * later cut is. So one whose checkpoint is complete can stand for another that servers cannot write
 * any more: they go when a checkpoint behind the end is complete, while others may be under way.
 * Thread-safe.
 */
final class FinalCuts {
    private final AtomicLong first = new AtomicLong(Long.MAX_VALUE);
    private final CompletableFuture<PendingCut> complete = new CompletableFuture<>();

    /** A cut is durable in which all workers had finished. */
    void durable(long number) {
        first.accumulateAndGet(number, Math::min);
    }

    /** Whether a cut is later than one of these, and so is one of them. */
    boolean isBehind(long number) {
        return first.get() < number;
    }

    /** The checkpoint of one of these is complete; only the first call counts. */
    void completed(PendingCut cut) {
        complete.complete(cut);
    }

    /** The first whose checkpoint is known to be complete. */
    CompletableFuture<PendingCut> complete() {
        return complete;
    }
}
