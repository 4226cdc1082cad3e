package io.github.flinkps.server;

import java.util.ArrayList;

/**
 * The rounds of BSP of an attempt at an owner thread that are not over: the weights of their
 * mini-batches, the pushes kept for them, and the partitions that have any. A round is over when
 * every worker's clock has passed it; its pushes are then summed in the order of workers and
 * applied as one step. Confined to the owner thread.
 */
final class OpenRounds {
    private final int workers;
    private final StepCount steps;
    private final RoundMerger merger = new RoundMerger();

    /**
     * The open rounds, by ascending clock: a worker may be ahead of one whose push is still on its
     * way.
     */
    private final ArrayList<Round> rounds = new ArrayList<>(2);

    /** An empty round for the next one to come, or null. */
    private Round spare;

    OpenRounds(int workers, StepCount steps) {
        this.workers = workers;
        this.steps = steps;
    }

    private static final class Round {
        private final RoundWeights weights;
        private final ArrayList<Push> kept = new ArrayList<>();
        private final ArrayList<PartitionLog> touched = new ArrayList<>();
        private long clock;

        Round(int workers) {
            this.weights = new RoundWeights(workers);
        }

        /** Lets the pushes go; it is then empty. */
        void clear() {
            kept.forEach(Push::release);
            kept.clear();
            touched.clear();
            weights.clear();
        }
    }

    private Round at(long clock) {
        int at = rounds.size();
        while (at > 0 && rounds.get(at - 1).clock >= clock) {
            at--;
        }
        if (at == rounds.size() || rounds.get(at).clock != clock) {
            Round round = spare == null ? new Round(workers) : spare;
            spare = null;
            round.clock = clock;
            rounds.add(at, round);
        }
        return rounds.get(at);
    }

    /** Returns the clock of the oldest round, infinite without any. */
    long oldest() {
        return rounds.isEmpty() ? WorkerClocks.INFINITE : rounds.get(0).clock;
    }

    /**
     * Takes the weight of a worker's mini-batch, which ends its part of the round of this clock.
     */
    void weigh(long clock, int worker, double weight) {
        if (workers > 1 || !rounds.isEmpty()) {
            at(clock).weights.set(worker, weight);
        }
    }

    /** Keeps a worker's push, its frame and rows, for the round of this clock. */
    void keep(long clock, int worker, Push push) {
        Round round = at(clock);
        int slices = push.rows().slices();
        round.touched.ensureCapacity(round.touched.size() + slices);
        round.kept.add(push);
        push.retain();
        for (int slice = 0; slice < slices; slice++) {
            keep(round, worker, push, slice);
        }
    }

    private static void keep(Round round, int worker, Push push, int slice) {
        PartitionLog log = push.rows().log(slice);
        if (log.keep(round.clock, worker, push, slice)) {
            round.touched.add(log);
        }
    }

    /**
     * Ends the rounds before a clock, oldest first.
     *
     * @param lowest clock of the workers, {@link WorkerClocks#INFINITE} for all rounds
     * @return why one of them is lost, at one partition at least; null if none is
     */
    Throwable endBefore(long lowest) {
        Throwable failure = null;
        while (!rounds.isEmpty() && rounds.get(0).clock < lowest) {
            failure = graver(failure, end(rounds.remove(0)));
        }
        if (lowest != WorkerClocks.INFINITE) {
            steps.roundsBefore(lowest);
        }
        return failure;
    }

    /** Returns the first of two failures, or the one that is an error; either may be null. */
    private static Throwable graver(Throwable first, Throwable second) {
        boolean error = second instanceof Error && !(first instanceof Error);
        return first == null || error ? second : first;
    }

    private Throwable end(Round round) {
        Throwable failure = null;
        for (int i = 0; i < round.touched.size(); i++) {
            try {
                round.touched.get(i).apply(round.clock, round.weights, merger);
            } catch (RuntimeException | Error e) {
                failure = graver(failure, e);
            }
        }
        steps.roundsBefore(round.clock + 1);
        round.clear();
        spare = round;
        return failure;
    }

    /** Visits mini-batches, and pushes of one, that wait for their round. */
    interface PendingVisitor {
        /**
         * Visits a push.
         *
         * @param batchWeight of the worker's mini-batch, 0 while its clock has not passed
         * @param push of the worker; null where it has none here
         */
        void visit(long clock, int worker, double batchWeight, Push push, int slice);
    }

    /** Visits what waits at a partition: rounds ascending, in them workers, in them pushes. */
    void eachPending(PartitionLog log, PendingVisitor visitor) {
        for (Round round : rounds) {
            PartitionRound here = log.round(round.clock);
            for (int worker = 0; worker < workers; worker++) {
                double weight = round.weights.get(worker);
                if (here != null && here.has(worker)) {
                    here.each(
                            worker,
                            (of, push, slice) ->
                                    visitor.visit(round.clock, of, weight, push, slice));
                } else if (weight > 0) {
                    visitor.visit(round.clock, worker, weight, null, 0);
                }
            }
        }
    }

    /**
     * Takes back what {@link #eachPending} has told.
     *
     * @param push of one slice, which stands for {@code log}; null: none
     */
    void restore(long clock, int worker, double batchWeight, PartitionLog log, Push push) {
        Round round = at(clock);
        round.weights.set(worker, batchWeight);
        if (push != null) {
            round.kept.add(push);
            push.retain();
            if (log.keep(clock, worker, push, 0)) {
                round.touched.add(log);
            }
        }
    }

    /** Drops all rounds, and lets their pushes go. */
    void clear() {
        for (Round round : rounds) {
            round.touched.forEach(PartitionLog::clear);
            round.clear();
        }
        rounds.clear();
    }
}
