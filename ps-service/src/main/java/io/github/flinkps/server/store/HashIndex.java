package io.github.flinkps.server.store;

import java.util.Arrays;

/**
 * Maps the hashes of a sparse partition to row numbers.
 *
 * <p>Slots are ints: 8 bits of tag, 24 bits of row number + 1, 0 for empty; the hashes themselves
 * stand in row order in a {@link LongChunks}. The slots lie in segments. An extendible directory
 * chooses the segment by the top bits of {@code u}, the hash without its partition bits. The slot
 * within it is the next 32 bits of {@code u} scaled to the segment's length, with linear probing.
 * So sorted hashes probe nearly in sequence. A segment grows alone, by half, between loads of about
 * .53 and .8, and splits in two above 2^15 slots.
 */
final class HashIndex {
    /** The most rows a partition can hold: 24 bits, less the empty mark. */
    static final int MAX_ROWS = (1 << 24) - 2;

    /**
     * Slots behind a segment's last that repeat its first, so that some can be read from any slot
     * on without a look at the end.
     */
    private static final int MIRRORED = 7;

    /** Slots compared at once. */
    private static final int WINDOW = 4;

    private static final int MAX_SEGMENT = 1 << 15;
    private static final int MIN_SEGMENT = 16;
    private static final int MAX_DEPTH = 14;
    private static final int ROW_MASK = (1 << 24) - 1;
    private static final long TAG_FACTOR = 0x9E3779B97F4A7C15L;

    private final int partitionBits;
    private final int maxDepth;
    private final LongChunks hashes;
    private Segment[] directory;
    private int depth;
    private long slotTotal;

    private static final class Segment {
        final int depth;
        int[] slots;
        int count;

        Segment(int depth, int capacity) {
            this.depth = depth;
            this.slots = new int[capacity + MIRRORED];
        }

        int capacity() {
            return slots.length - MIRRORED;
        }

        void set(int at, int slot) {
            slots[at] = slot;
            if (at < MIRRORED) {
                slots[capacity() + at] = slot;
            }
        }
    }

    /**
     * @param partitionBits top bits of a hash that all keys here share
     * @param hashBits bits of a hash that may differ from 0
     * @param hashes the hashes in row order, appended to by the caller before {@link #insert}
     */
    HashIndex(int partitionBits, int hashBits, LongChunks hashes) {
        this.partitionBits = partitionBits;
        this.maxDepth = Math.min(MAX_DEPTH, hashBits - partitionBits);
        this.hashes = hashes;
        clear();
    }

    void clear() {
        depth = 0;
        directory = new Segment[] {new Segment(0, MIN_SEGMENT)};
        slotTotal = MIN_SEGMENT + MIRRORED;
    }

    long bytes() {
        return 4 * slotTotal + 8L * directory.length;
    }

    /**
     * Finds the row numbers of {@code keys[from, to)}, -1 where there is none. Fastest when sorted.
     * Works in blocks and in passes over a block, so that many misses of the cache are under way at
     * once: all slots are touched, then their tags compared, then all keys.
     */
    void find(long[] keys, int from, int to, int[] rows, Scratch scratch) {
        for (int b = from; b < to; b += Scratch.KEYS) {
            int end = Math.min(to, b + Scratch.KEYS);
            int runs = touch(keys, b, end, scratch);
            int start = b;
            for (int run = 0; run < runs; run++) {
                int stop = scratch.runEnds[run];
                int[] slots = scratch.runSlots[run];
                int left = compare(keys, start, stop, b, rows, slots, scratch);
                compareFurther(keys, b, left, rows, slots, scratch);
                start = stop;
            }
            verify(keys, b, end, rows, scratch);
        }
    }

    /**
     * Reads the first slot of each key, and nothing that depends on it: slots and runs of keys of
     * one segment are left in the scratch.
     */
    private int touch(long[] keys, int from, int to, Scratch scratch) {
        int[] places = scratch.places;
        int runs = 0;
        int seen = 0;
        int i = from;
        while (i < to) {
            Segment segment = segment(keys[i]);
            int[] slots = segment.slots;
            int capacity = slots.length - MIRRORED;
            int up = partitionBits + segment.depth;
            long prefix = prefix(keys[i], up);
            do {
                int at = place(keys[i] << up, capacity);
                places[i - from] = at;
                seen += slots[at] ^ slots[at + WINDOW - 1];
                i++;
            } while (i < to && prefix(keys[i], up) == prefix);
            scratch.runEnds[runs] = i;
            scratch.runSlots[runs++] = slots;
        }
        scratch.seen = seen;
        return runs;
    }

