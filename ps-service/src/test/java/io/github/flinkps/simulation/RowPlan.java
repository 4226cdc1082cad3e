package io.github.flinkps.simulation;

import io.github.flinkps.common.ConsistencySpec;
import java.util.List;

/**
 * Says at which clock a worker of an attempt trains each row, and so what a pull must see of a
 * table in which each row has an element of its own, to which it adds 1.
 */
final class RowPlan {
    /** Rows that were trained before the rounds of these workers. */
    private static final long BEFORE = -1;

    private final ConsistencySpec consistency;
    private final long[] clocks;

    private RowPlan(ConsistencySpec consistency, long[] clocks) {
        this.consistency = consistency;
        this.clocks = clocks;
    }

    /**
     * Creates the plan of an attempt.
     *
     * @param before that of the attempt whose rounds it goes on with, or null
     */
    static RowPlan of(
            ConsistencySpec consistency,
            int rows,
            List<JobCheckpoint.WorkerState> workers,
            RowPlan before) {
        long[] clocks = new long[rows];
        for (int row = 0; row < rows; row++) {
            clocks[row] = before == null ? BEFORE : before.clocks[row];
        }
        for (JobCheckpoint.WorkerState worker : workers) {
            long clock = worker.clock();
            for (int row : worker.left()) {
                clocks[row] = clock++;
            }
        }
        return new RowPlan(consistency, clocks);
    }

    /**
     * Checks a pull of a worker at a clock: it must see what is before the bound, under BSP nothing
     * else, and nothing twice.
     */
    void check(float[] seen, int reader, long clock) {
        for (int row = 0; row < clocks.length; row++) {
            boolean must =
                    clocks[row] == BEFORE
                            || switch (consistency.kind()) {
                                case BSP -> clocks[row] < clock;
                                case SSP -> clocks[row] < clock - consistency.staleness();
                                default -> false;
                            };
            boolean may = must || consistency.kind() != ConsistencySpec.Kind.BSP;
            if (!(seen[row] == 1 && may || seen[row] == 0 && !must)) {
                throw new AssertionError(
                        "worker %d at clock %d under %s sees row %d of clock %d: %s"
                                .formatted(
                                        reader, clock, consistency, row, clocks[row], seen[row]));
            }
        }
    }
}
