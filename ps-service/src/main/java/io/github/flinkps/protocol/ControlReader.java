package io.github.flinkps.protocol;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Reads a control part; every length is checked against the bytes left, and what does not fit is
 * MALFORMED.
 */
public final class ControlReader {
    private final ByteBuf frame;
    private final int end;
    private int at = FrameHeader.BYTES;

    /** Does not take ownership of the frame. */
    public ControlReader(ByteBuf frame) {
        this.frame = frame;
        int control = FrameHeader.controlLength(frame);
        if (control < 0 || control > frame.writerIndex() - FrameHeader.BYTES) {
            throw malformed("control part of " + control + " bytes");
        }
        this.end = FrameHeader.BYTES + control;
    }

    private static PsException malformed(String what) {
        return new PsException(ErrorCode.MALFORMED, "malformed frame: " + what);
    }

    /** Moves past {@code bytes}, returning where they begin in the frame. */
    public int skip(int bytes) {
        if (bytes < 0 || bytes > end - at) {
            throw malformed(bytes + " bytes wanted, " + (end - at) + " left");
        }
        int from = at;
        at += bytes;
        return from;
    }

    public int int32() {
        return frame.getIntLE(skip(4));
    }

    public long int64() {
        return frame.getLongLE(skip(8));
    }

    public float float32() {
        return frame.getFloatLE(skip(4));
    }

    public double float64() {
        return frame.getDoubleLE(skip(8));
    }

    public String string() {
        int length = int32();
        return frame.toString(skip(length), length, StandardCharsets.UTF_8);
    }

    public byte[] bytes() {
        int length = int32();
        int from = skip(length);
        byte[] value = new byte[length];
        frame.getBytes(from, value);
        return value;
    }

    /**
     * Reads a count of things of at least {@code bytesEach} bytes: never more than the bytes left
     * can hold.
     */
    public int count(int bytesEach) {
        int count = int32();
        if (count < 0 || (long) count * bytesEach > end - at) {
            throw malformed("count " + count);
        }
        return count;
    }
}
