package io.github.flinkps.protocol;

import io.netty.buffer.ByteBuf;

/**
 * The header of every frame, {@value #BYTES} bytes, little endian like all of the wire:
 *
 * <pre>
 *  0  int32  length of the whole frame, header included
 *  4  int16  api key
 *  6  int8   version of the api
 *  7  int8   flags: 1 response
 *  8  int64  correlation id: the response carries its request's
 * 16  int32  request: milliseconds the sender will wait; response: error code, 0 for none; chunk: offset in the frame
 * 20  int32  length of the control part; chunk: length of the whole frame
 * 24  int8   priority (0 normal); 25 to 31 zero
 * 32  control part, then zeros up to a multiple of 64, then Arrow messages, each at a multiple of 64
 * </pre>
 */
public final class FrameHeader {
    public static final int BYTES = 32;

    /** Frames above this travel in chunks of it, so that a large one does not block a small one. */
    public static final int CHUNK_BYTES = 1 << 20;

    /** Frames that may be under way in chunks at once, each way; a sender keeps others waiting. */
    public static final int MAX_CHUNKED_FRAMES = 16;

    public static final int FLAG_RESPONSE = 1;

    /** Version of the protocol as a whole, agreed in the hello. */
    public static final int PROTOCOL_VERSION = 1;

    /** Largest frame a peer may send before its hello. */
    public static final int HELLO_FRAME_LIMIT = 4096;

    private FrameHeader() {}

    public static void write(
            ByteBuf frame, ApiKey api, int flags, long correlation, int word, int control) {
        frame.setIntLE(0, frame.writerIndex());
        frame.setShortLE(4, api.id());
        frame.setByte(6, api.maxVersion());
        frame.setByte(7, flags);
        frame.setLongLE(8, correlation);
        frame.setIntLE(16, word);
        frame.setIntLE(20, control);
        frame.setLongLE(24, 0);
    }

    public static int length(ByteBuf frame) {
        return frame.getIntLE(0);
    }

    public static int api(ByteBuf frame) {
        return frame.getShortLE(4);
    }

    public static int version(ByteBuf frame) {
        return frame.getByte(6);
    }

    public static boolean isResponse(ByteBuf frame) {
        return (frame.getByte(7) & FLAG_RESPONSE) != 0;
    }

    public static long correlation(ByteBuf frame) {
        return frame.getLongLE(8);
    }

    public static void setCorrelation(ByteBuf frame, long correlation) {
        frame.setLongLE(8, correlation);
    }

    /** Milliseconds to wait (request), error code (response) or offset (chunk). */
    public static int word(ByteBuf frame) {
        return frame.getIntLE(16);
    }

    public static void setWord(ByteBuf frame, int word) {
        frame.setIntLE(16, word);
    }

    /** Length of the control part, or of the whole frame (chunk). */
    public static int control(ByteBuf frame) {
        return frame.getIntLE(20);
    }

    /** The next multiple of 64. */
    public static int align(int offset) {
        return (offset + 63) & -64;
    }
}
