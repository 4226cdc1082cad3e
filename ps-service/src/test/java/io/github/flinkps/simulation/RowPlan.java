package io.github.flinkps.simulation;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.server.OwnerRows;
import java.util.Arrays;
import java.util.List;

/**
 * Says at which clock which worker of an attempt trains each row, and so what a pull must see, and
 * what servers must have, of a table in which each row has an element of its own, to which it adds
 * 1.
 */
final class RowPlan implements OwnerRows.Rule {
    /** Rows that were trained before the rounds of these workers. */
    private static final long BEFORE = -1;

    private final ConsistencySpec consistency;
    private final long[] clocks;
    private final int[] workers;

    private RowPlan(ConsistencySpec consistency, int rows) {
        this.consistency = consistency;
        this.clocks = new long[rows];
        this.workers = new int[rows];
    }

    /**
     * Creates the plan of an attempt.
     *
     * @param workers at each clock one row, or none as their pace has it
     * @param before that of the attempt whose rounds it goes on with, or null
     */
    static RowPlan of(
            ConsistencySpec consistency,
            int rows,
            Pace pace,
            List<JobCheckpoint.WorkerState> workers,
            RowPlan before) {
        RowPlan plan = new RowPlan(consistency, rows);
        for (int row = 0; row < rows; row++) {
            plan.clocks[row] = before == null ? BEFORE : before.clocks[row];
            plan.workers[row] = before == null ? 0 : before.workers[row];
        }
        for (int worker = 0; worker < workers.size(); worker++) {
            long clock = workers.get(worker).clock();
            for (int row : workers.get(worker).left()) {
                clock += pace.isEmptyBefore(row) ? 1 : 0;
                plan.clocks[row] = clock++;
                plan.workers[row] = worker;
            }
        }
        return plan;
    }

    /**
     * Returns what contradicts the plan at a server. Under BSP rows are those of the rounds that
     * are over, else those of the mini-batches that their worker has ended, and maybe of the next.
     */
    @Override
    public String contradiction(long[] atServer, long lowest, long fromRow, float[] values) {
        for (int i = 0; i < values.length; i++) {
            int row = (int) fromRow + i;
            long clock = clocks[row];
            boolean bsp = consistency.kind() == ConsistencySpec.Kind.BSP;
            long ended = bsp ? lowest : atServer[workers[row]];
            boolean must = clock == BEFORE || clock < ended;
            boolean may = must || !bsp && clock == ended;
            if (!(values[i] == 1 && may || values[i] == 0 && !must)) {
                return "clocks %s: row %d, which worker %d trains at clock %d, counts %s times"
                        .formatted(Arrays.toString(atServer), row, workers[row], clock, values[i]);
            }
        }
        return null;
    }

    /**
     * Returns what contradicts the plan in a pull of a worker at a clock, or null: it must see what
     * is before the bound, under BSP nothing else, and nothing twice.
     */
    String contradiction(float[] seen, int reader, long clock) {
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
                return "worker %d at clock %d under %s sees row %d of clock %d: %s"
                        .formatted(reader, clock, consistency, row, clocks[row], seen[row]);
            }
        }
        return null;
    }
}
