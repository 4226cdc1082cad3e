package io.github.flinkps.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;

/**
 * The messages of a frame, behind its control part: zeros up to a multiple of 64, then the messages
 * one after the other, whose lengths are such multiples. A frame without messages ends with its
 * control part.
 *
 * <p>All methods take the whole frame, little endian, and allocate nothing but views of columns.
 */
public final class FrameBody {
    private FrameBody() {}

    /** Returns the bytes of a frame whose messages take so many. */
    public static long frameLength(int controlLength, long messages) {
        return messages == 0
                ? FrameHeader.BYTES + controlLength
                : FrameHeader.align(FrameHeader.BYTES + controlLength) + messages;
    }

    /** Writes the zeros behind the control part, and returns where the first message begins. */
    public static int begin(ByteBuffer frame, int controlLength) {
        int control = FrameHeader.BYTES + controlLength;
        int first = Math.min(FrameHeader.align(control), frame.limit());
        for (int at = control; at < first; at++) {
            frame.put(at, (byte) 0);
        }
        return first;
    }

    /** Returns whether a message lies in the frame, behind its header. */
    public static boolean contains(ByteBuffer frame, int offset, int length) {
        return offset >= FrameHeader.BYTES
                && length >= 0
                && (long) offset + length <= frame.limit();
    }

    /** Returns a column of keys, which shares the frame's memory. */
    public static LongBuffer longs(ByteBuffer frame, int at, int count) {
        return column(frame, at, Math.multiplyExact(count, Long.BYTES)).asLongBuffer();
    }

    /** Returns a column of values, which shares the frame's memory. */
    public static FloatBuffer floats(ByteBuffer frame, int at, int count) {
        return column(frame, at, Math.multiplyExact(count, Float.BYTES)).asFloatBuffer();
    }

    private static ByteBuffer column(ByteBuffer frame, int at, int bytes) {
        return frame.slice(at, bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
