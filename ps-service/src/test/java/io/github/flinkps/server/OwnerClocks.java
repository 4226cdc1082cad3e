package io.github.flinkps.server;

import java.util.Arrays;

/**
 * Looks at the clocks of each owner of a server, which all its partitions share. Between two events
 * the lowest clock is that of its slowest worker, and every round before it is over.
 */
public final class OwnerClocks extends OwnerCheck {
    /** Creates a look at a server whose loops do not run meanwhile. */
    public OwnerClocks(ServerNode node) {
        super(node);
    }

    @Override
    String wrong(OwnerModel model) {
        ModelEffects effects = model.attempt().effects();
        WorkerClocks clocks = effects.clocks();
        long lowest = Arrays.stream(clocks.clocks()).min().orElse(WorkerClocks.INFINITE);
        long oldest = effects.rounds().oldest();
        return clocks.lowest() == lowest && oldest >= lowest
                ? null
                : "clocks %s, lowest %d, oldest open round %d"
                        .formatted(Arrays.toString(clocks.clocks()), clocks.lowest(), oldest);
    }
}
