package io.github.flinkps.model.cut;

import io.github.flinkps.model.StoredFile;
import java.util.List;

/**
 * The report of one writer of a cut when all its files are durable. The writer is an owner thread
 * of a server, or a server for all of them.
 *
 * @param partitions it owns, in any order
 * @param rounds files of pushes of unfinished rounds
 * @param workers the clocks as its partitions had them, by worker
 */
public record CutPart(
        List<CutPartition> partitions, List<StoredFile> rounds, List<CutClock> workers) {
    public CutPart {
        partitions = List.copyOf(partitions);
        rounds = List.copyOf(rounds);
        workers = List.copyOf(workers);
    }
}
