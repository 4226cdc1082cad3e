package io.github.flinkps.protocol;

import java.nio.ByteBuffer;

/**
 * Reads and writes the control part of the answer to an EXCHANGE in place:
 *
 * <pre>
 *  0 int32 pull sections
 *  8 int64 lowest clock at this owner; for who rejoins, that before which it does not begin
 * 16 for each pull 16 bytes: int32 table, int32 rows, int32 offset in the frame and int32 length of
 *    the message of values
 * </pre>
 *
 * <p>All methods take the whole frame, little endian, and allocate nothing.
 */
public final class ExchangeAnswer {
    private static final int BASE = FrameHeader.BYTES;
    private static final int HEAD_BYTES = 16;
    private static final int PULL_BYTES = 16;

    private ExchangeAnswer() {}

    /** Returns the length of the control part with so many pulls. */
    public static int controlLength(int pulls) {
        return HEAD_BYTES + pulls * PULL_BYTES;
    }

    public static void put(ByteBuffer frame, int pulls, long lowestClock) {
        frame.putInt(BASE, pulls).putInt(BASE + 4, 0).putLong(BASE + 8, lowestClock);
    }

    public static void putPull(
            ByteBuffer frame, int index, int table, int rows, int offset, int length) {
        int at = pull(index);
        frame.putInt(at, table).putInt(at + 4, rows).putInt(at + 8, offset).putInt(at + 12, length);
    }

    public static int pulls(ByteBuffer frame) {
        return frame.getInt(BASE);
    }

    public static long lowestClock(ByteBuffer frame) {
        return frame.getLong(BASE + 8);
    }

    public static int valuesOffset(ByteBuffer frame, int index) {
        return frame.getInt(pull(index) + 8);
    }

    public static int valuesLength(ByteBuffer frame, int index) {
        return frame.getInt(pull(index) + 12);
    }

    private static int pull(int index) {
        return BASE + HEAD_BYTES + index * PULL_BYTES;
    }
}
