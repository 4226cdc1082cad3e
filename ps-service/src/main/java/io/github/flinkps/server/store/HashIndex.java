package io.github.flinkps.server.store;

import java.util.Arrays;

/**
 * From the hashes of a sparse partition to row numbers.
 *
 * <p>Slots are ints: 8 bits of tag, 24 bits of row number + 1, 0 for empty; the hashes themselves
 * stand in row order in a {@link LongChunks}. The slots lie in segments chosen by the top bits of
 * {@code u}, the hash without its partition bits, by an extendible directory; within a segment the
 * place is the next 32 bits of {@code u} scaled to the segment's length, with linear probing. So
 * sorted hashes probe nearly in sequence. A segment grows alone, by half, between loads of about
 * .53 and .8, and splits in two above 2^15 slots.
 */
final class HashIndex {
    /** Rows a partition can hold: 24 bits, less the empty mark. */
    static final int MAX_ROWS = (1 << 24) - 2;

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
            this.slots = new int[capacity];
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
        slotTotal = MIN_SEGMENT;
    }

    long bytes() {
        return 4 * slotTotal + 8L * directory.length;
    }

    /**
     * Row numbers of {@code keys[from, to)}, -1 where there is none. Fastest when sorted. Works in
     * blocks and in passes over a block, none of which branches on what it finds: first slots, then
     * the next slots of those whose tag differs, until none is left, then keys.
     */
    void find(long[] keys, int from, int to, int[] rows, Scratch scratch) {
        for (int b = from; b < to; b += Scratch.KEYS) {
            int end = Math.min(to, b + Scratch.KEYS);
            probe(keys, b, end, rows, scratch);
            verify(keys, b, end, rows, scratch);
        }
    }

    /** All slots: leaves in {@code rows} the row of the first slot whose tag agrees, or -1. */
    private void probe(long[] keys, int from, int to, int[] rows, Scratch scratch) {
        int i = from;
        while (i < to) {
            long first = keys[i];
            Segment segment = segment(first);
            int up = partitionBits + segment.depth;
            int end = runEnd(keys, i, to, prefix(first, up), up);
            int left = firstPass(keys, i, end, rows, segment.slots, up, scratch);
            while (left > 0) {
                left = nextPass(keys, rows, segment.slots, left, scratch);
            }
            i = end;
        }
    }

    private static int runEnd(long[] keys, int from, int to, long prefix, int up) {
        int end = from + 1;
        while (end < to && prefix(keys[end], up) == prefix) {
            end++;
        }
        return end;
    }

    private static int firstPass(
            long[] keys, int from, int to, int[] rows, int[] slots, int up, Scratch scratch) {
        int[] left = scratch.left;
        int[] places = scratch.places;
        int length = slots.length;
        int count = 0;
        for (int i = from; i < to; i++) {
            long key = keys[i];
            int at = place(key << up, length);
            int slot = slots[at];
            rows[i] = (slot & ROW_MASK) - 1;
            left[count] = i;
            places[count] = at;
            count += differs(slot, tag(key));
        }
        return count;
    }

    private static int nextPass(long[] keys, int[] rows, int[] slots, int before, Scratch scratch) {
        int[] left = scratch.left;
        int[] places = scratch.places;
        int length = slots.length;
        int count = 0;
        for (int j = 0; j < before; j++) {
            int i = left[j];
            int at = places[j] + 1;
            at &= (at - length) >> 31;
            int slot = slots[at];
            rows[i] = (slot & ROW_MASK) - 1;
            left[count] = i;
            places[count] = at;
            count += differs(slot, tag(keys[i]));
        }
        return count;
    }

    /** 1 if a slot is taken and has another tag, else 0. */
    private static int differs(int slot, int tag) {
        int other = (slot >>> 24) ^ tag;
        return (-other & (slot | -slot)) >>> 31;
    }

    /**
     * All keys: a row whose hash is another one's shared the tag only; those are sought again, one
     * by one.
     */
    private void verify(long[] keys, int from, int to, int[] rows, Scratch scratch) {
        int[] left = scratch.left;
        long[][] chunks = hashes.chunks();
        int count = 0;
        for (int i = from; i < to; i++) {
            int row = Math.max(0, rows[i]);
            long other = chunks[row >>> LongChunks.SHIFT][row & LongChunks.MASK] ^ keys[i];
            left[count] = i;
            count += (int) ((other | -other) >>> 63) & (~rows[i] >>> 31);
        }
        for (int j = 0; j < count; j++) {
            rows[left[j]] = findOne(keys[left[j]]);
        }
    }

    private int findOne(long key) {
        Segment segment = segment(key);
        int[] slots = segment.slots;
        int tag = tag(key);
        int at = place(key << (partitionBits + segment.depth), slots.length);
        while (true) {
            int slot = slots[at];
            if (slot == 0) {
                return -1;
            }
            int row = (slot & ROW_MASK) - 1;
            if (slot >>> 24 == tag && hashes.get(row) == key) {
                return row;
            }
            at = at + 1 == slots.length ? 0 : at + 1;
        }
    }

    /**
     * Adds absent hashes: the rows {@code [firstRow, hashes.size())}, whose hashes are unique and
     * best sorted.
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
            if (!fits(wanted, segment.slots.length)) {
                int capacity = Math.max(capacityFor(wanted), segment.slots.length / 2 * 3);
                if (capacity > MAX_SEGMENT && segment.depth < maxDepth) {
                    split(first, segment);
                    continue;
                }
                grow(segment, Math.max(MIN_SEGMENT, capacity));
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

    private void grow(Segment segment, int capacity) {
        int[] old = segment.slots;
        segment.slots = new int[capacity];
        slotTotal += capacity - old.length;
        segment.count = 0;
        for (int slot : old) {
            if (slot != 0) {
                add(segment, (slot & ROW_MASK) - 1);
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
        slotTotal += 2L * capacity - segment.slots.length;
        int up = partitionBits + segment.depth;
        for (int slot : segment.slots) {
            if (slot != 0) {
                int row = (slot & ROW_MASK) - 1;
                Segment half = hashes.get(row) << up < 0 ? high : low;
                if (!fits(half.count + 1, half.slots.length)) {
                    grow(half, half.slots.length / 2 * 3);
                }
                add(half, row);
            }
        }
        int span = 1 << (depth - segment.depth);
        int start = directoryIndex(key) & -span;
        Arrays.fill(directory, start, start + span / 2, low);
        Arrays.fill(directory, start + span / 2, start + span, high);
    }

    private void add(Segment segment, int row) {
        long key = hashes.get(row);
        int[] slots = segment.slots;
        int at = place(key << (partitionBits + segment.depth), slots.length);
        while (slots[at] != 0) {
            at = at + 1 == slots.length ? 0 : at + 1;
        }
        slots[at] = tag(key) << 24 | (row + 1);
        segment.count++;
    }

    private Segment segment(long key) {
        return directory[directoryIndex(key)];
    }

    private int directoryIndex(long key) {
        return (int) (((key << partitionBits) >>> 1) >>> (63 - depth));
    }

    /** The top {@code up} bits of a hash. */
    private static long prefix(long key, int up) {
        return (key >>> 1) >>> (63 - up);
    }

    private static int place(long bits, int length) {
        return (int) (((bits >>> 32) * length) >>> 32);
    }

    private static int tag(long key) {
        return (int) ((key * TAG_FACTOR) >>> 56);
    }
}
