package io.github.flinkps.codec;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;

/**
 * Rows under their keys in one batch. Keys and values stay where they are; an instance is good as
 * long as the buffer it was read from.
 *
 * @param width values per row
 * @param rows number of rows
 * @param keys one per row; a view of the frame
 * @param values all values, row by row; a view of the frame
 */
public record KeyedBatch(int width, int rows, LongBuffer keys, FloatBuffer values) {
    /** Returns the bytes that {@link #write} needs. */
    public static int encodedSize(int rows, int width) {
        return BatchLayout.keysAndValues(width).encodedSize(rows);
    }

    /**
     * Writes the first {@code rows} keys and their values as one batch.
     *
     * @param at a multiple of 64 from the start of an aligned buffer, if readers are to find the
     *     columns aligned
     * @return bytes written
     */
    public static int write(
            long[] keys, float[] values, int rows, int width, ByteBuffer target, int at) {
        BatchLayout layout = BatchLayout.keysAndValues(width);
        layout.writeMetadata(target, at, rows);
        ColumnCopy.putLongs(target, at + layout.columnOffset(0, rows), keys, 0, rows);
        ColumnCopy.putFloats(target, at + layout.columnOffset(1, rows), values, 0, rows * width);
        return layout.encodedSize(rows);
    }

    /** Returns a buffer with one batch of these keys and values. */
    public static ByteBuffer encode(long[] keys, float[] values, int width, CodecLimits limits) {
        int rows = rows(values, width);
        if (keys.length != rows) {
            throw new IllegalArgumentException(keys.length + " keys for " + rows + " rows");
        }
        ByteBuffer frame = limits.allocate(encodedSize(rows, width));
        write(keys, values, rows, width, frame, 0);
        return frame;
    }

    /**
     * Reads the batch at {@code [at, at + length)}.
     *
     * @throws CodecException if it is not a batch of keys and values of that width
     */
    public static KeyedBatch read(int width, ByteBuffer frame, int at, int length) {
        BatchView view = BatchLayout.keysAndValues(width).read(frame, at, length);
        LongBuffer keys =
                ColumnCopy.column(frame, view.keyOffset(), view.keyBytes()).asLongBuffer();
        return new KeyedBatch(width, view.rows(), keys, values(frame, view, width));
    }

    /** Copies a row. */
    public void copyRow(int row, float[] target, int from) {
        values.get(row * width, target, from, width);
    }

    static FloatBuffer values(ByteBuffer frame, BatchView view, int width) {
        long bytes = (long) view.rows() * width * Float.BYTES;
        return ColumnCopy.column(frame, view.valueOffset(), bytes).asFloatBuffer();
    }

    static int rows(float[] values, int width) {
        if (width < 1 || values.length % width != 0) {
            throw new IllegalArgumentException(
                    values.length + " values are not rows of width " + width);
        }
        return values.length / width;
    }
}