    /**
     * Leaves in {@code rows} the row of a slot near the key's slot whose tag agrees, or -1; without
     * branches, as one would be guessed wrong for every other key. Returns how many have none; they
     * are listed in the scratch.
     */
    private static int compare(
            long[] keys, int from, int to, int base, int[] rows, int[] slots, Scratch scratch) {
        int[] places = scratch.places;
        int[] left = scratch.left;
        int count = 0;
        for (int i = from; i < to; i++) {
            int row = rowNear(slots, places[i - base], tag(keys[i]));
            rows[i] = row;
            left[count] = i;
            count -= row >> 31;
        }
        return count;
    }

    /**
     * Compares the slots after those that {@link #compare} looked at, for the keys it has listed.
     */
    private static void compareFurther(
            long[] keys, int base, int listed, int[] rows, int[] slots, Scratch scratch) {
        for (int j = 0; j < listed; j++) {
            int i = scratch.left[j];
            rows[i] = rowNear(slots, scratch.places[i - base] + WINDOW, tag(keys[i]));
        }
    }

    /**
     * Returns the row of one of four slots whose tag agrees, or -1. Where tags agree, what is left
     * of a slot is smaller than where they do not: the least of all is the one, if there is one.
     */
    private static int rowNear(int[] slots, int at, int tag) {
        int folded = tag << 24 ^ Integer.MIN_VALUE;
        int low = Math.min(slots[at] ^ folded, slots[at + 1] ^ folded);
        int high = Math.min(slots[at + 2] ^ folded, slots[at + 3] ^ folded);
        int least = Math.min(low, high) ^ Integer.MIN_VALUE;
        return least - 1 | -(least >>> 24) >> 31;
    }

    /**
     * Checks the rows found for all keys. Where there was no row near its slot, or a row of another
     * hash that shares the tag only, it looks for the key by itself.
     */
    private void verify(long[] keys, int from, int to, int[] rows, Scratch scratch) {
        int[] left = scratch.left;
        long[][] chunks = hashes.chunks();
        int count = 0;
        for (int i = from; i < to; i++) {
            int row = rows[i];
            int known = row & ~(row >> 31);
            long other = chunks[known >>> LongChunks.SHIFT][known & LongChunks.MASK] ^ keys[i];
            if ((other | row >> 31) != 0) {
                left[count++] = i;
            }
        }
        for (int j = 0; j < count; j++) {
            rows[left[j]] = findOne(keys[left[j]]);
        }
    }

    private int findOne(long key) {
        Segment segment = segment(key);
        int[] slots = segment.slots;
        int capacity = segment.capacity();
        int tag = tag(key);
        int at = place(key << (partitionBits + segment.depth), capacity);
        while (true) {
            int slot = slots[at];
            if (slot == 0) {
                return -1;
            }
            int row = (slot & ROW_MASK) - 1;
            if (slot >>> 24 == tag && hashes.get(row) == key) {
                return row;
            }
            at = at + 1 == capacity ? 0 : at + 1;
        }
    }

    /**
     * Adds absent hashes: the rows {@code [firstRow, hashes.size())}, whose hashes are unique and
     * best sorted. Where memory runs out the caller must {@link #remove} them.
     */
    void insert(int firstRow) {
        int end = hashes.size();
        int row = firstRow;
        while (row < end) {
            long first = hashes.get(row);
            Segment segment = segment(first);
            int up = partitionBits + segment.depth;
            long prefix = prefix(first, up);
            int stop = row + 1;
            while (stop < end && prefix(hashes.get(stop), up) == prefix) {
                stop++;
            }
            int wanted = segment.count + stop - row;
            if (!fits(wanted, segment.capacity())) {
                int capacity = Math.max(capacityFor(wanted), segment.capacity() / 2 * 3);
                if (capacity > MAX_SEGMENT && segment.depth < maxDepth) {
                    split(first, segment);
                    continue;
                }
                int before = segment.slots.length;
                grow(segment, Math.max(MIN_SEGMENT, capacity));
                slotTotal += segment.slots.length - before;
            }
            for (; row < stop; row++) {
                add(segment, row);
            }
        }
    }

