package io.github.flinkps.protocol;

import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.codec.BatchView;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.StepCounts;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Rows of a partition as stored: the answer to SCAN and the body of LOAD. Fixed layout: int32
 * session, int32 table, int32 partition, int32 rows, int32 slots, int64 next cursor, int64 steps,
 * int64 rounds, int64 steps of the next round, int32 offset and int32 length of one Arrow message
 * {@code {key, value, slot_0, ..}}.
 *
 * @param session that loads; 0 in answers
 * @param table number
 * @param partition number
 * @param cursor where the next chunk begins, negative at the end
 * @param steps of the optimizer counted at the partition
 * @param width values per row
 * @param keys one per row
 * @param values {@code width} per row
 * @param slots per slot as {@code values}
 */
public record RowsMessage(
        int session,
        int table,
        int partition,
        long cursor,
        StepCounts steps,
        int width,
        long[] keys,
        float[] values,
        float[][] slots) {
    private static final int CONTROL = 60;

    /** Returns the frame of a LOAD, owned by the caller; its correlation is set when it is sent. */
    public ByteBuf encodeRequest(ByteBufAllocator allocator) {
        ByteBuf frame = encode(allocator);
        FrameHeader.writeRequest(frame, ApiKey.LOAD, CONTROL);
        return frame;
    }

    /** Returns the frame of the answer to SCAN, owned by the caller. */
    public ByteBuf encodeResponse(ByteBufAllocator allocator, long correlation) {
        ByteBuf frame = encode(allocator);
        FrameHeader.writeResponse(frame, ApiKey.SCAN.id(), correlation, CONTROL, 0);
        return frame;
    }

    private ByteBuf encode(ByteBufAllocator allocator) {
        BatchLayout layout = BatchLayout.rows(width, slots.length);
        int length = layout.encodedSize(keys.length);
        int bytes = Math.toIntExact(FrameBody.frameLength(CONTROL, length));
        ByteBuf frame = allocator.directBuffer(bytes, bytes).writerIndex(bytes);
        ByteBuffer out = frame.nioBuffer(0, bytes).order(ByteOrder.LITTLE_ENDIAN);
        int at = FrameBody.begin(out, CONTROL);
        int offset = FrameHeader.BYTES;
        frame.setIntLE(offset, session).setIntLE(offset + 4, table).setIntLE(offset + 8, partition);
        frame.setIntLE(offset + 12, keys.length).setIntLE(offset + 16, slots.length);
        frame.setLongLE(offset + 20, cursor).setLongLE(offset + 28, steps.steps());
        frame.setLongLE(offset + 36, steps.rounds()).setLongLE(offset + 44, steps.ofRound());
        frame.setIntLE(offset + 52, at).setIntLE(offset + 56, length);
        layout.writeMetadata(out, at, keys.length);
        FrameBody.longs(out, at + layout.columnOffset(0, keys.length), keys.length).put(keys);
        put(out, at + layout.columnOffset(1, keys.length), values);
        for (int slot = 0; slot < slots.length; slot++) {
            put(out, at + layout.columnOffset(2 + slot, keys.length), slots[slot]);
        }
        return frame;
    }

    private void put(ByteBuffer out, int at, float[] floats) {
        int count = keys.length * width;
        FrameBody.floats(out, at, count).put(floats, 0, count);
    }

    /** Returns the session that a frame names, which is not decoded yet. */
    public static int session(ByteBuf frame) {
        return new ControlReader(frame).int32();
    }

    /** Returns the number of the table that a frame names, which is not decoded yet. */
    public static int table(ByteBuf frame) {
        ControlReader in = new ControlReader(frame);
        in.skip(Integer.BYTES);
        return in.int32();
    }

    /** Reads the frame; ownership stays with the caller. */
    public static RowsMessage decode(ByteBuf frame, int width) {
        ControlReader in = new ControlReader(frame);
        int session = in.int32();
        int table = in.int32();
        int partition = in.int32();
        int rows = in.int32();
        int slots = in.int32();
        long cursor = in.int64();
        long steps = in.int64();
        long rounds = in.int64();
        long ofRound = in.int64();
        int at = in.int32();
        int length = in.int32();
        ByteBuffer bytes = frame.nioBuffer(0, frame.writerIndex()).order(ByteOrder.LITTLE_ENDIAN);
        if (slots < 0
                || slots > BatchLayout.MAX_SLOTS
                || !StepCounts.areValid(steps, rounds, ofRound)
                || !FrameBody.contains(bytes, at, length)) {
            throw new PsException(ErrorCode.MALFORMED, "malformed rows: " + slots + " slots");
        }
        BatchView view = BatchLayout.rows(width, slots).read(bytes, at, length);
        if (view.rows() != rows) {
            throw new PsException(
                    ErrorCode.MALFORMED, rows + " rows claimed, " + view.rows() + " found");
        }
        long[] keys = new long[rows];
        FrameBody.longs(bytes, view.keyOffset(), rows).get(keys);
        float[] values = floats(bytes, view.valueOffset(), rows * width);
        float[][] planes = new float[slots][];
        for (int slot = 0; slot < slots; slot++) {
            planes[slot] = floats(bytes, view.slotOffset(slot), rows * width);
        }
        StepCounts counted = new StepCounts(steps, rounds, ofRound);
        return new RowsMessage(
                session, table, partition, cursor, counted, width, keys, values, planes);
    }

    private static float[] floats(ByteBuffer bytes, int at, int count) {
        float[] floats = new float[count];
        FrameBody.floats(bytes, at, count).get(floats);
        return floats;
    }
}
