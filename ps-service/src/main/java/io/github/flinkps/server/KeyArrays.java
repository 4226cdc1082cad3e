package io.github.flinkps.server;

import java.util.ArrayList;
import java.util.List;

/**
 * The arrays of key lists that are over, for lists to come. Lists are kept too long to die young,
 * and would fill the old generation of a collector, of which a turn takes the longer the larger the
 * model is. Confined to the owner thread.
 */
final class KeyArrays {
    private static final long LEAST_FREE = 1L << 20;
    private static final long MOST_FREE = 8L << 20;
    private static final int LEAST = 16;
    private static final int MOST = Integer.MAX_VALUE - 8;

    /** Free arrays by length; there are four lengths to an octave. */
    private final List<Free> free = new ArrayList<>();

    private final long limit;
    private long freeBytes;
    private long taken;

    /**
     * Two arrays of one length for a list: its hashes and their row numbers. Their contents are
     * undefined.
     */
    static final class Pair {
        private final long[] hashes;
        private final int[] rows;

        /** The next free pair, while this one is free; so giving back takes no memory. */
        private Pair next;

        Pair(long[] hashes, int[] rows) {
            this.hashes = hashes;
            this.rows = rows;
        }

        long[] hashes() {
            return hashes;
        }

        int[] rows() {
            return rows;
        }

        long bytes() {
            return (long) (Long.BYTES + Integer.BYTES) * hashes.length;
        }
    }

    /** Arrays of one length, and when such were wanted last. */
    private static final class Free {
        private Pair first;
        private long lastTaken;

        Pair poll() {
            Pair pair = first;
            if (pair != null) {
                first = pair.next;
                pair.next = null;
            }
            return pair;
        }
    }

    /**
     * @param bytes of arrays that no list has; at least 1 and at most 8 MiB are kept
     */
    KeyArrays(long bytes) {
        this.limit = Math.max(LEAST_FREE, Math.min(MOST_FREE, bytes));
        for (int i = 0; i <= index(MOST); i++) {
            free.add(new Free());
        }
    }

    /** Returns arrays for so many keys, which may be longer. */
    Pair take(int count) {
        int length = length(count);
        Free ofLength = free.get(index(length));
        ofLength.lastTaken = ++taken;
        Pair pair = ofLength.poll();
        if (pair == null) {
            return new Pair(new long[length], new int[length]);
        }
        freeBytes -= pair.bytes();
        return pair;
    }

    /** Takes arrays back that nobody uses any more; drops those of lengths not wanted for long. */
    void giveBack(Pair pair) {
        if (pair.bytes() > limit) {
            return;
        }
        Free ofLength = free.get(index(pair.hashes.length));
        pair.next = ofLength.first;
        ofLength.first = pair;
        freeBytes += pair.bytes();
        while (freeBytes > limit) {
            freeBytes -= idlest().poll().bytes();
        }
    }

    private Free idlest() {
        Free idlest = null;
        for (int i = 0; i < free.size(); i++) {
            Free each = free.get(i);
            if (each.first != null && (idlest == null || each.lastTaken < idlest.lastTaken)) {
                idlest = each;
            }
        }
        return idlest;
    }

    static int length(int count) {
        if (count <= LEAST) {
            return LEAST;
        }
        int step = Integer.highestOneBit(count - 1) >>> 2;
        return (int) Math.min(MOST, ((long) count + step - 1) / step * step);
    }

    private static int index(int length) {
        int octave = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(length - 1);
        return octave << 2 | (length - 1 >>> octave - 2 & 3);
    }

    long freeBytes() {
        return freeBytes;
    }

    long limit() {
        return limit;
    }
}
