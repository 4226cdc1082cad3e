package io.github.flinkps.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bulk copies between arrays and columns of a buffer at absolute offsets, at memory speed; the
 * buffer's position, limit and byte order stay as they are. Columns are little endian.
 */
public final class ColumnCopy {
    private ColumnCopy() {}

    /** Writes {@code source[from .. from + count)} at byte {@code at}. */
    public static void putLongs(ByteBuffer target, int at, long[] source, int from, int count) {
        column(target, at, (long) count * Long.BYTES).asLongBuffer().put(source, from, count);
    }

    /** Reads {@code count} numbers at byte {@code at} into {@code target[from ..)}. */
    public static void getLongs(ByteBuffer source, int at, long[] target, int from, int count) {
        column(source, at, (long) count * Long.BYTES).asLongBuffer().get(target, from, count);
    }

    /** Writes {@code source[from .. from + count)} at byte {@code at}. */
    public static void putFloats(ByteBuffer target, int at, float[] source, int from, int count) {
        column(target, at, (long) count * Float.BYTES).asFloatBuffer().put(source, from, count);
    }

    /** Reads {@code count} numbers at byte {@code at} into {@code target[from ..)}. */
    public static void getFloats(ByteBuffer source, int at, float[] target, int from, int count) {
        column(source, at, (long) count * Float.BYTES).asFloatBuffer().get(target, from, count);
    }

    /** Writes {@code source[from .. from + count)} at byte {@code at}. */
    public static void putInts(ByteBuffer target, int at, int[] source, int from, int count) {
        column(target, at, (long) count * Integer.BYTES).asIntBuffer().put(source, from, count);
    }

    /** Reads {@code count} numbers at byte {@code at} into {@code target[from ..)}. */
    public static void getInts(ByteBuffer source, int at, int[] target, int from, int count) {
        column(source, at, (long) count * Integer.BYTES).asIntBuffer().get(target, from, count);
    }

    /** Returns a little-endian view of part of a buffer, sharing its memory. */
    static ByteBuffer column(ByteBuffer buffer, int at, long bytes) {
        if (bytes < 0 || bytes > Integer.MAX_VALUE) {
            throw new IndexOutOfBoundsException("a column of " + bytes + " bytes");
        }
        return buffer.slice(at, (int) bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
