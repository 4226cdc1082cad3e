package io.github.flinkps.simulation;

import io.github.flinkps.client.Residual;
import io.github.flinkps.model.cut.CutClock;
import io.github.flinkps.model.cut.ManifestRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A complete checkpoint of a simulated job.
 *
 * @param manifest of its cut
 * @param workers what each worker stored
 * @param history of the attempt that took it; may have gone on since
 * @param plan of that attempt
 */
record JobCheckpoint(
        long number,
        ManifestRef manifest,
        List<WorkerState> workers,
        History history,
        RowPlan plan) {

    /**
     * A worker in a checkpoint.
     *
     * @param order of the rows it is given
     * @param read how many of them it has read
     * @param untrained those read and not trained
     * @param residuals what it holds
     */
    record WorkerState(
            int[] order,
            int read,
            List<Integer> untrained,
            Standing standing,
            List<Residual> residuals) {
        /** Returns the state of a worker that has done nothing yet. */
        static WorkerState fresh(int[] order, long clock) {
            return new WorkerState(order, 0, List.of(), Standing.begin(clock), List.of());
        }

        /** Returns the rows it has not trained, in its order. */
        List<Integer> left() {
            List<Integer> left = new ArrayList<>(untrained);
            for (int i = read; i < order.length; i++) {
                left.add(order[i]);
            }
            return left;
        }

        long clock() {
            return standing.clock();
        }

        boolean finished() {
            return standing.isFinished();
        }

        WorkerState with(Standing other) {
            return new WorkerState(order, read, untrained, other, residuals);
        }
    }

    /** Returns whether its cut has the effects of a row. */
    boolean hasRow(int row) {
        return workers.stream().noneMatch(state -> state.left().contains(row));
    }

    /** Returns the workers' clocks; those of finished ones are where they ended. */
    long[] clocks() {
        return workers.stream().mapToLong(WorkerState::clock).toArray();
    }

    /** Returns the rounds that were complete: the lowest clock of those who had not finished. */
    long lowestClock() {
        return workers.stream()
                .filter(state -> !state.finished())
                .mapToLong(WorkerState::clock)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Returns where workers are waited for at the cut: at 0 if all were idle. */
    private long lowestActive() {
        return workers.stream()
                .map(WorkerState::standing)
                .filter(standing -> !standing.isFinished() && !standing.isIdle())
                .mapToLong(Standing::clock)
                .min()
                .orElse(0);
    }

    /** Returns whether a worker may have been ahead of its clock at each server. */
    private boolean isAhead() {
        return workers.stream().anyMatch(state -> state.standing().ahead());
    }

    /** Returns where as many workers begin: where they were, but who was idle with the slowest. */
    private Standing beginning(Standing before) {
        long clock = before.isIdle() ? Math.max(lowestActive(), before.clock()) : before.clock();
        CutClock.State state =
                before.isFinished() ? CutClock.State.FINISHED : CutClock.State.ACTIVE;
        return new Standing(state, clock, isAhead());
    }

    /** Returns where workers begin if they are not as many: at the highest clock. */
    private long highestClock() {
        return workers.stream()
                .filter(state -> !state.finished())
                .mapToLong(WorkerState::clock)
                .max()
                .orElse(0);
    }

    /** Returns the mini-batches its cut has, for an attempt of so many workers to go on with. */
    History historyFor(int newWorkers) {
        History before = history.until(clocks());
        if (newWorkers != workers.size()) {
            before.endRounds(highestClock());
        }
        return before;
    }

    /**
     * Returns what an attempt of so many workers begins with; others are dealt what is left. Where
     * a standing is ahead, servers may have its worker begin later.
     */
    List<WorkerState> statesFor(int newWorkers) {
        if (newWorkers == workers.size()) {
            return workers.stream().map(each -> each.with(beginning(each.standing()))).toList();
        }
        List<List<Integer>> rows = new ArrayList<>();
        List<List<Residual>> retained = new ArrayList<>();
        for (int worker = 0; worker < newWorkers; worker++) {
            rows.add(new ArrayList<>());
            retained.add(new ArrayList<>());
        }
        int dealt = 0;
        for (WorkerState state : workers) {
            retained.get(dealt % newWorkers).addAll(state.residuals());
            for (int row : state.left()) {
                rows.get(dealt++ % newWorkers).add(row);
            }
        }
        Standing begin = new Standing(CutClock.State.ACTIVE, highestClock(), isAhead());
        List<WorkerState> states = new ArrayList<>();
        for (int worker = 0; worker < newWorkers; worker++) {
            int[] order = rows.get(worker).stream().mapToInt(row -> row).toArray();
            states.add(new WorkerState(order, 0, List.of(), begin, retained.get(worker)));
        }
        return states;
    }

    /** Adds what its workers retained to the counts of its cut. */
    void addHeld(float[] seen, Map<Long, Float> shared) {
        for (WorkerState state : workers) {
            for (Residual retained : state.residuals()) {
                for (int i = 0; i < retained.rows(); i++) {
                    long key = retained.keys()[i];
                    float first = retained.values()[i * retained.width()];
                    switch (retained.table()) {
                        case "seen" -> seen[(int) key] += first;
                        case "shared" -> shared.merge(key, first, Float::sum);
                        default -> {}
                    }
                }
            }
        }
    }
}
