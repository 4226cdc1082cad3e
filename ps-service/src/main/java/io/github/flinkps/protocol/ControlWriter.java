package io.github.flinkps.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;

/**
 * Writes a frame whose control part is small and has no batches; ended by {@link #finish}. Where
 * there is no memory for what is written the frame is released, and the error thrown.
 */
public final class ControlWriter {
    private final ByteBuf frame;

    public ControlWriter(ByteBufAllocator allocator) {
        this.frame = allocator.directBuffer(256);
        frame.writeZero(FrameHeader.BYTES);
    }

    private ByteBuf room(int bytes) {
        try {
            return frame.ensureWritable(bytes);
        } catch (RuntimeException | Error e) {
            frame.release();
            throw e;
        }
    }

    public ControlWriter int32(int value) {
        room(Integer.BYTES).writeIntLE(value);
        return this;
    }

    public ControlWriter int64(long value) {
        room(Long.BYTES).writeLongLE(value);
        return this;
    }

    public ControlWriter float32(float value) {
        room(Float.BYTES).writeFloatLE(value);
        return this;
    }

    public ControlWriter float64(double value) {
        room(Double.BYTES).writeDoubleLE(value);
        return this;
    }

    public ControlWriter string(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    public ControlWriter bytes(byte[] value) {
        room(Integer.BYTES + value.length).writeIntLE(value.length).writeBytes(value);
        return this;
    }

    /**
     * The finished request, owned by the caller; correlation and deadline are set when it is sent.
     */
    public ByteBuf request(ApiKey api) {
        return finish(api, 0, 0, 0);
    }

    /** The finished response, owned by the caller. */
    public ByteBuf response(ApiKey api, long correlation) {
        return finish(api, FrameHeader.FLAG_RESPONSE, correlation, 0);
    }

    /** The finished frame, owned by the caller. */
    public ByteBuf finish(ApiKey api, int flags, long correlation, int word) {
        FrameHeader.write(
                frame, api, flags, correlation, word, frame.writerIndex() - FrameHeader.BYTES);
        return frame;
    }
}
