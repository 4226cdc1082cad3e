package io.github.flinkps.model.cut;

import io.github.flinkps.model.TableLayout;
import java.util.List;

/**
 * A table in a cut.
 *
 * @param layout of its rows
 * @param partitions all of them, in order
 */
public record CutTable(TableLayout layout, List<CutPartition> partitions) {
    public CutTable {
        partitions = List.copyOf(partitions);
    }

    /** Returns the number of rows of the table at the cut. */
    public long rows() {
        return partitions.stream().mapToLong(CutPartition::rows).sum();
    }
}
