package io.github.flinkps.server.store;

import java.util.Arrays;

/**
 * A set of row numbers, a bit each, in chunks that are made when the first of their bits is set:
 * making an empty one costs next to nothing. The room must be grown before rows beyond it are set.
 */
final class RowBits {
    private static final int SHIFT = 13;

    /** Log2 of the words of a chunk. */
    static final int WORD_SHIFT = SHIFT - 6;

    private static final int WORDS = 1 << WORD_SHIFT;
    private static final int WORD_MASK = WORDS - 1;

    private long[][] chunks;
    private long bytes;

    RowBits(int rows) {
        this.chunks = new long[chunksOf(rows)][];
    }

    private static int chunksOf(int rows) {
        return (int) ((rows + (1L << SHIFT) - 1) >>> SHIFT);
    }

    /** Makes room for the rows below {@code rows}. */
    void grow(int rows) {
        int needed = chunksOf(rows);
        if (needed > chunks.length) {
            chunks = Arrays.copyOf(chunks, Math.max(needed, chunks.length + chunks.length / 2));
        }
    }

    private long[] make(int chunk) {
        bytes += 8L * WORDS;
        chunks[chunk] = new long[WORDS];
        return chunks[chunk];
    }

    /** Adds rows, none of them negative. */
    void set(int[] rows, int from, int to) {
        long[][] all = chunks;
        for (int i = from; i < to; i++) {
            int row = rows[i];
            long[] words = all[row >>> SHIFT];
            if (words == null) {
                words = make(row >>> SHIFT);
            }
            words[row >>> 6 & WORD_MASK] |= 1L << row;
        }
    }

    /** Adds a row; returns whether it was not in the set. */
    boolean add(int row) {
        long[] words = chunks[row >>> SHIFT];
        if (words == null) {
            words = make(row >>> SHIFT);
        }
        long word = words[row >>> 6 & WORD_MASK];
        long bit = 1L << row;
        words[row >>> 6 & WORD_MASK] = word | bit;
        return (word & bit) == 0;
    }

    /** Adds the rows {@code [from, to)}. */
    void setRange(int from, int to) {
        if (from >= to) {
            return;
        }
        int first = from >>> 6;
        int last = to - 1 >>> 6;
        for (int word = first; word <= last; ) {
            int chunk = word >>> WORD_SHIFT;
            long[] words = chunks[chunk] == null ? make(chunk) : chunks[chunk];
            int end = Math.min(last, word | WORD_MASK);
            int at = word & WORD_MASK;
            int until = end & WORD_MASK;
            long low = word == first ? -1L << from : -1L;
            long high = end == last ? -1L >>> -to : -1L;
            if (at == until) {
                words[at] |= low & high;
            } else {
                words[at] |= low;
                Arrays.fill(words, at + 1, until, -1L);
                words[until] |= high;
            }
            word = end + 1;
        }
    }

    boolean contains(int row) {
        long[] words = chunks[row >>> SHIFT];
        return words != null && (words[row >>> 6 & WORD_MASK] >>> row & 1) != 0;
    }

    /** The 64 rows from {@code 64 * word}. */
    long word(int word) {
        int chunk = word >>> WORD_SHIFT;
        long[] words = chunk < chunks.length ? chunks[chunk] : null;
        return words == null ? 0 : words[word & WORD_MASK];
    }

    /** Whether there may be any in the chunk of this word. */
    boolean hasChunkOf(int word) {
        int chunk = word >>> WORD_SHIFT;
        return chunk < chunks.length && chunks[chunk] != null;
    }

    /** Adds the rows of a set that is given up: it must not be used again. */
    void take(RowBits other) {
        if (other.chunks.length > chunks.length) {
            chunks = Arrays.copyOf(chunks, other.chunks.length);
        }
        for (int c = 0; c < other.chunks.length; c++) {
            long[] theirs = other.chunks[c];
            long[] ours = chunks[c];
            if (ours == null && theirs != null) {
                chunks[c] = theirs;
                bytes += 8L * WORDS;
            } else if (theirs != null) {
                for (int w = 0; w < WORDS; w++) {
                    ours[w] |= theirs[w];
                }
            }
        }
    }

    long bytes() {
        return bytes + 8L * chunks.length;
    }
}
