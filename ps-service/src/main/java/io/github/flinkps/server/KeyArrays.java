package io.github.flinkps.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The arrays of key lists that are over, for lists to come. Lists are kept too long to die young,
 * and would fill the old generation of a collector, of which a turn takes the longer the larger the
 * model is. Confined to the owner thread.
 */
final class KeyArrays {
    /** Memory of arrays that no list has. */
    static final long MOST_FREE = 8L << 20;

    private static final int LEAST = 64;
    private static final int MOST = Integer.MAX_VALUE - 8;

    /** By length: there are four to an octave. */
    private final List<Free> free = new ArrayList<>();

    private long freeBytes;
    private long taken;

    /** Arrays of one length, and when such were wanted last. */
    private static final class Free {
        private final ArrayDeque<Pair> pairs = new ArrayDeque<>(0);
        private long lastTaken;
    }

    /** Of one list, and equally long: its hashes and their row numbers. Has no certain contents. */
    record Pair(long[] hashes, int[] rows) {
        long bytes() {
            return (long) (Long.BYTES + Integer.BYTES) * hashes.length;
        }
    }

    KeyArrays() {
        for (int i = 0; i <= index(MOST); i++) {
            free.add(new Free());
        }
    }

    /** Arrays for so many keys, which may be longer. */
    Pair take(int count) {
        int length = length(count);
        Free ofLength = free.get(index(length));
        ofLength.lastTaken = ++taken;
        Pair pair = ofLength.pairs.pollLast();
        if (pair == null) {
            return new Pair(new long[length], new int[length]);
        }
        freeBytes -= pair.bytes();
        return pair;
    }

    /** Takes arrays back that nobody uses any more; drops those of lengths not wanted for long. */
    void giveBack(Pair pair) {
        freeBytes += pair.bytes();
        free.get(index(pair.hashes().length)).pairs.addLast(pair);
        while (freeBytes > MOST_FREE) {
            freeBytes -= idlest().pairs.pollFirst().bytes();
        }
    }

    private Free idlest() {
        Free idlest = null;
        for (Free each : free) {
            if (!each.pairs.isEmpty() && (idlest == null || each.lastTaken < idlest.lastTaken)) {
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
}
