package io.github.flinkps.server;

import io.github.flinkps.common.StepCounts;
import io.github.flinkps.server.store.Confinement;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.StepContext;
import java.util.ArrayList;
import java.util.Objects;

/**
 * The effects of an attempt on one partition: pushes applied at once, or under BSP the pushes of
 * rounds that are not over. Confined to the owner thread.
 */
final class PartitionLog {
    private final Confinement confinement = new Confinement();
    private final Partition partition;
    private final StepCount steps;
    private final int workers;
    private final StepContext step = new StepContext();

    /** Rounds with pushes here, ascending by clock. */
    private final ArrayList<PartitionRound> rounds = new ArrayList<>(2);

    /** An empty round for the next one to come, or null. */
    private PartitionRound spare;

    /** Steps the partition had counted before those of this attempt's rounds. */
    private long stepsBefore;

    /** The attempt's mini-batches that the partition has counted. */
    private long batchesCounted;

    /** Steps that make a round in this attempt. */
    private final int stepsOfRound;

    /** Rounds, whoever has trained them, that were over before the step {@link #roundsFrom}. */
    private long roundsBefore;

    private long roundsFrom;

    /** Begins the log of a partition whose steps, if it has any, were rounds of BSP. */
    PartitionLog(Partition partition, StepCount steps, int workers) {
        this.partition = partition;
        this.steps = steps;
        this.workers = workers;
        this.batchesCounted = steps.count();
        this.stepsBefore = partition.step();
        this.stepsOfRound = steps.countsRounds() ? 1 : Math.max(1, workers);
        goOn(StepCounts.ofRounds(partition.step()));
    }

    /** Begins a log that goes on where another one of its partition has come. */
    PartitionLog(PartitionLog before, StepCount steps, int workers) {
        this(before.partition(), steps, workers);
        goOn(before.counts());
    }

    /** Goes on with the round that is open, whose last step at least is this attempt's. */
    private void goOn(StepCounts counts) {
        roundsBefore = counts.rounds();
        roundsFrom = counts.steps() - Math.min(counts.ofRound(), stepsOfRound - 1);
    }

    /** Returns what the partition has counted by now. */
    StepCounts counts() {
        long step = partition().step();
        long since = step - roundsFrom;
        return new StepCounts(step, roundsBefore + since / stepsOfRound, since % stepsOfRound);
    }

    /** Returns the round that a step is of; both count from 1. */
    private long roundOf(long number) {
        return roundsBefore + (number - 1 - roundsFrom) / stepsOfRound + 1;
    }

    /** Returns the partition, which has counted all steps by now. */
    Partition partition() {
        assert confinement.isOwnThread();
        if (steps.countsRounds()) {
            stepTo(stepsBefore + steps.count());
        } else if (batchesCounted != steps.count()) {
            partition.advance(steps.count() - batchesCounted);
            batchesCounted = steps.count();
        }
        return partition;
    }

    private void stepTo(long target) {
        if (target > partition.step()) {
            partition.advance(target - partition.step());
        }
    }

    /** Returns the steps that come before the round of a clock, at least those counted by now. */
    long stepsBeforeRound(long clock) {
        long counted = partition().step();
        return steps.countsRounds() ? Math.max(counted, stepsBefore + clock) : counted;
    }

    /** Applies a slice of a worker's push at once. */
    void push(Push push, int slice) {
        long number = partition().step() + 1;
        apply(push, slice, number);
    }

    /**
     * Applies a slice of a push from outside the workers: a step and a round of its own, before
     * open rounds.
     */
    void pushNow(Push push, int slice) {
        apply(push, slice, partition().step() + 1);
        partition.advance(1);
        stepsBefore++;
        roundsBefore++;
        roundsFrom++;
    }

    private void apply(Push push, int slice, long number) {
        step.set(push.weight(), number, roundOf(number));
        push.rows().apply(slice, partition, push.gradients().position(push.from(slice)), step);
    }

    /**
     * Keeps a slice of a worker's push for its round.
     *
     * @return whether it is the first of that round here
     */
    boolean keep(long clock, int worker, Push push, int slice) {
        assert confinement.isOwnThread();
        Objects.checkIndex(worker, workers); // of a file it may be any number
        int at = rounds.size();
        while (at > 0 && rounds.get(at - 1).clock() >= clock) {
            at--;
        }
        boolean first = at == rounds.size() || rounds.get(at).clock() != clock;
        if (first) {
            PartitionRound round = spare == null ? new PartitionRound() : spare;
            spare = null;
            round.begin(clock);
            rounds.add(at, round);
        }
        rounds.get(at).add(worker, push, slice);
        return first;
    }

    /** Returns the pushes of a round that are kept here, or null. */
    PartitionRound round(long clock) {
        for (int i = 0; i < rounds.size(); i++) {
            if (rounds.get(i).clock() == clock) {
                return rounds.get(i);
            }
        }
        return null;
    }

    /**
     * Applies the pushes kept for a round, which is over, as one step.
     *
     * @param weights of the workers' mini-batches, 0 where that is not known
     */
    void apply(long clock, RoundWeights weights, RoundMerger merger) {
        assert confinement.isOwnThread();
        PartitionRound round = round(clock);
        if (round == null) {
            return;
        }
        rounds.remove(round);
        try {
            stepTo(stepsBefore + clock);
            long number = stepsBefore + clock + 1;
            merger.apply(partition, round, weights, step.set(1, number, roundOf(number)));
        } finally {
            round.clear();
            spare = round;
        }
    }

    /** Counts the steps and rounds of rows that have been loaded, where they are more. */
    void loaded(StepCounts loaded) {
        StepCounts now = counts();
        long more = Math.max(0, loaded.steps() - now.steps());
        long rounds = Math.max(loaded.rounds(), now.rounds());
        partition.advance(more);
        stepsBefore += more;
        long ofRound = more > 0 ? loaded.ofRound() : now.ofRound();
        goOn(new StepCounts(now.steps() + more, rounds, ofRound));
    }

    /** Returns the steps that the partition had counted before the rounds of this attempt. */
    long stepsBefore() {
        return stepsBefore;
    }

    /** Takes what a cut says of the partition's steps; its rows have been restored. */
    void restore(StepCounts counts, long before) {
        assert confinement.isOwnThread();
        stepTo(counts.steps());
        stepsBefore = before;
        goOn(counts);
    }

    /**
     * Makes the round of this clock the next step. A finished worker may have been in rounds beyond
     * the clock at which others begin. A table that came late may have counted fewer steps than the
     * clock says; its partition then counts all rounds, as one does that comes under BSP.
     */
    void goOnAt(long clock) {
        if (steps.countsRounds()) {
            stepsBefore = Math.max(0, partition.step() - clock);
        }
    }

    /** Forgets the pushes kept; the rounds they are of let them go. */
    void clear() {
        assert confinement.isOwnThread();
        rounds.clear();
    }
}
