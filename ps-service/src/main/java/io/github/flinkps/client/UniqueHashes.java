package io.github.flinkps.client;

import java.util.Arrays;

/**
 * Hashes made unique and sorted, with the way back. Where many repeat, a table finds the unique
 * ones, and only these are sorted; else all are. Either way gives the same.
 */
final class UniqueHashes {
    /** The fewest hashes that are not sorted as they are. */
    private static final int FEW = 1024;

    private static final int FIRST_BITS = 12;

    /** 2^64 divided by the golden ratio: spreads keys of dense tables too (Knuth, 6.4). */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final long[] sorted;
    private final int[] firsts;
    private final int[] positions;

    private UniqueHashes(long[] sorted, int[] firsts, int[] positions) {
        this.sorted = sorted;
        this.firsts = firsts;
        this.positions = positions;
    }

    /**
     * Makes hashes unique.
     *
     * @param repeats whether most are expected to repeat: a guess, by which only the time changes
     */
    static UniqueHashes of(long[] hashes, boolean repeats) {
        return repeats && hashes.length >= FEW ? byTable(hashes) : bySorting(hashes);
    }

    /** Returns the unique hashes, ascending as unsigned numbers. */
    long[] sorted() {
        return sorted;
    }

    /** Returns for each of them the position of one that is equal among those given. */
    int[] firsts() {
        return firsts;
    }

    /** Returns for each of those given its position among the unique ones. */
    int[] positions() {
        return positions;
    }

    /**
     * Returns whether to expect that most repeat next time too.
     *
     * @param before what was expected this time; few hashes say nothing
     */
    boolean repeats(boolean before) {
        return positions.length < FEW ? before : 2L * sorted.length <= positions.length;
    }

    private static UniqueHashes bySorting(long[] hashes) {
        int count = hashes.length;
        int[] order = KeySorter.order(hashes, count);
        long[] sorted = new long[count];
        int[] firsts = new int[count];
        int[] positions = new int[count];
        int size = 0;
        for (int i = 0; i < count; i++) {
            int at = order[i];
            long hash = hashes[at];
            if (size == 0 || sorted[size - 1] != hash) {
                sorted[size] = hash;
                firsts[size++] = at;
            }
            positions[at] = size - 1;
        }
        return new UniqueHashes(
                Arrays.copyOf(sorted, size), Arrays.copyOf(firsts, size), positions);
    }

    private static UniqueHashes byTable(long[] hashes) {
        int count = hashes.length;
        int[] positions = new int[count];
        Table table = new Table();
        for (int i = 0; i < count; i++) {
            positions[i] = table.number(hashes[i], i);
        }
        int size = table.size;
        int[] order = KeySorter.order(table.hashes, size);
        long[] sorted = new long[size];
        int[] firsts = new int[size];
        int[] ranks = new int[size];
        for (int i = 0; i < size; i++) {
            int number = order[i];
            sorted[i] = table.hashes[number];
            firsts[i] = table.firsts[number];
            ranks[number] = i;
        }
        for (int i = 0; i < count; i++) {
            positions[i] = ranks[positions[i]];
        }
        return new UniqueHashes(sorted, firsts, positions);
    }

    /** Numbers different hashes from 0 on, in the order in which they come; open addressing. */
    private static final class Table {
        private int shift = Long.SIZE - FIRST_BITS;

        /** The number plus one of the hash in each slot, half of which are used at most. */
        private int[] slots = new int[1 << FIRST_BITS];

        private long[] hashes = new long[slots.length / 2];
        private int[] firsts = new int[slots.length / 2];
        private int size;

        /** Returns the number of a hash, which stands at {@code at}. */
        int number(long hash, int at) {
            int slot = slot(hash);
            if (slots[slot] != 0) {
                return slots[slot] - 1;
            }
            if (size == hashes.length) {
                grow();
                slot = slot(hash);
            }
            hashes[size] = hash;
            firsts[size] = at;
            slots[slot] = ++size;
            return size - 1;
        }

        /** Returns the slot of a hash, or the empty one where it belongs. */
        private int slot(long hash) {
            int mask = slots.length - 1;
            int slot = (int) (hash * SPREAD >>> shift);
            while (slots[slot] != 0 && hashes[slots[slot] - 1] != hash) {
                slot = (slot + 1) & mask;
            }
            return slot;
        }

        private void grow() {
            shift -= 2;
            slots = new int[4 * slots.length];
            hashes = Arrays.copyOf(hashes, slots.length / 2);
            firsts = Arrays.copyOf(firsts, slots.length / 2);
            for (int number = 0; number < size; number++) {
                slots[slot(hashes[number])] = number + 1;
            }
        }
    }
}
