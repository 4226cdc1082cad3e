package io.github.flinkps.client;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.PsException;
import java.util.Arrays;

/**
 * Rows under keys, found by a hash of these. What {@link #image} has given out stays as it is: the
 * first change after it copies. One thread.
 */
final class ResidualRows {
    private static final int LEAST = 4;

    private final int width;

    /** Hash index with linear probing: one more than the row of a key, 0 for none. */
    private int[] index = new int[2 * LEAST];

    private long[] keys = new long[LEAST];
    private float[] values;
    private int size;
    private boolean shared;

    ResidualRows(int width) {
        this.width = width;
        this.values = new float[LEAST * width];
    }

    int size() {
        return size;
    }

    private int home(long key) {
        return (int) KeyHash.mix64(key) & index.length - 1;
    }

    /** Returns the slot of the index where a key stands, or would. */
    private int slot(long key) {
        int slot = home(key);
        while (index[slot] != 0 && keys[index[slot] - 1] != key) {
            slot = slot + 1 & index.length - 1;
        }
        return slot;
    }

    /** Adds {@code factor} times the row of a key, if there is one, to the values at an offset. */
    void addTo(float[] to, int at, long key, double factor) {
        int row = index[slot(key)] - 1;
        for (int i = 0; row >= 0 && i < width; i++) {
            to[at + i] += (float) (values[row * width + i] * factor);
        }
    }

    /**
     * Sets the row of a key to {@code factor} times the values at an offset; a row of zeros is
     * none.
     */
    void put(long key, float[] from, int at, double factor) {
        boolean zero = true;
        for (int i = at; i < at + width; i++) {
            zero &= from[i] == 0;
            if (!Float.isFinite(from[i])) {
                throw new PsException(
                        ErrorCode.NOT_FINITE, "an update that is retained is NaN or infinite");
            }
        }
        if (zero) {
            remove(key);
            return;
        }
        own();
        int slot = slot(key);
        if (index[slot] == 0) {
            if (size == keys.length) {
                grow();
                slot = slot(key);
            }
            keys[size++] = key;
            index[slot] = size;
        }
        int to = (index[slot] - 1) * width;
        for (int i = 0; i < width; i++) {
            values[to + i] = (float) (from[at + i] * factor);
        }
    }

    private void own() {
        if (shared) {
            keys = keys.clone();
            values = values.clone();
            shared = false;
        }
    }

    private void grow() {
        keys = Arrays.copyOf(keys, 2 * size);
        values = Arrays.copyOf(values, Math.multiplyExact(2 * size, width));
        index = new int[4 * size];
        for (int row = 0; row < size; row++) {
            index[slot(keys[row])] = row + 1;
        }
    }

    void remove(long key) {
        int slot = slot(key);
        int row = index[slot] - 1;
        if (row < 0) {
            return;
        }
        own();
        free(slot);
        size--;
        if (row < size) {
            index[slot(keys[size])] = row + 1;
            keys[row] = keys[size];
            System.arraycopy(values, size * width, values, row * width, width);
        }
    }

    /** Frees a slot of the index and moves up what stands behind it. */
    private void free(int slot) {
        int mask = index.length - 1;
        int hole = slot;
        for (int next = hole + 1 & mask; index[next] != 0; next = next + 1 & mask) {
            int home = home(keys[index[next] - 1]);
            if ((next - home & mask) >= (next - hole & mask)) {
                index[hole] = index[next];
                hole = next;
            }
        }
        index[hole] = 0;
    }

    /** Returns all rows as they are now. */
    Residual image(String table) {
        shared = true;
        return new Residual(table, width, size, keys, values);
    }
}
