package io.github.flinkps.server.store;

import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Saved rows of one shape, each at a position: its value and slots side by side, and its last step.
 * Lists take blocks of a few positions, so that rows that are read together lie together and little
 * takes little; blocks know the one taken before them in their list. All of it lies in few large
 * arrays: a collector need not move them, nor look at them. Confined to an owner thread.
 */
final class SavedRowPool {
    /** Stands for no row or block. */
    static final int NONE = -1;

    private static final int SLAB_FLOATS = 1 << 16;

    /** Log2 of the rows of a block. */
    private static final int BLOCK_SHIFT = 3;

    /** The most floats of a block that has several rows. */
    private static final int BLOCK_FLOATS = 1 << 12;

    /**
     * Log2 of the positions that share an array of anything but floats, at least as many as a slab
     * has.
     */
    private static final int SHARED_SHIFT = 16;

    private static final int SHARED_MASK = (1 << SHARED_SHIFT) - 1;

    private final int stride;
    private final boolean withSteps;
    private final IntFunction<float[]> newFloats;
    private final int blockShift;
    private final int slabShift;
    private final int slabMask;
    private float[][] slabs = {};
    private char[][] names = {};
    private int[][] steps = {};

    /** The block before each block of a list, by block. */
    private int[][] before = {};

    /** The number of blocks for which there are slabs. */
    private int room;

    /** The blocks that have been taken since none was are below this one. */
    private int end;

    private int free = NONE;
    private int taken;

    /**
     * @param stride floats of a row
     * @param newFloats makes an array of a length
     */
    SavedRowPool(int stride, boolean withSteps, IntFunction<float[]> newFloats) {
        this.stride = stride;
        this.withSteps = withSteps;
        this.newFloats = newFloats;
        this.blockShift = Math.min(BLOCK_SHIFT, log2(BLOCK_FLOATS / stride));
        this.slabShift = Math.max(blockShift, log2(SLAB_FLOATS / stride));
        this.slabMask = (1 << slabShift) - 1;
    }

    private static int log2(int atLeastOne) {
        return 31 - Integer.numberOfLeadingZeros(Math.max(1, atLeastOne));
    }

    /**
     * Saves a row.
     *
     * @param name two bytes by which its list knows it
     * @param previous the position of the row before it in its list, or {@link #NONE}
     * @return its position
     */
    int save(int name, int previous, float[] page, int at, int step) {
        int position = previous + 1;
        if ((position & (1 << blockShift) - 1) == 0) { // also behind NONE
            position = take(previous) << blockShift;
        }
        names[position >>> SHARED_SHIFT][position & SHARED_MASK] = (char) name;
        if (withSteps) {
            steps[position >>> SHARED_SHIFT][position & SHARED_MASK] = step;
        }
        float[] slab = slabs[position >>> slabShift];
        int in = (position & slabMask) * stride;
        if (stride == 1) {
            slab[in] = page[at];
        } else {
            System.arraycopy(page, at, slab, in, stride);
        }
        return position;
    }

    private int take(int previous) {
        int block = free;
        if (block == NONE) {
            if (end == room) {
                make();
            }
            block = end++;
        } else {
            free = before(block);
        }
        taken++;
        setBefore(block, previous == NONE ? NONE : block(previous));
        return block;
    }

    /**
     * Makes a slab, and what it shares with others; what fails has no effect and may be tried
     * again.
     */
    private void make() {
        int position = room << blockShift;
        int slab = position >>> slabShift;
        int shared = position >>> SHARED_SHIFT;
        slabs = longer(slabs, slab);
        names = longer(names, shared);
        before = longer(before, shared);
        if (names[shared] == null) {
            names[shared] = new char[1 << SHARED_SHIFT];
        }
        if (before[shared] == null) {
            before[shared] = new int[1 << SHARED_SHIFT - blockShift];
        }
        if (withSteps) {
            steps = longer(steps, shared);
            if (steps[shared] == null) {
                steps[shared] = new int[1 << SHARED_SHIFT];
            }
        }
        slabs[slab] = newFloats.apply(stride << slabShift);
        room += 1 << slabShift - blockShift;
    }

    private static <T> T[] longer(T[] arrays, int index) {
        return index < arrays.length ? arrays : Arrays.copyOf(arrays, Math.max(4, 2 * index));
    }

    private int before(int block) {
        int position = block << blockShift;
        return before[position >>> SHARED_SHIFT][(position & SHARED_MASK) >>> blockShift];
    }

    private void setBefore(int block, int other) {
        int position = block << blockShift;
        before[position >>> SHARED_SHIFT][(position & SHARED_MASK) >>> blockShift] = other;
    }

    /** Returns the block of a position. */
    int block(int position) {
        return position >>> blockShift;
    }

    /** Returns the position of the row before this one in its list, or {@link #NONE}. */
    int previous(int position) {
        if ((position & (1 << blockShift) - 1) != 0) {
            return position - 1;
        }
        int block = before(block(position));
        return block == NONE ? NONE : (block + 1 << blockShift) - 1;
    }

    int name(int position) {
        return names[position >>> SHARED_SHIFT][position & SHARED_MASK];
    }

    int step(int position) {
        return steps[position >>> SHARED_SHIFT][position & SHARED_MASK];
    }

    /** Copies floats {@code [from, from + count)} of a row. */
    void read(int position, int from, int count, float[] to, int at) {
        int in = (position & slabMask) * stride + from;
        System.arraycopy(slabs[position >>> slabShift], in, to, at, count);
    }

    /**
     * Gives back a list.
     *
     * @param newest its last block
     * @param oldest its first
     * @param blocks how many it has
     */
    void give(int newest, int oldest, int blocks) {
        taken -= blocks;
        if (taken == 0) {
            end = 0;
            free = NONE;
        } else {
            setBefore(oldest, free);
            free = newest;
        }
    }

    /** Returns the number of blocks taken and not given back. */
    int taken() {
        return taken;
    }

    /** Returns the memory of a block in bytes. */
    int bytesPerBlock() {
        return (4 * stride + 2 + (withSteps ? 4 : 0) << blockShift) + 4;
    }
}
