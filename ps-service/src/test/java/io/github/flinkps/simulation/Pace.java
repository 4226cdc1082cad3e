package io.github.flinkps.simulation;

import io.github.flinkps.common.KeyHash;
import java.util.Random;

/**
 * The way in which the workers of a simulated job go through their rows. Some rows are trained
 * without a pull before, so that their worker waits for nobody and may be rounds ahead. Before some
 * comes a mini-batch that pushes nothing. Which they are is a function of the row.
 *
 * @param blind of eight rows so many are trained without a pull
 * @param empty before so many of eight rows comes a mini-batch that pushes nothing
 */
record Pace(int blind, int empty) {
    /** Every row is pulled for, and pushes. */
    static final Pace STEADY = new Pace(0, 0);

    /** The weight of a mini-batch that pushes nothing. */
    static final double EMPTY_WEIGHT = 1.25;

    static Pace draw(Random random) {
        return random.nextInt(3) == 0 ? STEADY : new Pace(2 * random.nextInt(4), random.nextInt(3));
    }

    /** Returns whether a worker pulls before it trains a row. */
    boolean pulls(int row) {
        return (KeyHash.mix64(row) & 7) >= blind;
    }

    /** Returns whether a mini-batch that pushes nothing comes before that of a row. */
    boolean isEmptyBefore(int row) {
        return (KeyHash.mix64(~row) & 7) < empty;
    }
}
