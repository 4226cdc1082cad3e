package io.github.flinkps.server;

import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.StepContext;
import java.util.ArrayList;
import java.util.Arrays;

/**
 * What workers do to one partition: per worker one contiguous sequence of entries, each of which
 * takes effect once, and the vector of clocks. Under BSP the pushes of round c wait until every
 * clock has passed c, and are then applied as one step, summed in the order of workers. Confined to
 * the owner thread.
 */
final class PartitionLog {
    private final Partition partition;
    private final ReadBound bound;
    private final RoundMerger merger;
    private final WorkerClocks clocks;
    private final StepContext step = new StepContext();

    /** Ascending by clock: a worker may be ahead of one whose push is still on its way. */
    private final ArrayList<Round> rounds = new ArrayList<>();

    /** Steps the partition had counted before this log's rounds. */
    private long stepsBefore;

    /** An empty round for the next one to come, or null. */
    private Round spare;

    /** A log that begins where {@code clocks} stand, and keeps them. */
    PartitionLog(Partition partition, ReadBound bound, RoundMerger merger, WorkerClocks clocks) {
        this.partition = partition;
        this.bound = bound;
        this.merger = merger;
        this.clocks = clocks;
        this.stepsBefore = partition.step();
    }

    Partition partition() {
        return partition;
    }

    WorkerClocks clocks() {
        return clocks;
    }

    /** A push of a worker: applied now, or under BSP with its round. */
    void push(int worker, Contribution contribution) {
        if (!bound.rounds()) {
            long number = partition.step() + 1;
            apply(contribution, number, 1 + (number - 1) / Math.max(1, clocks.workers()));
            return;
        }
        round(clocks.clock(worker)).add(worker, contribution);
        contribution.retain();
    }

    private Round round(long clock) {
        int at = rounds.size();
        while (at > 0 && rounds.get(at - 1).clock >= clock) {
            at--;
        }
        if (at == rounds.size() || rounds.get(at).clock != clock) {
            Round round = spare == null ? new Round(clocks.workers()) : spare;
            spare = null;
            round.clock = clock;
            rounds.add(at, round);
        }
        return rounds.get(at);
    }

    /** A push from outside the workers: one step of its own, now. */
    void pushNow(Contribution contribution) {
        long number = partition.step() + 1;
        apply(contribution, number, number);
        partition.advance(1);
    }

    private void apply(Contribution contribution, long number, long round) {
        step.set(contribution.weight(), number, round);
        contribution.rows().apply(contribution.slice(), partition, contribution.values(), step);
    }

    /**
     * A worker has finished a mini-batch.
     *
     * @param weight sum of its row weights, whether or not it touched this partition
     */
    void clock(int worker, long clock, double weight) {
        if (!bound.rounds()) {
            partition.advance(1);
        } else if (clocks.workers() > 1 || !rounds.isEmpty()) {
            round(clocks.clock(worker)).weigh(worker, weight);
        }
        if (clocks.advance(worker, clock)) {
            applyRounds();
        }
    }

    /** A worker has no rows for now. */
    void idle(int worker) {
        if (clocks.idle(worker)) {
            applyRounds();
        }
    }

    /** A worker has rows again, from this clock on; 0: from that of the others. */
    void rejoin(int worker, long clock) {
        clocks.rejoin(worker, clock);
    }

    /** A worker has finished. */
    void deregister(int worker) {
        if (clocks.finish(worker)) {
            applyRounds();
        }
    }

    /**
     * Applies the rounds that every clock has passed; the partition's step is the number of such
     * rounds, after those it had before. One that fails is lost, and thrown when all are over.
     */
    private void applyRounds() {
        if (!bound.rounds()) {
            return;
        }
        long lowest = clocks.lowest();
        Throwable failure = null;
        while (!rounds.isEmpty() && rounds.get(0).clock < lowest) {
            Round round = rounds.remove(0);
            try {
                long number = stepsBefore + round.clock + 1;
                stepTo(number - 1);
                merger.apply(partition, round.byWorker, round.weights, step, number);
                stepTo(number);
            } catch (RuntimeException | Error e) {
                failure = failure == null ? e : failure;
            } finally {
                round.release();
                spare = round;
            }
        }
        if (lowest != WorkerClocks.INFINITE) {
            stepTo(stepsBefore + lowest);
        }
        if (failure instanceof Error error) {
            throw error;
        } else if (failure instanceof RuntimeException error) {
            throw error;
        }
    }

