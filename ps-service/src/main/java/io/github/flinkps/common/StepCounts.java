package io.github.flinkps.common;

/**
 * The steps that the optimizer of a partition has counted, and the rounds that they have made. A
 * round is a step of all workers together under BSP, else as many steps as there are workers.
 *
 * @param steps all of them
 * @param rounds those that are over; schedules of learning rates go by them
 * @param ofRound steps of the round that is not over
 */
public record StepCounts(long steps, long rounds, long ofRound) {
    public StepCounts {
        if (!areValid(steps, rounds, ofRound)) {
            throw new IllegalArgumentException(
                    steps + " steps have not made " + rounds + " rounds and " + ofRound + " more");
        }
    }

    /** Returns whether counts can be; a peer or a file may say anything. */
    public static boolean areValid(long steps, long rounds, long ofRound) {
        return rounds >= 0 && rounds <= steps && ofRound >= 0 && ofRound <= steps;
    }

    /** Counts rounds of BSP, each of which is a step. */
    public static StepCounts ofRounds(long rounds) {
        return new StepCounts(rounds, rounds, 0);
    }
}
