package io.github.flinkps.server.store;

import java.util.Arrays;

/**
 * Rows as they were before they were written. Saving appends to one of many chunks of 2^14 rows; as
 * reading goes chunk by chunk, the positions of rows are listed for the chunk being read only. So a
 * row takes its floats, its step and 2 bytes.
 */
final class SavedRows {
    private static final int SHIFT = 14;
    private static final int MASK = (1 << SHIFT) - 1;

    /**
     * Log2 of the rows of a chunk's first block. Each block has twice as many as the one before,
     */
    private static final int FIRST_SHIFT = 2;

    /** up to so many, or to so many floats: the first rows after a freeze lie in many chunks. */
    private static final int LAST_SHIFT = 6;

    private static final int LAST_FLOATS = 1 << 12;

    private final int width;
    private final int slotCount;
    private final int stride;
    private final boolean withSteps;
    private final int firstShift;
    private final int lastShift;

    /** Rows of a chunk before its first block of the greatest size. */
    private final int growing;

    private final int limit;
    private final SavedBlocks memory;
    private final Chunk[] chunks;
    private char[] positions;
    private int listedChunk = -1;
    private int listed;
    private int released;
    private long bytes;

    /** In order of saving. */
    private static final class Chunk {
        int count;
        char[] rows = new char[8];
        int[] steps;
        SavedBlocks.Block[] blocks = new SavedBlocks.Block[1];

        Chunk(boolean withSteps) {
            steps = new int[withSteps ? rows.length : 0];
        }

        void grow() {
            rows = Arrays.copyOf(rows, 2 * rows.length);
            steps = Arrays.copyOf(steps, 2 * steps.length);
        }

        /** Without blocks. */
        long bytes() {
            return 2L * rows.length + 4L * steps.length;
        }
    }

    /**
     * @param limit rows are below this one
     */
    SavedRows(Partition partition, int limit, SavedBlocks memory) {
        this.width = partition.width;
        this.slotCount = partition.slotCount;
        this.withSteps = partition.catchesUp;
        this.limit = limit;
        this.memory = memory;
        this.stride = width * (1 + slotCount);
        int rows = Math.max(1, LAST_FLOATS / stride);
        this.lastShift = Math.min(LAST_SHIFT, 31 - Integer.numberOfLeadingZeros(rows));
        this.firstShift = Math.min(FIRST_SHIFT, lastShift);
        this.growing = (1 << lastShift) - (1 << firstShift);
        this.chunks = new Chunk[(limit + MASK) >>> SHIFT];
    }

    /** Saves a row that is not saved yet: its value and slots side by side, and its last step. */
    void save(int row, float[] page, int at, int step) {
        Chunk chunk = chunks[row >>> SHIFT];
        if (chunk == null || chunk.count == chunk.rows.length) {
            chunk = room(row >>> SHIFT);
        }
        int position = chunk.count++;
        chunk.rows[position] = (char) (row & MASK);
        if (withSteps) {
            chunk.steps[position] = step;
        }
        int number = number(position);
        int in = offset(position, number);
        SavedBlocks.Block block = in == 0 ? begin(chunk, number) : chunk.blocks[number];
        if (stride == 1) {
            block.slab[block.from + in] = page[at];
        } else {
            System.arraycopy(page, at, block.slab, block.from + in, stride);
        }
    }

    private Chunk room(int number) {
        Chunk chunk = chunks[number];
        if (chunk == null) {
            chunk = new Chunk(withSteps);
            chunks[number] = chunk;
        } else {
            bytes -= chunk.bytes();
            chunk.grow();
        }
        bytes += chunk.bytes();
        return chunk;
    }

    private SavedBlocks.Block begin(Chunk chunk, int number) {
        if (number >= chunk.blocks.length) {
            chunk.blocks = Arrays.copyOf(chunk.blocks, 2 * number);
        }
        chunk.blocks[number] = memory.take(floats(number));
        bytes += 4L * floats(number);
        return chunk.blocks[number];
    }

    /** The block of a position. */
    private int number(int position) {
        return position < growing
                ? 31 - Integer.numberOfLeadingZeros(position + (1 << firstShift)) - firstShift
                : (position - growing >>> lastShift) + lastShift - firstShift;
    }

    /** Where in its block a position begins. */
    private int offset(int position, int number) {
        int in =
                position < growing
                        ? position + (1 << firstShift) - (1 << firstShift + number)
                        : position - growing & (1 << lastShift) - 1;
        return in * stride;
    }

    private int floats(int number) {
        return stride << Math.min(firstShift + number, lastShift);
    }

    boolean any() {
        return bytes > 0;
    }

    /**
     * Reads a row that is saved in place of what stands at {@code at}. Rows are read in ascending
     * order.
     */
    void read(int row, RowImage into, int at) {
        Chunk chunk = chunks[row >>> SHIFT];
        if (listedChunk != row >>> SHIFT || listed != chunk.count) {
            list(row >>> SHIFT);
        }
        int position = positions[row & MASK];
        int number = number(position);
        SavedBlocks.Block block = chunk.blocks[number];
        int from = block.from + offset(position, number);
        System.arraycopy(block.slab, from, into.values(), at * width, width);
        for (int k = 0; k < slotCount; k++) {
            System.arraycopy(
                    block.slab, from + (1 + k) * width, into.slots()[k], at * width, width);
        }
        if (withSteps) {
            into.stepsOrNull()[at] = chunk.steps[position];
        }
    }

    /**
     * Adds positions that are not listed yet; those of rows not in the chunk are never looked at.
     */
    private void list(int number) {
        if (positions == null) {
            positions = new char[1 << SHIFT];
        }
        if (listedChunk != number) {
            listedChunk = number;
            listed = 0;
        }
        Chunk chunk = chunks[number];
        for (; listed < chunk.count; listed++) {
            positions[chunk.rows[listed]] = (char) listed;
        }
    }

    /** Gives back the chunks whose rows are all below {@code row}, or the limit. */
    void release(int row) {
        int end = row >= limit ? chunks.length : row >>> SHIFT;
        for (; released < end; released++) {
            Chunk chunk = chunks[released];
            if (chunk != null) {
                bytes -= chunk.bytes();
                for (int i = 0; i <= number(chunk.count - 1); i++) {
                    bytes -= 4L * floats(i);
                    memory.give(floats(i), chunk.blocks[i]);
                }
                chunks[released] = null;
            }
        }
        if (row >= limit) {
            positions = null;
            listedChunk = -1;
        }
    }

    /** Of saved rows. */
    long bytes() {
        return bytes;
    }
}
