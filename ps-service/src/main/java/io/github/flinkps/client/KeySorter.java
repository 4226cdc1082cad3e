package io.github.flinkps.client;

import java.util.Arrays;

/**
 * Sorts hashes with their positions. Radix passes go over the leading bits that differ, with the
 * position packed below them. Then the few hashes that share these bits are put in order; where
 * they are many, radix passes go over all bits.
 */
final class KeySorter {
    private static final int SMALL = 64;
    private static final int RADIX_BITS = 11;
    private static final int BUCKETS = 1 << RADIX_BITS;

    /** Moves of the repair per element, on average, beyond which it gives up. */
    private static final int MOVES = 16;

    private KeySorter() {}

    /**
     * Returns the order of the hashes: {@code hashes[order[i]]} ascends as unsigned numbers.
     *
     * @param count of {@code hashes}, at least 0
     */
    static int[] order(long[] hashes, int count) {
        int positionBits = 32 - Integer.numberOfLeadingZeros(Math.max(1, count - 1));
        long positions = (1L << positionBits) - 1;
        int common = commonBits(hashes, count);
        long[] packed = new long[count];
        for (int i = 0; i < count; i++) {
            packed[i] = ((hashes[i] << common) & ~positions) | i;
        }
        long[] sorted = count <= SMALL ? small(packed) : radix(packed, positionBits);
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = (int) (sorted[i] & positions);
        }
        return repair(order, hashes) ? order : full(hashes, count);
    }

    /** Returns the number of leading bits that all hashes share; at most 63. */
    private static int commonBits(long[] hashes, int count) {
        long different = 1;
        for (int i = 1; i < count; i++) {
            different |= hashes[i] ^ hashes[0];
        }
        return Long.numberOfLeadingZeros(different);
    }

    private static long[] small(long[] packed) {
        for (int i = 0; i < packed.length; i++) {
            packed[i] ^= Long.MIN_VALUE;
        }
        Arrays.sort(packed);
        for (int i = 0; i < packed.length; i++) {
            packed[i] ^= Long.MIN_VALUE;
        }
        return packed;
    }

    /** Sorts by the leading bits: enough of them that few neighbours share them. */
    private static long[] radix(long[] packed, int positionBits) {
        int passes = positionBits + 4 <= 2 * RADIX_BITS ? 2 : 3;
        long[] from = packed;
        long[] to = new long[packed.length];
        int[] counts = new int[BUCKETS];
        for (int pass = passes - 1; pass >= 0; pass--) {
            int shift = 64 - (pass + 1) * RADIX_BITS;
            Arrays.fill(counts, 0);
            for (long value : from) {
                counts[(int) (value >>> shift) & (BUCKETS - 1)]++;
            }
            int at = 0;
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                int size = counts[bucket];
                counts[bucket] = at;
                at += size;
            }
            for (long value : from) {
                to[counts[(int) (value >>> shift) & (BUCKETS - 1)]++] = value;
            }
            long[] swap = from;
            from = to;
            to = swap;
        }
        return from;
    }

    /**
     * Sorts by the full hash, by insertion: the input is sorted but for runs that share their
     * leading bits. Returns false, the work half done, when these are long.
     */
    private static boolean repair(int[] order, long[] hashes) {
        long moves = MOVES * (long) order.length + SMALL * SMALL;
        for (int i = 1; i < order.length; i++) {
            int position = order[i];
            long hash = hashes[position] ^ Long.MIN_VALUE;
            int j = i;
            while (j > 0 && (hashes[order[j - 1]] ^ Long.MIN_VALUE) > hash) {
                order[j] = order[j - 1];
                j--;
            }
            order[j] = position;
            moves -= i - j;
            if (moves < 0) {
                return false;
            }
        }
        return true;
    }

    /** Sorts by radix passes over all bits, the lowest first, and returns the order. */
    private static int[] full(long[] hashes, int count) {
        int[] from = new int[count];
        for (int i = 0; i < count; i++) {
            from[i] = i;
        }
        int[] to = new int[count];
        int[] counts = new int[BUCKETS];
        for (int shift = 0; shift < Long.SIZE; shift += RADIX_BITS) {
            Arrays.fill(counts, 0);
            for (int i = 0; i < count; i++) {
                counts[(int) (hashes[i] >>> shift) & (BUCKETS - 1)]++;
            }
            int at = 0;
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                int size = counts[bucket];
                counts[bucket] = at;
                at += size;
            }
            for (int position : from) {
                to[counts[(int) (hashes[position] >>> shift) & (BUCKETS - 1)]++] = position;
            }
            int[] swap = from;
            from = to;
            to = swap;
        }
        return from;
    }
}