    private void stepTo(long steps) {
        partition.advance(Math.max(0, steps - partition.step()));
    }

    /** Rows have been loaded that had taken so many steps. */
    void loaded(long steps) {
        long more = Math.max(0, steps - partition.step());
        partition.advance(more);
        stepsBefore += more;
    }

    /** Steps the partition had counted before the rounds of this attempt. */
    long stepsBefore() {
        return stepsBefore;
    }

    /** A mini-batch, or a push of one, that waits for its round. */
    interface PendingVisitor {
        /**
         * @param batchWeight of the worker's mini-batch, 0 while its clock has not passed
         * @param contribution one of its pushes; null where it has none here
         */
        void visit(long clock, int worker, double batchWeight, Contribution contribution);
    }

    /** Visits what waits for its round: rounds ascending, in them workers, in them pushes. */
    void eachPending(PendingVisitor visitor) {
        for (Round round : rounds) {
            for (int worker = 0; worker < round.weights.length; worker++) {
                Contribution[] pushes = round.byWorker[worker];
                double weight = round.weights[worker];
                if (pushes == null && weight > 0) {
                    visitor.visit(round.clock, worker, weight, null);
                }
                for (int i = 0; pushes != null && i < pushes.length; i++) {
                    visitor.visit(round.clock, worker, weight, pushes[i]);
                }
            }
        }
    }

    /** Takes what a cut says of the partition's steps; its rows have been restored. */
    void restore(long steps, long before) {
        stepTo(steps);
        stepsBefore = before;
    }

    /** Takes back what {@link #eachPending} has told; keeps the contribution without retaining. */
    void restorePending(long clock, int worker, double batchWeight, Contribution contribution) {
        Round round = round(clock);
        round.weigh(worker, batchWeight);
        if (contribution != null) {
            round.add(worker, contribution);
        }
    }

    /**
     * Applies what waits for its round as if all workers had gone on; throws what the first of the
     * rounds that fail does.
     */
    void applyPending() {
        boolean moves = false;
        for (int worker = 0; worker < clocks.workers(); worker++) {
            moves |= clocks.finish(worker);
        }
        if (moves) {
            applyRounds();
        }
    }

    boolean ready(int worker, long pullClock) {
        return worker < 0 || bound.ready(clocks.clocks(), clocks.lowest(), worker, pullClock);
    }

    /** Drops what waits for its round. */
    void release() {
        rounds.forEach(Round::release);
        rounds.clear();
    }

    /** The mini-batches of one round; a worker may have several pushes. */
    private static final class Round {
        private long clock;
        private final Contribution[][] byWorker;
        private final double[] weights;

        Round(int workers) {
            this.byWorker = new Contribution[workers][];
            this.weights = new double[workers];
        }

        void weigh(int worker, double weight) {
            weights[worker] = weight;
        }

        void add(int worker, Contribution contribution) {
            Contribution[] before = byWorker[worker];
            int count = before == null ? 0 : before.length;
            Contribution[] grown =
                    count == 0 ? new Contribution[1] : Arrays.copyOf(before, count + 1);
            grown[count] = contribution;
            byWorker[worker] = grown;
        }

        /** Lets the pushes go; it is then empty. */
        void release() {
            for (Contribution[] contributions : byWorker) {
                if (contributions != null) {
                    for (Contribution contribution : contributions) {
                        contribution.release();
                    }
                }
            }
            Arrays.fill(byWorker, null);
            Arrays.fill(weights, 0);
        }
    }
}
