package io.github.flinkps.client;

import java.util.Arrays;

/**
 * Sorts hashes with their positions: radix passes over the leading bits with the position packed
 * below them, then a repair of the few that share these bits.
 */
final class KeySorter {
    private static final int SMALL = 64;
    private static final int RADIX_BITS = 11;
    private static final int BUCKETS = 1 << RADIX_BITS;

    private KeySorter() {}

    /**
     * The order of the hashes: {@code hashes[order[i]]} ascends as unsigned numbers.
     *
     * @param count of {@code hashes}, at least 0
     */
    static int[] order(long[] hashes, int count) {
        int positionBits = 32 - Integer.numberOfLeadingZeros(Math.max(1, count - 1));
        long positions = (1L << positionBits) - 1;
        long[] packed = new long[count];
        for (int i = 0; i < count; i++) {
            packed[i] = (hashes[i] & ~positions) | i;
        }
        long[] sorted = count <= SMALL ? small(packed) : radix(packed, positionBits);
        repair(sorted, hashes, positions);
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = (int) (sorted[i] & positions);
        }
        return order;
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
     * Insertion sort by the full hash: the input is sorted but for runs that share their leading
     * bits.
     */
    private static void repair(long[] sorted, long[] hashes, long positions) {
        for (int i = 1; i < sorted.length; i++) {
            long value = sorted[i];
            long hash = hashes[(int) (value & positions)] ^ Long.MIN_VALUE;
            int j = i;
            while (j > 0 && (hashes[(int) (sorted[j - 1] & positions)] ^ Long.MIN_VALUE) > hash) {
                sorted[j] = sorted[j - 1];
                j--;
            }
            sorted[j] = value;
        }
    }
}
