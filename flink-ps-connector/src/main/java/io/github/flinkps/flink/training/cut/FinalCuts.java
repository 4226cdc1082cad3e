package io.github.flinkps.flink.training.cut;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The cuts of an attempt in which all workers had finished: they are the same model, and every
 * later cut is. So one whose checkpoint is complete can stand for another that servers cannot write
 * any more: they go when a checkpoint after the end is complete, while others may be under way.
 * Thread-safe.
 */
final class FinalCuts {
    /**
     * The durable cuts whose checkpoints may yet be complete; futures end when they are given up.
     */
    private final ConcurrentSkipListMap<Long, CompletableFuture<Void>> open =
            new ConcurrentSkipListMap<>();

    private final CompletableFuture<PendingCut> complete = new CompletableFuture<>();

    /** Adds a durable cut in which all workers had finished. */
    void durable(long number) {
        open.put(number, new CompletableFuture<>());
    }

    /** Removes a cut whose checkpoint was given up, and ends the waits for it. */
    void givenUp(long number) {
        CompletableFuture<Void> over = open.remove(number);
        if (over != null) {
            over.complete(null);
        }
    }

    /** Notes that the checkpoint of one of these cuts is complete; only the first call counts. */
    void completed(PendingCut cut) {
        complete.complete(cut);
    }

    /** Returns the first whose checkpoint is known to be complete, or null. */
    PendingCut complete() {
        return complete.getNow(null);
    }

    /**
     * Returns what to wait for where none is known to be complete: that one is, or that one before
     * a cut has been given up. Null if the cut is not known to be one of these.
     */
    CompletableFuture<?> news(long cut) {
        Map.Entry<Long, CompletableFuture<Void>> first = open.headMap(cut).firstEntry();
        return first == null ? null : CompletableFuture.anyOf(complete, first.getValue());
    }
}
