package io.github.flinkps.codec;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A batch with known content in the middle of a direct buffer.
 *
 * @param layout its layout
 * @param content the bytes of each column
 * @param frame guard bytes, the batch, guard bytes
 * @param at where the batch begins
 * @param size bytes of the batch
 */
record TestBatch(BatchLayout layout, List<ByteBuffer> content, ByteBuffer frame, int at, int size) {
    static final int GUARD = 128;
    static final byte GUARD_BYTE = (byte) 0xA5;

    static TestBatch random(BatchLayout layout, int rows, long seed) {
        Random random = new Random(seed);
        int size = layout.encodedSize(rows);
        ByteBuffer frame = ByteBuffer.allocateDirect(size + 2 * GUARD);
        for (int i = 0; i < frame.capacity(); i++) {
            frame.put(i, GUARD_BYTE);
        }
        layout.writeMetadata(frame, GUARD, rows);
        List<ByteBuffer> content = new ArrayList<>();
        for (int c = 0; c < layout.columnCount(); c++) {
            byte[] column = new byte[(int) layout.columnBytes(c, rows)];
            random.nextBytes(column);
            frame.put(GUARD + layout.columnOffset(c, rows), column);
            content.add(ByteBuffer.wrap(column));
        }
        return new TestBatch(layout, content, frame, GUARD, size);
    }

    /** The content of a frame through a view of it. */
    static List<ByteBuffer> content(BatchLayout layout, ByteBuffer frame, BatchView view) {
        List<ByteBuffer> content = new ArrayList<>();
        if (view.keyOffset() >= 0) {
            content.add(copy(frame, view.keyOffset(), view.keyBytes()));
        }
        int valueBytes = view.rows() * layout.width() * Float.BYTES;
        if (view.valueOffset() >= 0) {
            int column = view.keyOffset() >= 0 ? 1 : 0;
            int bytes = (int) layout.columnBytes(column, view.rows());
            content.add(copy(frame, view.valueOffset(), bytes));
        }
        for (int i = 0; i < view.slots(); i++) {
            content.add(copy(frame, view.slotOffset(i), valueBytes));
        }
        if (view.scaleOffset() >= 0) {
            content.add(copy(frame, view.scaleOffset(), view.rows() * Float.BYTES));
        }
        if (view.stepOffset() >= 0) {
            content.add(copy(frame, view.stepOffset(), view.rows() * Integer.BYTES));
        }
        return content;
    }

    private static ByteBuffer copy(ByteBuffer frame, int at, int bytes) {
        byte[] column = new byte[bytes];
        frame.get(at, column);
        return ByteBuffer.wrap(column);
    }
}
