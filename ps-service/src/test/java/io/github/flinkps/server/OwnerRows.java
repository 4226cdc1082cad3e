package io.github.flinkps.server;

import io.github.flinkps.server.store.DensePartition;
import java.nio.FloatBuffer;

/**
 * Looks at the rows of a dense table of width 1 at each owner of a server, beside the clocks of the
 * attempt that trains them.
 */
public final class OwnerRows extends AttemptCheck {
    /**
     * How the workers of an attempt stand at an owner.
     *
     * @param clocks at which they stand, or are idle
     * @param lowest for which pulls wait
     * @param deferred whether what a worker has sent is deferred behind a marker
     */
    public record Workers(long[] clocks, long lowest, boolean[] deferred) {}

    /** Says what rows must be at given clocks. */
    public interface Rule {
        /**
         * Returns what is wrong, or null.
         *
         * @param fromKey the key of the first of the values
         */
        String contradiction(Workers workers, long fromKey, float[] values);
    }

    private final String table;
    private Rule rule;

    /** Creates a look at a server whose loops do not run meanwhile. */
    public OwnerRows(ServerNode node, String table) {
        super(node);
        this.table = table;
    }

    /** Says what is asked of the attempts that train now, and of no others. */
    public void begin(Rule ofNow) {
        rule = ofNow;
        begin();
    }

    private static Workers workers(OwnerModel model) {
        WorkerClocks clocks = model.attempt().effects().clocks();
        long[] at = new long[clocks.workers()];
        boolean[] deferred = new boolean[at.length];
        for (int worker = 0; worker < at.length; worker++) {
            at[worker] = clock(model, worker);
            deferred[worker] = isDeferred(model, worker);
        }
        return new Workers(at, clocks.lowest(), deferred);
    }

    @Override
    String wrongInAttempt(OwnerModel model) {
        Workers workers = workers(model);
        String wrong = null;
        for (OwnerTable of : model.tables()) {
            for (int p = 0; of.spec().name().equals(table) && p < of.spec().partitions(); p++) {
                if (wrong == null && of.partition(p) instanceof DensePartition partition) {
                    float[] values = new float[(int) partition.rows()];
                    partition.readRange(0, values.length, FloatBuffer.wrap(values));
                    wrong = rule.contradiction(workers, partition.firstKey(), values);
                }
            }
        }
        return wrong;
    }
}
