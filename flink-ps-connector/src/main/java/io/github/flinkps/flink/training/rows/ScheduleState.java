package io.github.flinkps.flink.training.rows;

import io.github.flinkps.flink.data.RowBatch;
import java.util.List;

/**
 * The position of a {@link BatchSchedule} at a barrier: all it needs to give out the same
 * mini-batches as if nothing had happened.
 *
 * @param epoch pass of the next mini-batch to train
 * @param number place of it in the pass
 * @param seen rows of the first pass before those of {@code waiting}
 * @param waiting mini-batches to train that are not among {@code cached}, in order, the unfilled
 *     one last
 * @param unfilled whether the last of them is to be filled further
 * @param cached mini-batches of the first pass that later passes train again, in order
 */
public record ScheduleState(
        int epoch,
        long number,
        long seen,
        List<RowBatch> waiting,
        boolean unfilled,
        List<CachedBatch> cached) {
    /** The state of a schedule that has had no rows. */
    static final ScheduleState EMPTY = new ScheduleState(0, 0, 0, List.of(), false, List.of());
}
