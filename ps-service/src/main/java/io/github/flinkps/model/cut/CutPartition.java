package io.github.flinkps.model.cut;

import io.github.flinkps.common.StepCounts;
import io.github.flinkps.model.StoredFile;

/**
 * One partition in a cut.
 *
 * @param table its index in the model
 * @param partition its number
 * @param rows of the partition at the cut, in this cut's file or in those of its bases
 * @param steps of the optimizer counted at the partition
 * @param stepsBefore the part of it counted before this attempt's rounds
 * @param file the rows that this cut adds; null if none
 */
public record CutPartition(
        int table, int partition, long rows, StepCounts steps, long stepsBefore, StoredFile file) {
    public CutPartition {
        if (rows < 0 || stepsBefore < 0 || steps.steps() < stepsBefore) {
            throw new IllegalArgumentException(
                    "partition "
                            + partition
                            + " of table "
                            + table
                            + ": "
                            + rows
                            + " rows, step "
                            + steps.steps()
                            + ", of which before "
                            + stepsBefore);
        }
        if (file != null && (file.rows() == 0 || file.rows() > rows)) {
            throw new IllegalArgumentException(
                    file.path() + " has " + file.rows() + " rows of a partition of " + rows);
        }
    }

    /** Returns the number of its last step. */
    public long step() {
        return steps.steps();
    }
}
