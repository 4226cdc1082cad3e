package io.github.flinkps.server.store;

import java.util.Arrays;

/** A list of longs in chunks of 64 KiB, of which the first starts small and grows. */
final class LongChunks {
    static final int SHIFT = 13;
    static final int CHUNK = 1 << SHIFT;
    static final int MASK = CHUNK - 1;
    private static final int FIRST = 64;

    private long[][] chunks = {new long[FIRST]};
    private int size;

    /** Chunks there are, with the first. */
    private int made = 1;

    int size() {
        return size;
    }

    /** Returns the chunks as they are; valid until the next {@link #growTo}. */
    long[][] chunks() {
        return chunks;
    }

    long get(int at) {
        return chunks[at >>> SHIFT][at & MASK];
    }

    /** Makes room for so many. */
    void growTo(int count) {
        int last = count - 1 >>> SHIFT;
        if (last >= chunks.length) {
            chunks = Arrays.copyOf(chunks, Math.max(last + 1, chunks.length * 3 / 2));
        }
        int inFirst = Math.min(count, CHUNK);
        if (inFirst > chunks[0].length) {
            int length = Math.max(2 * chunks[0].length, Integer.highestOneBit(inFirst - 1) << 1);
            chunks[0] = Arrays.copyOf(chunks[0], length);
        }
        for (; made <= last; made++) {
            chunks[made] = new long[CHUNK];
        }
    }

    /** Appends a value; the room must have been made. */
    void append(long value) {
        chunks[size >>> SHIFT][size & MASK] = value;
        size++;
    }

    /** Takes back all but the first {@code count}. */
    void truncate(int count) {
        size = count;
    }

    long bytes() {
        return Long.BYTES * (chunks[0].length + (long) CHUNK * (made - 1));
    }

    void clear() {
        chunks = new long[][] {new long[FIRST]};
        made = 1;
        size = 0;
    }
}
