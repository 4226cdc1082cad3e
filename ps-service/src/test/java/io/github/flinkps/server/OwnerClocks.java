package io.github.flinkps.server;

import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Looks at the clocks of each owner of a server, which all its partitions share. Between two events
 * the lowest clock is that of its slowest worker, and every round before it is over.
 */
public final class OwnerClocks implements Supplier<String> {
    private final ServerNode node;

    /** Creates a look at a server whose loops do not run meanwhile. */
    public OwnerClocks(ServerNode node) {
        this.node = node;
    }

    /** Returns what is wrong, or null. */
    @Override
    public String get() {
        for (Owner owner : node.owners()) {
            for (OwnerModel model : owner.models()) {
                ModelEffects effects = model.attempt().effects();
                WorkerClocks clocks = effects.clocks();
                long lowest = Arrays.stream(clocks.clocks()).min().orElse(WorkerClocks.INFINITE);
                long oldest = effects.rounds().oldest();
                if (clocks.lowest() != lowest || oldest < lowest) {
                    return "%s: clocks %s, lowest %d, oldest open round %d"
                            .formatted(
                                    owner.loop(),
                                    Arrays.toString(clocks.clocks()),
                                    clocks.lowest(),
                                    oldest);
                }
            }
        }
        return null;
    }
}
