package io.github.flinkps.server;

import io.github.flinkps.server.store.DensePartition;
import java.nio.FloatBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Looks at the rows of a dense table of width 1 at each owner of a server, beside the clocks of the
 * attempt that trains them.
 */
public final class OwnerRows extends OwnerCheck {
    /** Says what rows must be at given clocks. */
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

    private final String table;
    private final Set<OwnerAttempt> attempts = Collections.newSetFromMap(new IdentityHashMap<>());
    private Rule rule;

    /** Creates a look at a server whose loops do not run meanwhile. */
    public OwnerRows(ServerNode node, String table) {
        super(node);
        this.table = table;
    }

    /** Says what is asked of the attempts that train now, and of no others. */
    public void begin(Rule ofNow) {
        rule = ofNow;
        attempts.clear();
        for (Owner owner : owners()) {
            owner.models().forEach(model -> attempts.add(model.attempt()));
        }
    }

    @Override
    String wrong(OwnerModel model) {
        if (!attempts.contains(model.attempt())) {
            return null;
        }
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
