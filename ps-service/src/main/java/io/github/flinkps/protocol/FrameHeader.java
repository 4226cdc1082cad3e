package io.github.flinkps.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Reads and writes the header of every frame, {@value #BYTES} bytes, little endian like all of the
 * wire:
 *
 * <pre>
 *  0  int32  length of the whole frame, header included
 *  4  int16  api key
 *  6  int8   version of the api
 *  7  int8   flags: 1 response
 *  8  int64  correlation id: the response carries its request's
 * 16  int32  milliseconds the sender of a request will wait; 0 in a response
 * 20  int32  length of the control part
 * 24  int32  error code of a response, 0 for none; 0 in a request
 * 28  int32  zero
 * 32  control part, then zeros up to a multiple of 64, then Arrow messages, each at a multiple of 64
 * </pre>
 *
 * <p>A chunk of a large frame has the first 16 bytes in common; {@link ChunkHeader} has the rest.
 */
public final class FrameHeader {
    public static final int BYTES = 32;

    public static final int FLAG_RESPONSE = 1;

    /** Version of the protocol as a whole, agreed in the hello. */
    public static final int PROTOCOL_VERSION = 2;

    /** Largest frame a peer may send before its hello. */
    public static final int HELLO_FRAME_LIMIT = 8192;

    /** Largest frame a control connection takes: it is decoded into many small objects. */
    public static final int CONTROL_FRAME_LIMIT = 4 << 20;

    /** The limit of frames by the option of that name, for messages. */
    public static final String MOST_BY_OPTION = "max-frame-bytes";

    /** The limit of frames on a control connection, for messages. */
    public static final String MOST_OF_CONTROL = "a control request may have,";

    private FrameHeader() {}

    /**
     * Writes the header of a request, whose frame is complete. Its correlation and how long its
     * sender waits are set when it is sent.
     */
    public static void writeRequest(ByteBuf frame, ApiKey api, int controlLength) {
        write(frame, api.id(), api.maxVersion(), 0, 0);
        frame.setIntLE(20, controlLength);
    }

    /**
     * Writes the header of a response, whose frame is complete.
     *
     * @param apiId of the request, which the server need not know
     * @param errorCode 0 for none
     */
    public static void writeResponse(
            ByteBuf frame, int apiId, long correlation, int controlLength, int errorCode) {
        write(frame, apiId, ApiKey.maxVersion(apiId), FLAG_RESPONSE, correlation);
        frame.setIntLE(20, controlLength);
        frame.setIntLE(24, errorCode);
    }

    /** Writes what all frames have in common, and zeros behind it. */
    static void write(ByteBuf frame, int apiId, int version, int flags, long correlation) {
        frame.setIntLE(0, frame.writerIndex());
        frame.setShortLE(4, apiId);
        frame.setByte(6, version);
        frame.setByte(7, flags);
        frame.setLongLE(8, correlation);
        frame.setLongLE(16, 0);
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

    /** Returns the milliseconds for which the sender of a request waits. */
    public static int timeoutMillis(ByteBuf frame) {
        return frame.getIntLE(16);
    }

    public static void setTimeoutMillis(ByteBuf frame, int millis) {
        frame.setIntLE(16, millis);
    }

    public static int controlLength(ByteBuf frame) {
        return frame.getIntLE(20);
    }

    /**
     * Returns whether a frame has all of the control part that its header claims, and that at least
     * so long.
     */
    public static boolean hasControl(ByteBuf frame, int least) {
        int control = controlLength(frame);
        return control >= least && control <= frame.writerIndex() - BYTES;
    }

    /** Returns the error code of a response, 0 for none. */
    public static int errorCode(ByteBuf frame) {
        return frame.getIntLE(24);
    }

    /** Returns the next multiple of 64. */
    public static int align(int offset) {
        return (offset + 63) & -64;
    }
}
