package io.github.flinkps.codec;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;

/**
 * The form in which the values of rows of one width travel by one {@link ValueEncoding}: a batch of
 * values alone. Immutable, thread-safe.
 */
public abstract class ValueFormat {
    /** Rounds to the nearest number, in {@link #encode}. */
    public static final long NEAREST = 0;

    private final int width;
    private final BatchLayout layout;

    ValueFormat(int width, BatchLayout layout) {
        this.width = width;
        this.layout = layout;
    }

    /** Returns the values per row. */
    public final int width() {
        return width;
    }

    final BatchLayout layout() {
        return layout;
    }

    /** Returns the rows of the batch that holds so many rows of the table. */
    int batchRows(int rows) {
        return rows;
    }

    /**
     * Returns the bytes of the whole message, a multiple of 64.
     *
     * @throws CodecException TOO_LARGE if no buffer can hold it
     */
    public final int encodedSize(int rows) {
        return layout.encodedSize(batchRows(rows));
    }

    /** Returns the bytes of the values themselves. */
    public final long valueBytes(int rows) {
        long bytes = 0;
        for (int column = 0; column < layout.columnCount(); column++) {
            bytes += layout.columnBytes(column, batchRows(rows));
        }
        return bytes;
    }

    /**
     * Writes the message but its values, at {@code at}.
     *
     * @return where the column of values begins
     * @throws CodecException TOO_LARGE if no buffer can hold it
     * @throws IndexOutOfBoundsException if {@code target} cannot, before anything is written
     */
    public final int begin(ByteBuffer target, int at, int rows) {
        layout.writeMetadata(target, at, batchRows(rows));
        return at + layout.columnOffset(0, batchRows(rows));
    }

    /**
     * Writes the message of the rows whose values begin at {@code source[from]}, at {@code at}.
     *
     * @param dither {@link #NEAREST}, or any other number: coarse encodings then round up or down
     *     by chance such that the mean is the value, the same values with the same number alike
     * @throws CodecException TOO_LARGE if no buffer can hold it
     * @throws IndexOutOfBoundsException if {@code target} cannot
     */
    public final void encode(
            float[] source, int from, int rows, long dither, ByteBuffer target, int at) {
        int values = begin(target, at, rows);
        encodeValues(source, from, rows, dither, target, values);
    }

    /** Writes the columns; that of values begins at {@code at}. */
    abstract void encodeValues(
            float[] source, int from, int rows, long dither, ByteBuffer target, int at);

    /**
     * Checks the message at {@code [at, at + length)}.
     *
     * @throws CodecException if it is not one of so many rows; nothing outside that part is read
     */
    public final BatchView read(ByteBuffer source, int at, int length, int rows) {
        BatchView view = layout.read(source, at, length);
        if (view.rows() != batchRows(rows)) {
            throw new CodecException(
                    Reason.BAD_LENGTH,
                    view.rows() + " rows of values instead of " + batchRows(rows));
        }
        return view;
    }

    /** Reads the values of so many rows from a message that was checked. */
    public abstract void decode(
            ByteBuffer source, BatchView view, int rows, float[] target, int from);
}
