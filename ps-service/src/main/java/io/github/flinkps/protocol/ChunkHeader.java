package io.github.flinkps.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Collection;
import java.util.function.ToIntFunction;

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

    /** Frames that may be under way in chunks at once, each way. */
    public static final int MAX_CHUNKED_FRAMES = 16;

    /** Bytes of all of these but the largest. */
    private static final long MAX_BESIDE_BYTES = 16L << 20;

    private ChunkHeader() {}

    /**
     * Returns whether a frame may begin to travel in chunks beside others: 16 at a time, of which
     * all but the largest have 16 MiB. So what a peer has to assemble is little more than one
     * frame, however many connections wait with large ones.
     *
     * @param others under way
     * @param lengthOf gives the length of one of them when whole
     * @param length of the next
     */
    public static boolean mayBegin(
            Collection<ByteBuf> others, ToIntFunction<ByteBuf> lengthOf, int length) {
        long largest = length;
        long sum = length;
        for (ByteBuf other : others) {
            int bytes = lengthOf.applyAsInt(other);
            largest = Math.max(largest, bytes);
            sum += bytes;
        }
        return others.size() < MAX_CHUNKED_FRAMES && sum - largest <= MAX_BESIDE_BYTES;
    }

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
