package io.github.flinkps.flink.training.cut;

import io.github.flinkps.client.CutReport;
import io.github.flinkps.model.StoredFile;
import io.github.flinkps.model.cut.CutPart;
import io.github.flinkps.model.cut.CutPartition;
import java.util.TreeMap;

/**
 * Decides when the next cut has all rows again. An increment needs the cuts it adds to, so that
 * going back reads all of them and none can be removed. So an increment adds to a chain of fewer
 * than {@value #MOST_CUTS} cuts, whose increments together are smaller than the full cut they begin
 * with: at most twice the model is kept, read and written. Belongs to the task's thread.
 */
final class CutGrowth {
    static final int MOST_CUTS = 16;

    private static final int REMEMBERED = 256;

    /** A full cut and the increments that follow, up to one of them. */
    private record Chain(int cuts, long fullBytes, long incrementBytes) {
        boolean mayGrow() {
            return cuts < MOST_CUTS && incrementBytes < fullBytes;
        }
    }

    private final TreeMap<Long, Chain> chains = new TreeMap<>();

    /** Adds a complete cut of this attempt, with what the servers reported of it. */
    void add(long cut, CutReport report) {
        long bytes = bytes(report);
        Chain before = chains.get(report.base());
        if (report.base() == 0) {
            chains.put(cut, new Chain(1, bytes, 0));
        } else if (before != null) {
            chains.put(
                    cut,
                    new Chain(before.cuts + 1, before.fullBytes, before.incrementBytes + bytes));
        }
        while (chains.size() > REMEMBERED) {
            chains.pollFirstEntry();
        }
    }

    /**
     * Returns the complete cut that the next one may add to.
     *
     * @param newest complete cut, 0 for none
     * @return it, or 0: the next one is to have all rows
     */
    long base(long newest) {
        Chain chain = chains.get(newest);
        return chain != null && chain.mayGrow() ? newest : 0;
    }

    private static long bytes(CutReport report) {
        long bytes = 0;
        for (CutPart part : report.parts()) {
            for (CutPartition partition : part.partitions()) {
                bytes += partition.file() == null ? 0 : partition.file().bytes();
            }
            for (StoredFile round : part.rounds()) {
                bytes += round.bytes();
            }
        }
        return bytes;
    }
}
