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

    int size() {
        return size;
    }

    /** The chunks as they are; valid until the next {@link #append}. */
    long[][] chunks() {
        return chunks;
    }

    long get(int at) {
        return chunks[at >>> SHIFT][at & MASK];
    }

    void append(long value) {
        int chunk = size >>> SHIFT;
        int at = size & MASK;
        if (chunk >= chunks.length) {
            chunks = Arrays.copyOf(chunks, Math.max(chunk + 1, chunks.length * 3 / 2));
        }
        if (chunks[chunk] == null) {
            chunks[chunk] = new long[CHUNK];
        } else if (at >= chunks[chunk].length) {
            chunks[chunk] = Arrays.copyOf(chunks[chunk], chunks[chunk].length * 2);
        }
        chunks[chunk][at] = value;
        size++;
    }

    long bytes() {
        if (size <= CHUNK) {
            return 8L * chunks[0].length;
        }
        return 8L * CHUNK * ((size + MASK) >>> SHIFT);
    }

    void clear() {
        chunks = new long[][] {new long[FIRST]};
        size = 0;
    }
}
