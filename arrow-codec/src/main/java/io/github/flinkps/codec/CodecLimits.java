package io.github.flinkps.codec;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The bound of the memory that one frame may take; checked before anything is allocated for it.
 *
 * @param maxFrameBytes largest frame, metadata and body together
 */
public record CodecLimits(int maxFrameBytes) {
    /** 64 MiB. */
    public static final CodecLimits DEFAULT = new CodecLimits(64 << 20);

    public CodecLimits {
        if (maxFrameBytes < 1) {
            throw new IllegalArgumentException(
                    "maxFrameBytes must be at least 1, not " + maxFrameBytes);
        }
    }

    /**
     * Returns the size as an int.
     *
     * @throws CodecException TOO_LARGE beyond the cap, BAD_LENGTH if negative
     */
    public int check(long bytes) {
        if (bytes < 0) {
            throw new CodecException(Reason.BAD_LENGTH, "a frame of " + bytes + " bytes");
        }
        if (bytes > maxFrameBytes) {
            throw new CodecException(
                    Reason.TOO_LARGE,
                    "a frame of " + bytes + " bytes is beyond the cap of " + maxFrameBytes);
        }
        return (int) bytes;
    }

    /**
     * Returns a zeroed little-endian direct buffer of that size; nothing is allocated beyond the
     * cap.
     */
    public ByteBuffer allocate(long bytes) {
        return ByteBuffer.allocateDirect(check(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    }
}
