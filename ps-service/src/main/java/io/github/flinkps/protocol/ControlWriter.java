package io.github.flinkps.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;

/**
 * Writes a frame whose control part is small and has no batches; ended by {@link #request} or
 * {@link #response}. Where there is no memory for what is written the frame is released, and the
 * error thrown.
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

    /** Writes bytes as they are, without their number. */
    public ControlWriter body(byte[] value) {
        room(value.length).writeBytes(value);
        return this;
    }

    /**
     * Returns the finished request, owned by the caller; correlation and deadline are set when it
     * is sent.
     */
    public ByteBuf request(ApiKey api) {
        FrameHeader.writeRequest(frame, api, frame.writerIndex() - FrameHeader.BYTES);
        return frame;
    }

    /** Returns the finished response, owned by the caller. */
    public ByteBuf response(ApiKey api, long correlation) {
        return error(api.id(), correlation, 0);
    }

    /** Returns the finished response with an error code, 0 for none; owned by the caller. */
    ByteBuf error(int apiId, long correlation, int errorCode) {
        FrameHeader.writeResponse(
                frame, apiId, correlation, frame.writerIndex() - FrameHeader.BYTES, errorCode);
        return frame;
    }
}
