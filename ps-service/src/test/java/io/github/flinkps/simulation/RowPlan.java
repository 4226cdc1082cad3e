package io.github.flinkps.simulation;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.server.OwnerRows;
import java.util.Arrays;
import java.util.BitSet;
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
    private final Pace pace;

    /** Rows that their workers have pushed, and those whose pushes have been acknowledged. */
    private final BitSet sent = new BitSet();

    private final BitSet acknowledged = new BitSet();

    /** Rows that were pushed at a clock beyond which their workers stood at an owner by then. */
    private final BitSet late = new BitSet();

    /** Workers that have been idle: rows they have not pushed yet, nobody waits for. */
    private final BitSet rested = new BitSet();

    private RowPlan(ConsistencySpec consistency, int rows, Pace pace) {
        this.consistency = consistency;
        this.clocks = new long[rows];
        this.workers = new int[rows];
        this.pace = pace;
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
        RowPlan plan = new RowPlan(consistency, rows, pace);
        boolean inRounds = before != null && plan.isBsp();
        for (int row = 0; row < rows; row++) {
            plan.clocks[row] = inRounds ? before.clocks[row] : BEFORE;
            plan.workers[row] = inRounds ? before.workers[row] : 0;
        }
        for (int worker = 0; worker < workers.size(); worker++) {
            plan.goOn(worker, workers.get(worker).clock(), workers.get(worker).left());
        }
        return plan;
    }

    private boolean isBsp() {
        return consistency.kind() == ConsistencySpec.Kind.BSP;
    }

    /** Has a worker train the rows that it has not pushed from a clock on. */
    void goOn(int worker, long fromClock, List<Integer> left) {
        long clock = fromClock;
        for (int row : left) {
            clock += pace.isEmptyBefore(row) ? 1 : 0;
            clocks[row] = clock++;
            workers[row] = worker;
        }
    }

    /** Lets nobody wait for rows that a worker, which is idle now, has not pushed. */
    void rests(int worker) {
        rested.set(worker);
    }

    /**
     * Takes note that a row's worker pushes it.
     *
     * @param isLate whether it stands at an owner beyond its clock, where others may then be too
     */
    void sends(int row, long clock, boolean isLate) {
        clocks[row] = clock;
        sent.set(row);
        late.set(row, isLate);
    }

    /** Takes note that all owners have taken the push of a row. */
    void acknowledges(int row) {
        acknowledged.set(row);
    }

    /** Returns whether who has come beyond a row's clock, or waits for those who must, has it. */
    private boolean countsByClock(int row) {
        return sent.get(row) ? !late.get(row) : !rested.get(workers[row]);
    }

    /**
     * Returns what contradicts the plan at a server. Under BSP rows are those of the rounds that
     * are over, else those of the mini-batches that their worker has ended, and maybe of the next.
     */
    @Override
    public String contradiction(OwnerRows.Workers there, long fromRow, float[] values) {
        for (int i = 0; i < values.length; i++) {
            int row = (int) fromRow + i;
            long clock = clocks[row];
            boolean must = clock == BEFORE || isBsp() && clock < there.lowest();
            boolean may = must;
            if (!must && !isBsp()) {
                long ended = there.clocks()[workers[row]];
                boolean taken = acknowledged.get(row) && !there.deferred()[workers[row]];
                must = taken || clock < ended && countsByClock(row);
                may = must || clock <= ended && sent.get(row);
            }
            if (!(values[i] == 1 && may || values[i] == 0 && !must)) {
                return "clocks %s: row %d, which worker %d trains at clock %d, counts %s times"
                        .formatted(
                                Arrays.toString(there.clocks()),
                                row,
                                workers[row],
                                clock,
                                values[i]);
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
                                case SSP ->
                                        clocks[row] < clock - consistency.staleness()
                                                && countsByClock(row);
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
