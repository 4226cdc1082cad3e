package io.github.flinkps.flink.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Words as bytes, numbered from 0 in the order in which they are added; found without an object per
 * word. Belongs to one thread.
 */
final class WordTable {
    /** Most words. */
    static final int MOST = 1 << 22;

    private byte[] text = new byte[1 << 12];
    private int[] ends = new int[1 << 8];

    /** Number of the word + 1, or 0; linear probing. */
    private int[] slots = new int[1 << 9];

    private int size;

    int size() {
        return size;
    }

    /** Returns the number of the word {@code buffer[from, to)}, or -1. */
    int find(byte[] buffer, int from, int to) {
        return slots[slot(buffer, from, to)] - 1;
    }

    /**
     * Returns the number of the word {@code buffer[from, to)}, which is added if it is new.
     *
     * @throws IllegalArgumentException if there are too many
     */
    int add(byte[] buffer, int from, int to) {
        int slot = slot(buffer, from, to);
        if (slots[slot] != 0) {
            return slots[slot] - 1;
        }
        int start = start(size);
        int length = to - from;
        if (size == MOST || length > Integer.MAX_VALUE - 8 - start) {
            throw new IllegalArgumentException("more than " + MOST + " different words");
        }
        if (start + length > text.length) {
            long doubled = Math.max(2L * text.length, (long) start + length);
            text = Arrays.copyOf(text, (int) Math.min(doubled, Integer.MAX_VALUE - 8));
        }
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, 2 * size);
        }
        System.arraycopy(buffer, from, text, start, length);
        ends[size] = start + length;
        slots[slot] = ++size;
        if (2 * size > slots.length) {
            grow();
        }
        return size - 1;
    }

    /** Returns the word of a number. */
    String word(int number) {
        int start = start(number);
        return new String(text, start, ends[number] - start, StandardCharsets.UTF_8);
    }

    private int start(int number) {
        return number == 0 ? 0 : ends[number - 1];
    }

    private void grow() {
        slots = new int[2 * slots.length];
        for (int number = 0; number < size; number++) {
            int slot = hash(text, start(number), ends[number]) & slots.length - 1;
            while (slots[slot] != 0) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = number + 1;
        }
    }

    /** Returns the slot of a word, or the free slot where it would be. */
    private int slot(byte[] buffer, int from, int to) {
        int slot = hash(buffer, from, to) & slots.length - 1;
        while (slots[slot] != 0) {
            int number = slots[slot] - 1;
            if (Arrays.equals(text, start(number), ends[number], buffer, from, to)) {
                return slot;
            }
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    private static int hash(byte[] buffer, int from, int to) {
        int hash = 0x811c9dc5; // FNV-1a
        for (int i = from; i < to; i++) {
            hash = (hash ^ buffer[i] & 0xff) * 0x01000193;
        }
        return hash ^ hash >>> 15;
    }
}
