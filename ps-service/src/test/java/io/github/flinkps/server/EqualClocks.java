package io.github.flinkps.server;

import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Compares the clocks of all partitions of each owner of a server. Between two events, all
 * partitions of one model at one owner stand where the owner itself stands.
 */
public final class EqualClocks implements Supplier<String> {
    private final ServerNode node;

    /** Creates a comparison for a server whose loops do not run meanwhile. */
    public EqualClocks(ServerNode node) {
        this.node = node;
    }

    /** Returns which partition stands elsewhere than its owner, or null. */
    @Override
    public String get() {
        for (Owner owner : node.owners()) {
            for (OwnerModel model : owner.models()) {
                WorkerClocks standing = model.standing();
                for (PartitionLog log : model.logs()) {
                    if (!same(standing, log.clocks())) {
                        return "%s: model %s at %s, partition %d of table %s at %s"
                                .formatted(
                                        owner.loop(),
                                        model.name(),
                                        text(standing),
                                        log.partition().index(),
                                        log.partition().spec().name(),
                                        text(log.clocks()));
                    }
                }
            }
        }
        return null;
    }

    private static boolean same(WorkerClocks one, WorkerClocks other) {
        return Arrays.equals(one.clocks(), other.clocks())
                && Arrays.equals(one.idleAt(), other.idleAt())
                && one.lowest() == other.lowest();
    }

    private static String text(WorkerClocks clocks) {
        return Arrays.toString(clocks.clocks())
                + " (idle at "
                + Arrays.toString(clocks.idleAt())
                + ", lowest "
                + clocks.lowest()
                + ")";
    }
}
