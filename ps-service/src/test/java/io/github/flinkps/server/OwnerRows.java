package io.github.flinkps.server;

import io.github.flinkps.server.store.DensePartition;
import java.nio.FloatBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Looks at the rows of a dense table of width 1 at each owner of a server, beside the clocks of the
 * attempt that trains them.
 */
public final class OwnerRows implements Supplier<String> {
    /** What rows must be at given clocks. */
    public interface Rule {
        /**
         * Returns what is wrong, or null.
         *
         * @param clocks of the workers
         * @param lowest of them
         * @param fromKey the key of the first of the values
         */
        String contradiction(long[] clocks, long lowest, long fromKey, float[] values);
    }

    private final ServerNode node;
    private final String table;
    private final Set<OwnerAttempt> attempts = Collections.newSetFromMap(new IdentityHashMap<>());
    private Rule rule;

    /** Creates a look at a server whose loops do not run meanwhile. */
    public OwnerRows(ServerNode node, String table) {
        this.node = node;
        this.table = table;
    }

    /** Says what is asked of the attempts that train now, and of no others. */
    public void begin(Rule ofNow) {
        rule = ofNow;
        attempts.clear();
        for (Owner owner : node.owners()) {
            owner.models().forEach(model -> attempts.add(model.attempt()));
        }
    }

    /** Returns what is wrong, or null. */
    @Override
    public String get() {
        for (Owner owner : node.owners()) {
            for (OwnerModel model : owner.models()) {
                String wrong = attempts.contains(model.attempt()) ? wrong(model) : null;
                if (wrong != null) {
                    return owner.loop() + ": " + wrong;
                }
            }
        }
        return null;
    }

    private String wrong(OwnerModel model) {
        WorkerClocks clocks = model.attempt().effects().clocks();
        String wrong = null;
        for (OwnerTable of : model.tables()) {
            for (int p = 0; of.spec().name().equals(table) && p < of.spec().partitions(); p++) {
                if (wrong == null && of.partition(p) instanceof DensePartition partition) {
                    float[] values = new float[(int) partition.rows()];
                    partition.readRange(0, values.length, FloatBuffer.wrap(values));
                    long from = partition.firstKey();
                    wrong = rule.contradiction(clocks.clocks(), clocks.lowest(), from, values);
                }
            }
        }
        return wrong;
    }
}
