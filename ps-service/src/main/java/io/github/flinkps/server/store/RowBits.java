package io.github.flinkps.server.store;

import java.util.Arrays;

/**
 * A set of row numbers, a bit each, in chunks that are made when the first of their bits is set:
 * making an empty one costs next to nothing. The room must be grown before rows beyond it are set.
 */
final class RowBits {
    /**
     * Large chunks: a cut's first pushes set bits all over, and a collector that must move as many
     * small arrays as that holds up training.
     */
    private static final int SHIFT = 18;

    /** Log2 of the words of a chunk. */
    static final int WORD_SHIFT = SHIFT - 6;

    private static final int WORDS = 1 << WORD_SHIFT;
    private static final int WORD_MASK = WORDS - 1;
    private static final long[] NO_WORDS = {};

    /** The bits in chunks. A chunk that was the last one when it was made may be shorter. */
    private long[][] chunks;

    private int room;
    private long bytes;

    RowBits(int rows) {
        this.chunks = resized(new long[0][], chunksOf(rows));
        this.room = rows;
    }

    private static long[][] resized(long[][] chunks, int length) {
        long[][] longer = Arrays.copyOf(chunks, length);
        Arrays.fill(longer, chunks.length, length, NO_WORDS);
        return longer;
    }

    private static int chunksOf(int rows) {
        return (int) ((rows + (1L << SHIFT) - 1) >>> SHIFT);
    }

    /** Makes room for the rows below {@code rows}. */
    void grow(int rows) {
        room = Math.max(room, rows);
        int needed = chunksOf(rows);
        if (needed > chunks.length) {
            chunks = resized(chunks, Math.max(needed, chunks.length + chunks.length / 2));
        }
    }

    /**
     * Grows to {@code to} rows and makes the chunks of the rows {@code [from, to)}, so that setting
     * them cannot fail.
     */
    void grow(int from, int to) {
        grow(to);
        int last = to - 1 >>> 6;
        for (int word = from >>> 6; word <= last; word = (word | WORD_MASK) + 1) {
            chunkOf(Math.min(last, word | WORD_MASK) << 6);
        }
    }

    /** Returns the chunk of a row, with that row's word. */
    private long[] chunkOf(int row) {
        long[] words = chunks[row >>> SHIFT];
        return (row >>> 6 & WORD_MASK) < words.length
                ? words
                : make(row >>> SHIFT, row >>> 6 & WORD_MASK);
    }

    /** Makes or lengthens a chunk, up to the room if it is the last. */
    private long[] make(int chunk, int word) {
        long[] before = chunks[chunk];
        int inRoom = (int) ((room - ((long) chunk << SHIFT) + 63) >>> 6);
        int length = Math.max(Math.max(word + 1, inRoom), 2 * before.length);
        return put(chunk, Arrays.copyOf(before, Math.min(WORDS, length)));
    }

    private long[] put(int chunk, long[] words) {
        bytes += 8L * (words.length - chunks[chunk].length);
        chunks[chunk] = words;
        return words;
    }

    /** Adds rows, none of them negative. */
    void set(int[] rows, int from, int to) {
        for (int i = from; i < to; i++) {
            int row = rows[i];
            chunkOf(row)[row >>> 6 & WORD_MASK] |= 1L << row;
        }
    }

    /** Adds a row; returns whether it was not in the set. */
    boolean add(int row) {
        long[] words = chunkOf(row);
        long word = words[row >>> 6 & WORD_MASK];
        long bit = 1L << row;
        words[row >>> 6 & WORD_MASK] = word | bit;
        return (word & bit) == 0;
    }

    /** Takes back a row that has been added. */
    void remove(int row) {
        chunkOf(row)[row >>> 6 & WORD_MASK] &= ~(1L << row);
    }

    /** Adds the rows {@code [from, to)}. */
    void setRange(int from, int to) {
        if (from >= to) {
            return;
        }
        int first = from >>> 6;
        int last = to - 1 >>> 6;
        for (int word = first; word <= last; ) {
            int end = Math.min(last, word | WORD_MASK);
            long[] words = chunkOf(end << 6);
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
        return (word(row >>> 6) >>> row & 1) != 0;
    }

    /** Returns the 64 rows from {@code 64 * word}. */
    long word(int word) {
        int chunk = word >>> WORD_SHIFT;
        long[] words = chunk < chunks.length ? chunks[chunk] : NO_WORDS;
        int at = word & WORD_MASK;
        return at < words.length ? words[at] : 0;
    }

    /** Returns whether there may be any in the chunk of this word. */
    boolean hasChunkOf(int word) {
        int chunk = word >>> WORD_SHIFT;
        return chunk < chunks.length && chunks[chunk].length > 0;
    }

    /** Adds the rows of a set that is given up: it must not be used again. */
    void take(RowBits other) {
        if (other.chunks.length > chunks.length) {
            chunks = resized(chunks, other.chunks.length);
        }
        room = Math.max(room, other.room);
        for (int c = 0; c < other.chunks.length; c++) {
            long[] theirs = other.chunks[c];
            long[] ours = chunks[c];
            if (ours.length < theirs.length) {
                long[] shorter = ours;
                ours = put(c, theirs);
                theirs = shorter;
            }
            for (int w = 0; w < theirs.length; w++) {
                ours[w] |= theirs[w];
            }
        }
    }

    long bytes() {
        return bytes + 8L * chunks.length;
    }
}