    private static boolean fits(int count, int capacity) {
        return count <= capacity / 4 * 3;
    }

    private static int capacityFor(int count) {
        return count / 3 * 4 + 10;
    }

    /**
     * Takes back rows that {@link #insert} did not get to the end of; those it did not come to may
     * be among them. Takes no memory.
     */
    void remove(int firstRow) {
        for (int row = hashes.size() - 1; row >= firstRow; row--) {
            remove(segment(hashes.get(row)), row);
        }
    }

    /**
     * Removes a row, if it is there. What follows without a gap moves into the slot that is now
     * empty, where it may stand there.
     */
    private void remove(Segment segment, int row) {
        int up = partitionBits + segment.depth;
        int[] slots = segment.slots;
        int capacity = segment.capacity();
        int hole = place(hashes.get(row) << up, capacity);
        while ((slots[hole] & ROW_MASK) != row + 1) {
            if (slots[hole] == 0) {
                return;
            }
            hole = hole + 1 == capacity ? 0 : hole + 1;
        }
        int at = hole;
        while (true) {
            at = at + 1 == capacity ? 0 : at + 1;
            if (slots[at] == 0) {
                break;
            }
            int best = place(hashes.get((slots[at] & ROW_MASK) - 1) << up, capacity);
            if (distance(best, at, capacity) >= distance(hole, at, capacity)) {
                segment.set(hole, slots[at]);
                hole = at;
            }
        }
        segment.set(hole, 0);
        segment.count--;
    }

    private static int distance(int from, int to, int capacity) {
        return to >= from ? to - from : to - from + capacity;
    }

    private void grow(Segment segment, int capacity) {
        int[] old = segment.slots;
        int end = segment.capacity();
        segment.slots = new int[capacity + MIRRORED];
        segment.count = 0;
        for (int i = 0; i < end; i++) {
            if (old[i] != 0) {
                add(segment, (old[i] & ROW_MASK) - 1);
            }
        }
    }

    private void split(long key, Segment segment) {
        if (segment.depth == depth) {
            Segment[] doubled = new Segment[directory.length * 2];
            for (int i = 0; i < doubled.length; i++) {
                doubled[i] = directory[i >>> 1];
            }
            directory = doubled;
            depth++;
        }
        int capacity = Math.max(MIN_SEGMENT, capacityFor(segment.count / 2 + segment.count / 8));
        Segment low = new Segment(segment.depth + 1, capacity);
        Segment high = new Segment(segment.depth + 1, capacity);
        int up = partitionBits + segment.depth;
        int end = segment.capacity();
        for (int i = 0; i < end; i++) {
            int slot = segment.slots[i];
            if (slot != 0) {
                int row = (slot & ROW_MASK) - 1;
                Segment half = hashes.get(row) << up < 0 ? high : low;
                if (!fits(half.count + 1, half.capacity())) {
                    grow(half, half.capacity() / 2 * 3);
                }
                add(half, row);
            }
        }
        slotTotal += low.slots.length + high.slots.length - segment.slots.length;
        int span = 1 << (depth - segment.depth);
        int start = directoryIndex(key) & -span;
        Arrays.fill(directory, start, start + span / 2, low);
        Arrays.fill(directory, start + span / 2, start + span, high);
    }

    private void add(Segment segment, int row) {
        long key = hashes.get(row);
        int[] slots = segment.slots;
        int capacity = segment.capacity();
        int at = place(key << (partitionBits + segment.depth), capacity);
        while (slots[at] != 0) {
            at = at + 1 == capacity ? 0 : at + 1;
        }
        segment.set(at, tag(key) << 24 | (row + 1));
        segment.count++;
    }

    private Segment segment(long key) {
        return directory[directoryIndex(key)];
    }

    private int directoryIndex(long key) {
        return (int) (((key << partitionBits) >>> 1) >>> (63 - depth));
    }

    /** Returns the top {@code up} bits of a hash. */
    private static long prefix(long key, int up) {
        return (key >>> 1) >>> (63 - up);
    }

    private static int place(long bits, int length) {
        return (int) (((bits >>> 32) * length) >>> 32);
    }

    /** Returns the tag of a key, 1 to 255: that of an empty slot is 0. */
    private static int tag(long key) {
        int tag = (int) ((key * TAG_FACTOR) >>> 56);
        return tag - (tag - 1 >> 31);
    }
}
