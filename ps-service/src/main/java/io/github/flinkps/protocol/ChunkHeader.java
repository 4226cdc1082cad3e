package io.github.flinkps.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Reads and writes the header of a chunk, a piece of a large frame: the first 16 bytes are those of
 * {@link FrameHeader}, with the response flag and the correlation of the frame it is a piece of.
 *
 * <pre>
 * 16  int32  offset of the piece in the whole frame
 * 20  int32  length of the whole frame
 * 24  int64  zero
 * 32  the piece
 * </pre>
 */
public final class ChunkHeader {
    /** Frames above this travel in chunks of it, so that a large one does not block a small one. */
    public static final int CHUNK_BYTES = 1 << 20;

    /** Frames that may be under way in chunks at once, each way; a sender keeps others waiting. */
    public static final int MAX_CHUNKED_FRAMES = 16;

    private ChunkHeader() {}

    /**
     * Writes the header of a piece of a frame.
     *
     * @param header of {@link FrameHeader#BYTES}, without the piece
     * @param frame whole
     * @param offset of the piece
     * @param bytes of the piece
     */
    public static void write(ByteBuf header, ByteBuf frame, int offset, int bytes) {
        FrameHeader.write(
                header,
                ApiKey.CHUNK.id(),
                ApiKey.CHUNK.maxVersion(),
                FrameHeader.isResponse(frame) ? FrameHeader.FLAG_RESPONSE : 0,
                FrameHeader.correlation(frame));
        header.setIntLE(0, FrameHeader.BYTES + bytes);
        header.setIntLE(16, offset);
        header.setIntLE(20, FrameHeader.length(frame));
    }

    /** Returns where the piece stands in the whole frame. */
    public static int offset(ByteBuf header) {
        return header.getIntLE(16);
    }

    /** Returns the length of the whole frame. */
    public static int wholeLength(ByteBuf header) {
        return header.getIntLE(20);
    }
}
