package io.github.flinkps.simulation;

import java.util.Random;

/**
 * The way in which workers of a simulated job rest that have nothing to train: they say that they
 * are idle, and join again when there are rows.
 *
 * @param of eight moments in which a worker has nothing to train, it rests from so many on
 * @param mostNanos when it does, now and then there are no more rows for at most so long
 */
record Rests(int of, int mostNanos) {
    /** No worker ever rests. */
    static final Rests NONE = new Rests(0, 0);

    /** Draws how workers rest: in one of two runs they do not. */
    static Rests draw(Random random) {
        return random.nextBoolean() ? NONE : some(random);
    }

    /** Draws how often workers rest, and how long. */
    static Rests some(Random random) {
        return new Rests(2 + random.nextInt(6), 100_000_000 << random.nextInt(3));
    }

    /** Returns whether a worker that has nothing to train rests now. */
    boolean begins(Random random) {
        return of > 0 && random.nextInt(8) < of;
    }

    /** Returns how long there are no rows for a worker that rests. */
    long quietNanos(Random random) {
        return random.nextBoolean() ? random.nextInt(mostNanos) : 0;
    }
}
