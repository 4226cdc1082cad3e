package io.github.flinkps.server.store;

import java.util.Arrays;

/**
 * Rows of a partition as they were before they were written. Those of 2^14 rows that follow one
 * another are a list; as reading goes list by list, the positions of rows are looked up for the
 * list being read only. So a row takes its floats, its step and 2 bytes.
 */
final class SavedRows {
    private static final int SHIFT = 14;
    private static final int MASK = (1 << SHIFT) - 1;
    private static final int NONE = SavedRowPool.NONE;

    private final int width;
    private final int slotCount;
    private final boolean withSteps;
    private final int limit;
    private final SavedBlocks memory;

    /** The pool of the rows; null while none is saved. */
    private SavedRowPool pool;

    /** The position of the last row of each list. */
    private final int[] newest;

    /** The first block of each list. */
    private final int[] oldest;

    /** The number of blocks of each list. */
    private final int[] blocks;

    private int taken;
    private int bytesPerBlock;

    /** Positions by row, of the list being read. */
    private int[] positions;

    private int listed = NONE;

    /** The newest row whose position is known. */
    private int listedNewest;

    private int released;

    /**
     * @param limit rows are below this one
     */
    SavedRows(Partition partition, int limit, SavedBlocks memory) {
        this.width = partition.width;
        this.slotCount = partition.slotCount;
        this.withSteps = partition.catchesUp;
        this.limit = limit;
        this.memory = memory;
        int lists = (int) (((long) limit + MASK) >>> SHIFT);
        this.newest = new int[lists];
        this.oldest = new int[lists];
        this.blocks = new int[lists];
        Arrays.fill(newest, NONE);
    }

    /** Saves a row that is not saved yet: its value and slots side by side, and its last step. */
    void save(int row, float[] page, int at, int step) {
        if (pool == null) {
            pool = memory.openRows(width * (1 + slotCount), withSteps);
            bytesPerBlock = pool.bytesPerBlock();
        }
        int list = row >>> SHIFT;
        int previous = newest[list];
        int position = pool.save(row & MASK, previous, page, at, step);
        newest[list] = position;
        if (previous == NONE) {
            oldest[list] = pool.block(position);
        }
        if (previous == NONE || pool.block(previous) != pool.block(position)) {
            blocks[list]++;
            taken++;
            memory.count(bytesPerBlock);
        }
    }

    boolean any() {
        return taken > 0;
    }

    /**
     * Reads a row that is saved in place of what stands at {@code at}. Rows are read in ascending
     * order.
     */
    void read(int row, RowImage into, int at) {
        int list = row >>> SHIFT;
        if (listed != list || listedNewest != newest[list]) {
            list(list);
        }
        int position = positions[row & MASK];
        pool.read(position, 0, width, into.values(), at * width);
        for (int k = 0; k < slotCount; k++) {
            pool.read(position, (1 + k) * width, width, into.slots()[k], at * width);
        }
        if (withSteps) {
            into.stepsOrNull()[at] = pool.step(position);
        }
    }

    /** Looks up rows saved since it last did; those not in the list are never looked at. */
    private void list(int list) {
        if (positions == null) {
            positions = new int[1 << SHIFT];
        }
        int known = listed == list ? listedNewest : NONE;
        for (int p = newest[list]; p != known; p = pool.previous(p)) {
            positions[pool.name(p)] = p;
        }
        listed = list;
        listedNewest = newest[list];
    }

    /** Gives back the lists whose rows are all below {@code row}, or the limit. */
    void release(int row) {
        int end = row >= limit ? newest.length : row >>> SHIFT;
        for (; released < end; released++) {
            if (blocks[released] > 0) {
                pool.give(pool.block(newest[released]), oldest[released], blocks[released]);
                taken -= blocks[released];
                memory.count(-(long) blocks[released] * bytesPerBlock);
            }
        }
        if (row >= limit) {
            positions = null;
            if (pool != null) {
                pool = null;
                memory.closeRows();
            }
        }
    }

    /** Returns the bytes of saved rows. */
    long bytes() {
        return (long) taken * bytesPerBlock;
    }
}
