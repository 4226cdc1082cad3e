package io.github.flinkps.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Numbers at absolute offsets of a buffer, whatever the buffer's own byte order and the offset's
 * alignment.
 */
final class LittleEndian {
    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT =
            MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    static long getLong(ByteBuffer buffer, int at) {
        return (long) LONG.get(buffer, at);
    }

    static int getInt(ByteBuffer buffer, int at) {
        return (int) INT.get(buffer, at);
    }

    static short getShort(ByteBuffer buffer, int at) {
        return (short) SHORT.get(buffer, at);
    }

    static void putLong(ByteBuffer buffer, int at, long value) {
        LONG.set(buffer, at, value);
    }

    static void putInt(ByteBuffer buffer, int at, int value) {
        INT.set(buffer, at, value);
    }
}
