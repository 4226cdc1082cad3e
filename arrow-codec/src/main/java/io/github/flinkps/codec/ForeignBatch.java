package io.github.flinkps.codec;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;
import org.apache.arrow.flatbuf.MessageHeader;

/**
 * Reads one record batch by any writer: every number of its metadata is checked before it is used.
 */
final class ForeignBatch {
    private static final int LENGTH = 0;
    private static final int NODES = 1;
    private static final int BUFFERS = 2;
    private static final int COMPRESSION = 3;
    private static final int VARIADIC_COUNTS = 4;
    private static final int STRUCT_BYTES = 2 * Long.BYTES;

    private final BatchLayout layout;
    private final ByteBuffer frame;
    private final int at;
    private final ForeignMessage message;
    private final int rows;
    private int node;
    private int buffer;

    ForeignBatch(BatchLayout layout, ByteBuffer frame, int at, int length) {
        this.layout = layout;
        this.frame = frame;
        this.at = at;
        this.message = new ForeignMessage(frame, at, length, MessageHeader.RecordBatch);
        MetadataTable batch = message.header;
        if (batch.has(COMPRESSION)) {
            throw new CodecException(Reason.COMPRESSED_UNSUPPORTED, "the batch is compressed");
        }
        long claimed = batch.getLong(LENGTH);
        if (claimed < 0) {
            throw new CodecException(Reason.BAD_LENGTH, claimed + " rows");
        }
        if (claimed > Integer.MAX_VALUE) {
            throw new CodecException(Reason.TOO_LARGE, claimed + " rows");
        }
        this.rows = (int) claimed;
        int nodes = 0;
        int buffers = 0;
        for (Column column : layout.columns()) {
            nodes += column.kind().nodes;
            buffers += column.kind().buffers;
        }
        requireCount("columns", nodes, batch.vectorLength(NODES, STRUCT_BYTES));
        requireCount("buffers", buffers, batch.vectorLength(BUFFERS, STRUCT_BYTES));
        requireCount("variadic buffers", 0, batch.vectorLength(VARIADIC_COUNTS, Long.BYTES));
        this.node = batch.vectorStart(NODES, STRUCT_BYTES);
        this.buffer = batch.vectorStart(BUFFERS, STRUCT_BYTES);
    }

    private static void requireCount(String what, int expected, int found) {
        if (expected != found) {
            throw new CodecException(
                    Reason.WRONG_SCHEMA, found + " " + what + " instead of " + expected);
        }
    }

    BatchView view() {
        int keyOffset = -1;
        int keyBytes = 0;
        int valueOffset = -1;
        int stepOffset = -1;
        int scaleOffset = -1;
        int slot = 0;
        int[] slots = BatchView.slots(layout.slotCount());
        for (Column column : layout.columns()) {
            switch (column.kind()) {
                case KEY -> {
                    keyOffset = fixed((long) rows * Long.BYTES);
                    keyBytes = rows * Long.BYTES;
                }
                case VALUE, HALF, UPPER_HALF, INT8 -> {
                    int offset = list(column.kind().bytes);
                    if (valueOffset < 0) {
                        valueOffset = offset;
                    } else {
                        slots[slot++] = offset;
                    }
                }
                case SCALE -> scaleOffset = fixed((long) rows * Float.BYTES);
                case STEP -> stepOffset = fixed((long) rows * Integer.BYTES);
                case BYTES -> {
                    long place = bytes();
                    keyOffset = (int) (place >>> Integer.SIZE);
                    keyBytes = (int) place;
                }
            }
        }
        int size = message.bodyAt + message.bodyLength - at;
        return new BatchView(rows, size, keyOffset, keyBytes, valueOffset, slots, stepOffset)
                .withScales(scaleOffset);
    }

    /** Returns a column of numbers: its data's offset. */
    private int fixed(long bytes) {
        node(rows);
        buffer(0);
        return buffer(bytes);
    }

    private int list(int itemBytes) {
        node(rows);
        long items = (long) rows * layout.width();
        node(items);
        buffer(0);
        buffer(0);
        return buffer(items * itemBytes);
    }

    /** Returns the one value of a column of bytes: its offset above its length. */
    private long bytes() {
        if (rows != 1) {
            throw new CodecException(
                    Reason.BAD_LENGTH, rows + " rows of encoded keys instead of one");
        }
        node(rows);
        buffer(0);
        int offsets = buffer(2 * Integer.BYTES);
        long dataLength = LittleEndian.getLong(frame, buffer + Long.BYTES);
        int data = buffer(0);
        int from = LittleEndian.getInt(frame, offsets);
        int to = LittleEndian.getInt(frame, offsets + Integer.BYTES);
        if (from < 0 || to < from || to > dataLength) {
            throw new CodecException(
                    Reason.BAD_OFFSET,
                    "keys at " + from + " to " + to + " of " + dataLength + " bytes");
        }
        return (long) (data + from) << Integer.SIZE | to - from;
    }

    /** Checks the next field node. */
    private void node(long expected) {
        long length = LittleEndian.getLong(frame, node);
        long nulls = LittleEndian.getLong(frame, node + Long.BYTES);
        node += STRUCT_BYTES;
        if (length != expected) {
            throw new CodecException(
                    Reason.BAD_LENGTH, "a column of " + length + " values instead of " + expected);
        }
        if (nulls != 0) {
            throw new CodecException(Reason.NULLS, nulls + " nulls");
        }
    }

    /**
     * Checks that the next buffer lies in the body and holds {@code needed} bytes: its offset in
     * the frame.
     */
    private int buffer(long needed) {
        long offset = LittleEndian.getLong(frame, buffer);
        long length = LittleEndian.getLong(frame, buffer + Long.BYTES);
        buffer += STRUCT_BYTES;
        if (length < needed) {
            throw new CodecException(
                    Reason.BAD_LENGTH, "a buffer of " + length + " bytes instead of " + needed);
        }
        if (offset < 0 || length > message.bodyLength || offset > message.bodyLength - length) {
            throw new CodecException(
                    Reason.BAD_OFFSET,
                    "a buffer of "
                            + length
                            + " bytes at "
                            + offset
                            + " of a body of "
                            + message.bodyLength);
        }
        if (offset % Long.BYTES != 0) {
            throw new CodecException(Reason.MISALIGNED, "a buffer at " + offset);
        }
        return message.bodyAt + (int) offset;
    }
}
