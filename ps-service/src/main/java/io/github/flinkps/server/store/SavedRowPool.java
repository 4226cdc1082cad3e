package io.github.flinkps.server.store;

import java.util.Arrays;

/**
 * Saved rows of one shape, each at a position: its value and slots side by side, its last step, and
 * the position of the row saved before it in its list. Positions are taken one after the other, so
 * that saving writes memory in order, and those given back first. All of it lies in few large
 * arrays: a collector need not move them, nor look at them. Confined to an owner thread.
 */
final class SavedRowPool {
    /** Of no row. */
    static final int NONE = -1;

    private static final int SLAB_FLOATS = 1 << 16;

    /** Log2 of the positions of an array of links. */
    private static final int LINK_SHIFT = 14;

    private static final int LINK_MASK = (1 << LINK_SHIFT) - 1;

    private final int stride;
    private final boolean withSteps;
    private final int slabShift;
    private final int slabMask;
    private float[][] slabs = new float[4][];
    private int[][] before = new int[4][];
    private char[][] names = new char[4][];
    private int[][] steps = new int[4][];

    /** Positions below it have been taken since none was. */
    private int end;

    private int free = NONE;
    private int taken;

    /**
     * @param stride floats of a row
     */
    SavedRowPool(int stride, boolean withSteps) {
        this.stride = stride;
        this.withSteps = withSteps;
        this.slabShift = 31 - Integer.numberOfLeadingZeros(Math.max(1, SLAB_FLOATS / stride));
        this.slabMask = (1 << slabShift) - 1;
    }

    /**
     * Saves a row.
     *
     * @param name two bytes by which its list knows it
     * @param previous the position of the row before it in its list, or {@link #NONE}
     * @return its position
     */
    int save(int name, int previous, float[] page, int at, int step) {
        int position = free;
        if (position == NONE) {
            position = end;
            if ((position & slabMask) == 0 || (position & LINK_MASK) == 0) {
                grow(position);
            }
            end++;
        } else {
            free = before[position >>> LINK_SHIFT][position & LINK_MASK];
        }
        taken++;
        before[position >>> LINK_SHIFT][position & LINK_MASK] = previous;
        names[position >>> LINK_SHIFT][position & LINK_MASK] = (char) name;
        if (withSteps) {
            steps[position >>> LINK_SHIFT][position & LINK_MASK] = step;
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

    /** Makes what a position needs and is not there. */
    private void grow(int position) {
        int slab = position >>> slabShift;
        if (slab == slabs.length) {
            slabs = Arrays.copyOf(slabs, 2 * slab);
        }
        if (slabs[slab] == null) {
            slabs[slab] = new float[stride << slabShift];
        }
        int link = position >>> LINK_SHIFT;
        if (link == before.length) {
            before = Arrays.copyOf(before, 2 * link);
            names = Arrays.copyOf(names, 2 * link);
            steps = Arrays.copyOf(steps, 2 * link);
        }
        if (before[link] == null) {
            before[link] = new int[1 << LINK_SHIFT];
            names[link] = new char[1 << LINK_SHIFT];
            steps[link] = withSteps ? new int[1 << LINK_SHIFT] : null;
        }
    }

    int before(int position) {
        return before[position >>> LINK_SHIFT][position & LINK_MASK];
    }

    int name(int position) {
        return names[position >>> LINK_SHIFT][position & LINK_MASK];
    }

    int step(int position) {
        return steps[position >>> LINK_SHIFT][position & LINK_MASK];
    }

    /** Copies floats {@code [from, from + count)} of a row. */
    void read(int position, int from, int count, float[] to, int at) {
        int in = (position & slabMask) * stride + from;
        System.arraycopy(slabs[position >>> slabShift], in, to, at, count);
    }

    /** Gives back a list of so many rows. */
    void give(int newest, int oldest, int count) {
        taken -= count;
        if (taken == 0) {
            end = 0;
            free = NONE;
        } else {
            before[oldest >>> LINK_SHIFT][oldest & LINK_MASK] = free;
            free = newest;
        }
    }

    /** Rows saved and not given back. */
    int taken() {
        return taken;
    }

    /** Memory of a row. */
    int bytesPerRow() {
        return 4 * stride + 4 + 2 + (withSteps ? 4 : 0);
    }
}
