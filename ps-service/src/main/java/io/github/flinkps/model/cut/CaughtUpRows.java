package io.github.flinkps.model.cut;

import io.github.flinkps.common.RowInitializer;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.KeySet;
import io.github.flinkps.model.RowBlock;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;

/**
 * The rows of a partition as they were at a cut, each once and caught up to the step of the
 * partition: what an export at that time would have read. Arrays are used again for the next block.
 * One thread; open one at a time per {@link CutReader}.
 */
public final class CaughtUpRows implements Iterator<RowBlock>, AutoCloseable {
    private static final float[][] NO_SLOTS = {};

    private final CutRows rows;
    private final int width;
    private final int step;
    private final CatchUp catchUp;
    private final boolean withSlots;
    private final KeySet seen = new KeySet();

    /** The rows that nothing has trained; null where they need not be said. */
    private final UntrainedRows untrained;

    private RowBlock next;

    private CaughtUpRows(
            CutRows rows,
            int width,
            long step,
            CatchUp catchUp,
            boolean withSlots,
            UntrainedRows untrained) {
        this.rows = rows;
        this.width = width;
        this.step = (int) step;
        this.catchUp = catchUp;
        this.withSlots = withSlots;
        this.untrained = untrained;
    }

    /**
     * Opens a partition, whose files are checked before this returns.
     *
     * @param table its index in the model
     * @param withSlots whether blocks have the optimizer's slots
     * @param catchUps of tables whose rows have steps; not asked for others
     * @throws io.github.flinkps.common.PsException CORRUPT, IO
     */
    public static CaughtUpRows open(
            CutReader cut,
            int table,
            int partition,
            boolean withSlots,
            Function<TableSpec, CatchUp> catchUps) {
        CutTable of = cut.manifest().tables().get(table);
        TableSpec spec = of.layout().spec();
        CatchUp catchUp = of.layout().steps() ? catchUps.apply(spec) : null;
        boolean decays = catchUp != null && !RowInitializer.of(spec).isZero();
        boolean untrained = decays && !spec.isSparse() && (!withSlots || of.layout().slots() == 0);
        // Every row is as it was last: files come newest first.
        return new CaughtUpRows(
                cut.rows(table, partition, true),
                spec.width(),
                of.partitions().get(partition).step(),
                catchUp,
                withSlots,
                untrained ? new UntrainedRows(spec, partition) : null);
    }

    @Override
    public boolean hasNext() {
        if (next == null) {
            RowBlock block = rows.next();
            next = block == null ? rest() : newest(block);
        }
        return next != null;
    }

    @Override
    public RowBlock next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        RowBlock block = next;
        next = null;
        return block;
    }

    /**
     * Returns rows that nothing has trained, if they are regularised from the first step on; or
     * null.
     */
    private RowBlock rest() {
        RowBlock block = untrained == null ? null : untrained.next();
        if (block != null && step > 0) {
            catchUp.apply(block.values(), 0, block.rows() * width, step);
        }
        return block;
    }

    /** Returns the rows not seen in later files, moved together and caught up. */
    private RowBlock newest(RowBlock block) {
        if (untrained != null) {
            untrained.trained(block);
        }
        boolean last = rows.filesLeft() == 0;
        int count = 0;
        for (int i = 0; i < block.rows(); i++) {
            long key = block.keys()[i];
            if (last ? !seen.contains(key) : seen.add(key)) {
                if (count < i) {
                    move(block, i, count);
                }
                count++;
            }
        }
        if (catchUp != null) {
            for (int i = 0; i < count; i++) {
                // The steps of rows are modulo 2^32.
                int elapsed = step - block.steps()[i];
                if (elapsed > 0) {
                    catchUp.apply(block.values(), i * width, (i + 1) * width, elapsed);
                }
            }
        }
        float[][] slots = withSlots ? block.slots() : NO_SLOTS;
        return new RowBlock(block.keys(), block.values(), slots, count);
    }

    private void move(RowBlock block, int from, int to) {
        block.keys()[to] = block.keys()[from];
        System.arraycopy(block.values(), from * width, block.values(), to * width, width);
        for (float[] slot : block.slots()) {
            System.arraycopy(slot, from * width, slot, to * width, width);
        }
        if (block.steps() != null) {
            block.steps()[to] = block.steps()[from];
        }
    }

    /** Releases memory. Idempotent. */
    @Override
    public void close() {
        rows.close();
    }
}
