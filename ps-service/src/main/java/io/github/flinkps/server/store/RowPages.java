package io.github.flinkps.server.store;

import java.util.Arrays;

/**
 * Rows of a fixed number of floats (the value, then its slots) in pages of at most 64 KiB, or of
 * one row where that is longer. The first page starts small and grows, so that small tables cost
 * little. A row never moves to another number.
 */
final class RowPages {
    static final int PAGE_FLOATS = 1 << 14;
    private static final int FIRST_FLOATS = 64;

    private final int width;
    private final int stride;
    private final int shift;
    private final int mask;
    private float[][] pages = new float[1][];
    private int rows;

    RowPages(int width, int slots) {
        this.width = width;
        this.stride = width * (1 + slots);
        this.shift = shift(stride);
        this.mask = (1 << shift) - 1;
    }

    /** Returns log2 of the rows of a page, of rows of so many floats. */
    static int shift(int stride) {
        return 31 - Integer.numberOfLeadingZeros(Math.max(1, PAGE_FLOATS / stride));
    }

    /** Takes {@code count} rows whose pages are absent until {@link #materialize}. */
    void reserve(int count) {
        pages = new float[Math.max(1, (count + mask) >>> shift)][];
        rows = count;
    }

    /** Makes the page of number {@code page} of a reserved store, of zeros. */
    float[] materialize(int page) {
        int pageRows = Math.min(mask + 1, rows - (page << shift));
        pages[page] = new float[pageRows * stride];
        return pages[page];
    }

    /** Returns log2 of the rows of a page. */
    int shift() {
        return shift;
    }

    /** Returns a page by its number; null if it is absent. */
    float[] pageAt(int number) {
        return pages[number];
    }

    long bytes() {
        long floats = 0;
        for (float[] page : pages) {
            floats += page == null ? 0 : page.length;
        }
        return 4 * floats;
    }

    void clear() {
        pages = new float[1][];
        rows = 0;
    }

    /** Returns the page of a row. */
    float[] page(int row) {
        return pages[row >>> shift];
    }

    /** Returns where a row begins in its page. */
    int offset(int row) {
        return (row & mask) * stride;
    }

    /** Makes room for rows of zeros up to {@code count}. */
    void growTo(int count) {
        int lastPage = (count - 1) >>> shift;
        if (lastPage >= pages.length) {
            pages = Arrays.copyOf(pages, Math.max(lastPage + 1, pages.length + pages.length / 2));
        }
        growFirst(Math.min(count, mask + 1));
        for (int p = Math.max(1, (rows + mask) >>> shift); p <= lastPage; p++) {
            pages[p] = new float[stride << shift];
        }
        rows = count;
    }

    private void growFirst(int count) {
        int there = pages[0] == null ? 0 : pages[0].length / stride;
        if (count > there) {
            int wanted = Math.max(Math.max(count, 2 * there), Math.max(1, FIRST_FLOATS / stride));
            float[] grown = new float[Math.min(wanted, mask + 1) * stride];
            if (there > 0) {
                System.arraycopy(pages[0], 0, grown, 0, pages[0].length);
            }
            pages[0] = grown;
        }
    }

    /**
     * Copies a plane (0: values, k: slot k-1) of rows, none of them negative, to {@code out} from
     * 0.
     */
    void read(int[] rowNumbers, int from, int to, int plane, float[] out) {
        int base = plane * width;
        if (width == 1) {
            if (rows <= mask + 1) {
                readOnesOfFirst(rowNumbers, from, to, base, out);
            } else {
                readOnes(rowNumbers, from, to, base, out);
            }
            return;
        }
        int at = 0;
        for (int i = from; i < to; i++) {
            int row = rowNumbers[i];
            System.arraycopy(pages[row >>> shift], (row & mask) * stride + base, out, at, width);
            at += width;
        }
    }

    private void readOnesOfFirst(int[] rowNumbers, int from, int to, int base, float[] out) {
        float[] page = pages[0];
        int step = stride;
        for (int i = from; i < to; i++) {
            out[i - from] = page[rowNumbers[i] * step + base];
        }
    }

    private void readOnes(int[] rowNumbers, int from, int to, int base, float[] out) {
        float[][] all = pages;
        int step = stride;
        int by = shift;
        int in = mask;
        for (int i = from; i < to; i++) {
            int row = rowNumbers[i];
            out[i - from] = all[row >>> by][(row & in) * step + base];
        }
    }

    /** Writes one plane of rows: the opposite of {@link #read}. */
    void write(int[] rowNumbers, int from, int to, int plane, float[] in) {
        int base = plane * width;
        if (width == 1) {
            if (rows <= mask + 1) {
                writeOnesOfFirst(rowNumbers, from, to, base, in);
            } else {
                writeOnes(rowNumbers, from, to, base, in);
            }
            return;
        }
        int at = 0;
        for (int i = from; i < to; i++) {
            int row = rowNumbers[i];
            System.arraycopy(in, at, pages[row >>> shift], (row & mask) * stride + base, width);
            at += width;
        }
    }

    private void writeOnesOfFirst(int[] rowNumbers, int from, int to, int base, float[] in) {
        float[] page = pages[0];
        int step = stride;
        for (int i = from; i < to; i++) {
            page[rowNumbers[i] * step + base] = in[i - from];
        }
    }

    private void writeOnes(int[] rowNumbers, int from, int to, int base, float[] in) {
        float[][] all = pages;
        int step = stride;
        int by = shift;
        int rowMask = mask;
        for (int i = from; i < to; i++) {
            int row = rowNumbers[i];
            all[row >>> by][(row & rowMask) * step + base] = in[i - from];
        }
    }
}
