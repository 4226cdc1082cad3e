package io.github.flinkps.server.store;

import java.util.Arrays;

/**
 * Saved rows of one shape, each at a position: its value and slots side by side, and its last step.
 * Lists take blocks of a few positions, so that rows that are read together lie together and little
 * takes little; blocks know the one taken before them in their list. All of it lies in few large
 * arrays: a collector need not move them, nor look at them. Confined to an owner thread.
 */
final class SavedRowPool {
    /** Of no row or block. */
    static final int NONE = -1;

    private static final int SLAB_FLOATS = 1 << 16;

    /** Log2 of the rows of a block, */
    private static final int BLOCK_SHIFT = 3;

    /** which has no more floats than this if it has several rows. */
    private static final int BLOCK_FLOATS = 1 << 12;

    /** Log2 of the positions of an array of names. */
    private static final int NAME_SHIFT = 15;

    private static final int NAME_MASK = (1 << NAME_SHIFT) - 1;

    private final int stride;
    private final boolean withSteps;
    private final int blockShift;
    private final int slabShift;
    private final int slabMask;
    private float[][] slabs = new float[4][];
    private char[][] names = new char[4][];
    private int[][] steps = new int[4][];

    /** By block. */
    private int[] before = new int[1 << 10];

    /** Blocks below it have been taken since none was. */
    private int end;

    private int free = NONE;
    private int taken;

    /**
     * @param stride floats of a row
     */
    SavedRowPool(int stride, boolean withSteps) {
        this.stride = stride;
        this.withSteps = withSteps;
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
        names[position >>> NAME_SHIFT][position & NAME_MASK] = (char) name;
        if (withSteps) {
            steps[position >>> NAME_SHIFT][position & NAME_MASK] = step;
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
            grow(end);
            block = end++;
        } else {
            free = before[block];
        }
        taken++;
        before[block] = previous == NONE ? NONE : block(previous);
        return block;
    }

    /** Makes what a block needs and is not there. */
    private void grow(int block) {
        if (block == before.length) {
            before = Arrays.copyOf(before, 2 * block);
        }
        int position = block << blockShift;
        int slab = position >>> slabShift;
        if (slab == slabs.length) {
            slabs = Arrays.copyOf(slabs, 2 * slab);
        }
        if (slabs[slab] == null) {
            slabs[slab] = new float[stride << slabShift];
        }
        int name = position >>> NAME_SHIFT;
        if (name == names.length) {
            names = Arrays.copyOf(names, 2 * name);
            steps = Arrays.copyOf(steps, 2 * name);
        }
        if (names[name] == null) {
            names[name] = new char[1 << NAME_SHIFT];
            steps[name] = withSteps ? new int[1 << NAME_SHIFT] : null;
        }
    }

    /** The block of a position. */
    int block(int position) {
        return position >>> blockShift;
    }

    /** The position of the row before this one in its list, or {@link #NONE}. */
    int before(int position) {
        if ((position & (1 << blockShift) - 1) != 0) {
            return position - 1;
        }
        int block = before[block(position)];
        return block == NONE ? NONE : (block + 1 << blockShift) - 1;
    }

    int name(int position) {
        return names[position >>> NAME_SHIFT][position & NAME_MASK];
    }

    int step(int position) {
        return steps[position >>> NAME_SHIFT][position & NAME_MASK];
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
            before[oldest] = free;
            free = newest;
        }
    }

    /** Blocks taken and not given back. */
    int taken() {
        return taken;
    }

    /** Memory of a block. */
    int bytesPerBlock() {
        return (4 * stride + 2 + (withSteps ? 4 : 0) << blockShift) + 4;
    }
}
