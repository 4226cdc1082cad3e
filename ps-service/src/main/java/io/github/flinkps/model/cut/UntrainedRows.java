package io.github.flinkps.model.cut;

import io.github.flinkps.common.RowInitializer;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.model.BlockFormat;
import io.github.flinkps.model.RowBlock;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The rows of a dense partition that a cut leaves out because nothing has trained them, with the
 * initializer's values. One thread.
 */
final class UntrainedRows {
    private final RowInitializer initializer;
    private final int width;
    private final long firstKey;
    private final int rows;
    private final BitSet trained;
    private int next;

    /** Begins with all rows of a partition, none of them {@link #trained}. */
    UntrainedRows(TableSpec spec, int partition) {
        this.initializer = RowInitializer.of(spec);
        this.width = spec.width();
        this.firstKey = spec.firstKey(partition);
        this.rows = Math.toIntExact(spec.firstKey(partition + 1) - firstKey);
        this.trained = new BitSet(rows);
    }

    /** Leaves rows out, which the cut has. */
    void trained(RowBlock block) {
        for (int i = 0; i < block.rows(); i++) {
            trained.set(Math.toIntExact(block.keys()[i] - firstKey));
        }
    }

    /** Returns some of them, in the order of their keys; null when there are no more. */
    RowBlock next() {
        long[] keys = new long[BlockFormat.rowsPerBlock(width)];
        int count = 0;
        for (next = trained.nextClearBit(next); next < rows && count < keys.length; ) {
            keys[count++] = firstKey + next;
            next = trained.nextClearBit(next + 1);
        }
        if (count == 0) {
            return null;
        }
        float[] values = new float[Math.multiplyExact(count, width)];
        for (int i = 0; i < count; i++) {
            initializer.fill(keys[i], values, i * width, width);
        }
        return RowBlock.of(Arrays.copyOf(keys, count), values);
    }
}
