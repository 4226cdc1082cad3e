package io.github.flinkps.service;

import io.github.flinkps.server.ReadPredicate;
import java.util.Arrays;

/** A user's bound: a pull is answered when half of the workers or more have come as far. */
public final class HalfOfTheWorkers implements ReadPredicate {
    static final String NAME = "half-of-the-workers";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean ready(long[] clocks, int worker, long pullClock) {
        return 2 * Arrays.stream(clocks).filter(clock -> clock >= pullClock).count()
                >= clocks.length;
    }
}
