package io.github.flinkps.server.store;

/** Block buffers of a thread, shared by the partitions it owns so that they stay in its cache. */
final class Scratch {
    /** Floats of a block and its planes: one row of the greatest width. */
    static final int FLOATS = 4096;

    /** Keys of a block; see DESIGN: all slots, then all keys, then all rows. */
    static final int KEYS = 512;

    static final int MAX_SLOTS = 8;

    private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

    final float[] values = new float[FLOATS];
    final float[] gradients = new float[FLOATS];
    final int[] candidates = new int[KEYS];
    final int[] places = new int[KEYS];
    final int[] left = new int[KEYS];

    /** The ends of the runs of keys of one segment of an index, and the slots of the keys. */
    final int[] runEnds = new int[KEYS];

    final int[][] runSlots = new int[KEYS][];

    /** The sum of what was read only to have it in the cache. */
    int seen;

    private float[] pageGradients;
    private final float[][][] slots = new float[MAX_SLOTS + 1][][];

    private Scratch() {}

    /** Returns the buffers of the current thread. */
    static Scratch ofThread() {
        return OF_THREAD.get();
    }

    /**
     * Returns a buffer for the gradients of a dense page, each at the index of its value: loops
     * with one index are vectorized.
     */
    float[] pageGradients() {
        if (pageGradients == null) {
            pageGradients = new float[RowPages.PAGE_FLOATS];
        }
        return pageGradients;
    }

    /** Returns buffers for {@code count} slots, of {@link #FLOATS} values each. */
    float[][] slots(int count) {
        float[][] planes = slots[count];
        if (planes == null) {
            planes = new float[count][FLOATS];
            slots[count] = planes;
        }
        return planes;
    }
}
