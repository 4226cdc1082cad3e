package io.github.flinkps.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A batch with known content in the middle of a direct buffer.
 *
 * @param layout its layout
 * @param content per column the longs, floats or bytes, boxed
 * @param frame guard bytes, the batch, guard bytes
 * @param at where the batch begins
 * @param size bytes of the batch
 */
record TestBatch(BatchLayout layout, List<List<?>> content, ByteBuffer frame, int at, int size) {
    static final int GUARD = 128;
    static final byte GUARD_BYTE = (byte) 0xA5;

    static TestBatch random(BatchLayout layout, int rows, long seed) {
        Random random = new Random(seed);
        int size = layout.encodedSize(rows);
        ByteBuffer frame = ByteBuffer.allocateDirect(size + 2 * GUARD).order(ByteOrder.BIG_ENDIAN);
        for (int i = 0; i < frame.capacity(); i++) {
            frame.put(i, GUARD_BYTE);
        }
        layout.writeMetadata(frame, GUARD, rows);
        List<List<?>> content = new ArrayList<>();
        ByteBuffer body = frame.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        for (int c = 0; c < layout.columnCount(); c++) {
            body.position(GUARD + layout.columnOffset(c, rows));
            content.add(fill(layout, c, rows, body, random));
        }
        return new TestBatch(layout, content, frame, GUARD, size);
    }

    private static List<?> fill(
            BatchLayout layout, int column, int rows, ByteBuffer body, Random random) {
        List<Object> values = new ArrayList<>();
        long bytes = layout.columnBytes(column, rows);
        switch (layout.columns().get(column).kind()) {
            case KEY -> {
                for (int i = 0; i < bytes / Long.BYTES; i++) {
                    long key = random.nextLong();
                    body.putLong(key);
                    values.add(key);
                }
            }
            case VALUE -> {
                for (int i = 0; i < bytes / Float.BYTES; i++) {
                    float value = random.nextFloat() - .5f;
                    body.putFloat(value);
                    values.add(value);
                }
            }
            case BYTES -> {
                for (int i = 0; i < bytes; i++) {
                    byte value = (byte) random.nextInt();
                    body.put(value);
                    values.add(value);
                }
            }
        }
        return values;
    }

    /** The content of a frame through a view of it. */
    static List<List<?>> content(BatchLayout layout, ByteBuffer frame, BatchView view) {
        List<List<?>> content = new ArrayList<>();
        boolean raw = layout.columns().get(0).kind() == Column.Kind.KEY;
        if (view.keyOffset() >= 0 && raw) {
            long[] keys = new long[view.rows()];
            ColumnCopy.getLongs(frame, view.keyOffset(), keys, 0, keys.length);
            List<Object> values = new ArrayList<>();
            for (long key : keys) {
                values.add(key);
            }
            content.add(values);
        } else if (view.keyOffset() >= 0) {
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < view.keyBytes(); i++) {
                values.add(frame.get(view.keyOffset() + i));
            }
            content.add(values);
        }
        if (view.valueOffset() >= 0) {
            content.add(floats(frame, view.valueOffset(), view.rows() * layout.width()));
        }
        for (int i = 0; i < view.slots(); i++) {
            content.add(floats(frame, view.slotOffset(i), view.rows() * layout.width()));
        }
        return content;
    }

    private static List<?> floats(ByteBuffer frame, int at, int count) {
        float[] floats = new float[count];
        ColumnCopy.getFloats(frame, at, floats, 0, count);
        List<Object> values = new ArrayList<>();
        for (float value : floats) {
            values.add(value);
        }
        return values;
    }

    /** A copy of the frame, guards included. */
    ByteBuffer copy() {
        ByteBuffer copy = ByteBuffer.allocateDirect(frame.capacity());
        copy.put(0, frame, 0, frame.capacity());
        return copy;
    }
}
