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
            int[][] more = Arrays.copyOf(chunks, needed);
            for (int c = chunks.length; c < needed; c++) {
                more[c] = new int[CHUNK];
            }
            chunks = more;
        }
        fill(from, to, step);
    }

    void set(int row, long step) {
        chunks[row >>> SHIFT][row & MASK] = (int) step;
    }

    int get(int row) {
        return chunks[row >>> SHIFT][row & MASK];
    }

    void read(int[] rows, int count, int[] out) {
        for (int i = 0; i < count; i++) {
            out[i] = get(rows[i]);
        }
    }

    /** Copies the rows {@code [from, to)} to {@code at}. */
    void read(int from, int to, int[] out, int at) {
        for (int row = from; row < to; ) {
            int end = Math.min(to, (row | MASK) + 1);
            System.arraycopy(chunks[row >>> SHIFT], row & MASK, out, at + row - from, end - row);
            row = end;
        }
    }

    /** Returns the steps from the row's last to {@code step}; not positive if it is up to date. */
    int elapsed(int row, long step) {
        return (int) step - chunks[row >>> SHIFT][row & MASK];
    }

    /** Returns whether the rows {@code [from, to)} all have the same last step. */
    boolean alike(int from, int to) {
        int first = chunks[from >>> SHIFT][from & MASK];
        int differing = 0;
        for (int row = from; row < to; ) {
            int[] chunk = chunks[row >>> SHIFT];
            int end = Math.min(to, (row | MASK) + 1);
            for (int i = row & MASK, stop = i + end - row; i < stop; i++) {
                differing |= chunk[i] ^ first;
            }
            row = end;
        }
        return differing == 0;
    }

    /**
     * Returns the end of the rows from {@code from} that have its last step, at most {@code to}.
     */
    int runEnd(int from, int to) {
        int first = chunks[from >>> SHIFT][from & MASK];
        int end = from + 1;
        while (end < to && chunks[end >>> SHIFT][end & MASK] == first) {
            end++;
        }
        return end;
    }

    /** Writes the rows {@code [from, to)}: the opposite of {@link #read(int, int, int[], int)}. */
    void write(int from, int to, int[] in, int at) {
        for (int row = from; row < to; ) {
            int end = Math.min(to, (row | MASK) + 1);
            System.arraycopy(in, at + row - from, chunks[row >>> SHIFT], row & MASK, end - row);
            row = end;
        }
    }

    /** Sets the rows {@code [from, to)}. */
    void fill(int from, int to, long step) {
        for (int row = from; row < to; ) {
            int end = Math.min(to, (row | MASK) + 1);
            int at = row & MASK;
            Arrays.fill(chunks[row >>> SHIFT], at, at + end - row, (int) step);
            row = end;
        }
    }

    long bytes() {
        return 4L * CHUNK * chunks.length;
    }

    void clear() {
        chunks = new int[0][];
    }
}
