package io.github.flinkps.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/**
 * The mini-batches that a model has the effects of, in rounds: those of one attempt of a job,
 * behind those of the checkpoint from which it goes on.
 */
final class History {
    /** Gradients of rows of a table, one after the other. */
    record Push(String table, long[] keys, float[] gradients) {}

    /** The pushes of a worker in one mini-batch. */
    record Batch(List<Push> pushes, double weight) {}

    /** Rounds of workers that there are no more, in order; they are over. */
    private final List<Collection<Batch>> before = new ArrayList<>();

    /** By clock and worker. */
    private final TreeMap<Long, TreeMap<Integer, Batch>> rounds = new TreeMap<>();

    private long firstClock;

    /** Adds a mini-batch of a worker at a clock. */
    void add(int worker, long clock, Batch batch) {
        rounds.computeIfAbsent(clock, key -> new TreeMap<>()).put(worker, batch);
    }

    /** Returns a copy without what workers did from these clocks on. */
    History until(long[] clocks) {
        History copy = new History();
        copy.before.addAll(before);
        copy.firstClock = firstClock;
        rounds.forEach(
                (clock, batches) ->
                        batches.forEach(
                                (worker, batch) -> {
                                    if (clock < clocks[worker]) {
                                        copy.add(worker, clock, batch);
                                    }
                                }));
        return copy;
    }

    /** Ends all rounds: others work from now on, who begin at a clock. */
    void endRounds(long clock) {
        rounds.values().forEach(round -> before.add(round.values()));
        rounds.clear();
        firstClock = clock;
    }

    /** Returns the model after the rounds that every worker has finished. */
    PlainModel model(long lowestClock) {
        PlainModel model = new PlainModel();
        before.forEach(model::step);
        for (long clock = firstClock; clock < lowestClock && rounds.containsKey(clock); clock++) {
            model.step(rounds.get(clock).values());
        }
        return model;
    }
}
