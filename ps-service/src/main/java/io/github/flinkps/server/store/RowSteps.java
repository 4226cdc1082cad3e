package io.github.flinkps.server.store;

import java.util.Arrays;

/** The last step each row is up to date with, modulo 2^32; for update functions that catch up. */
final class RowSteps {
    private static final int SHIFT = 14;
    private static final int CHUNK = 1 << SHIFT;
    private static final int MASK = CHUNK - 1;

    private int[][] chunks = new int[0][];

    /** Makes room for the rows {@code [from, to)}, up to date with {@code step}. */
    void grow(int from, int to, long step) {
        int needed = (to + MASK) >>> SHIFT;
        if (needed > chunks.length) {
            int held = chunks.length;
            chunks = Arrays.copyOf(chunks, needed);
            for (int c = held; c < needed; c++) {
                chunks[c] = new int[CHUNK];
            }
        }
        for (int row = from; row < to; row++) {
            set(row, step);
        }
    }

    void set(int row, long step) {
        chunks[row >>> SHIFT][row & MASK] = (int) step;
    }

    /** Steps from the row's last to {@code step}; not positive if it is up to date. */
    int elapsed(int row, long step) {
        return (int) step - chunks[row >>> SHIFT][row & MASK];
    }

    long bytes() {
        return 4L * CHUNK * chunks.length;
    }

    void clear() {
        chunks = new int[0][];
    }
}
