package io.github.flinkps.codec;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/**
 * The rows of a range of keys, {@code firstKey, firstKey + 1, ..}, in a batch of values alone: the
 * batch does not name the keys. The values stay where they are; an instance is good as long as the
 * buffer it was read from.
 *
 * @param firstKey key of the first row
 * @param width values per row
 * @param rows number of rows
 * @param values all values, row by row; a view of the frame
 */
public record RangeBatch(long firstKey, int width, int rows, FloatBuffer values) {
    /** Returns the bytes that {@link #write} needs. */
    public static int encodedSize(int rows, int width) {
        return BatchLayout.values(width).encodedSize(rows);
    }

    /**
     * Writes the values {@code source[from .. from + rows * width)} as one batch.
     *
     * @param at a multiple of 64 from the start of an aligned buffer, if readers are to find the
     *     values aligned
     * @return bytes written
     */
    public static int write(
            float[] source, int from, int rows, int width, ByteBuffer target, int at) {
        BatchLayout layout = BatchLayout.values(width);
        layout.writeMetadata(target, at, rows);
        ColumnCopy.putFloats(target, at + layout.columnOffset(0, rows), source, from, rows * width);
        return layout.encodedSize(rows);
    }

    /** Returns a buffer with one batch of these values. */
    public static ByteBuffer encode(float[] values, int width, CodecLimits limits) {
        int rows = KeyedBatch.rows(values, width);
        ByteBuffer frame = limits.allocate(encodedSize(rows, width));
        write(values, 0, rows, width, frame, 0);
        return frame;
    }

    /**
     * Reads the batch at {@code [at, at + length)}.
     *
     * @throws CodecException if it is not a batch of values of that width
     */
    public static RangeBatch read(long firstKey, int width, ByteBuffer frame, int at, int length) {
        BatchView view = BatchLayout.values(width).read(frame, at, length);
        return new RangeBatch(firstKey, width, view.rows(), KeyedBatch.values(frame, view, width));
    }

    /** Copies a row. */
    public void copyRow(int row, float[] target, int from) {
        values.get(row * width, target, from, width);
    }
}
