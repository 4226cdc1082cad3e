package io.github.flinkps.server;

import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.StepContext;
import java.nio.FloatBuffer;

/**
 * The rows a section of a request names, cut into slices of one partition each, in the order in
 * which their values travel. Confined to the owner thread.
 */
abstract class RowSet {
    private final OwnerTable table;
    private final int count;
    final int[] partitions;
    final int[] starts;

    /**
     * {@code starts} has one more entry than {@code partitions}: where each slice begins, and the
     * end.
     */
    RowSet(OwnerTable table, int[] partitions, int[] starts) {
        this.table = table;
        this.partitions = partitions;
        this.starts = starts;
        this.count = starts[partitions.length];
    }

    final OwnerTable table() {
        return table;
    }

    /** Returns the number of rows. */
    final int count() {
        return count;
    }

    final int slices() {
        return partitions.length;
    }

    final int rows(int slice) {
        return starts[slice + 1] - starts[slice];
    }

    final PartitionLog log(int slice) {
        return table.log(partitions[slice]);
    }

    /**
     * Keeps the rows for another user. The last of them to {@link #release} ends them: they must
     * not be used again.
     */
    void retain() {}

    /** Lets the rows go after {@link #retain}. */
    void release() {}

    /** Keeps the rows for ever, for another thread too. */
    void pin() {}

    /**
     * Brings row numbers up to date, giving birth to rows where {@code create}; the only step that
     * may refuse.
     *
     * @param clock of the round that trains the rows which are born; counts under BSP only
     */
    abstract void prepare(boolean create, long clock);

    /** Brings row numbers up to date; rows that are born are trained now. */
    final void prepare(boolean create) {
        prepare(create, 0);
    }

    /** Writes the values of a slice; {@link #prepare} went before. */
    abstract void gather(int slice, Partition partition, FloatBuffer out);

    /** Takes one step with the gradients of a slice. */
    abstract void apply(int slice, Partition partition, FloatBuffer gradients, StepContext step);

    /** Returns the row number of the {@code i}-th row of a slice. */
    abstract int row(int slice, int i);

    /** Returns whether the slices name the same rows in the same order, found cheaply. */
    abstract boolean sameRows(int slice, RowSet other, int otherSlice);

    /** Returns the hashes (sparse) or keys (dense) of a slice, ascending. */
    abstract long[] hashes(int slice);

    /** Takes one step with summed gradients for rows of which {@link #sameRows} holds. */
    abstract void apply(int slice, Partition partition, float[] gradients, StepContext step);
}
