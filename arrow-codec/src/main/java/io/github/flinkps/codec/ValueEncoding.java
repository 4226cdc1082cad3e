package io.github.flinkps.codec;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;

/**
 * The encodings of values in messages, chosen per table and direction. Ids are permanent. An
 * encoding owns the batch layout of its values and the way between {@code float[]} and the layout's
 * columns.
 */
public enum ValueEncoding {
    /** float32 as they are. */
    FP32(0) {
        @Override
        public BatchLayout layout(int width) {
            return BatchLayout.values(width);
        }

        @Override
        public BatchLayout layoutWithKeys(int width) {
            return BatchLayout.keysAndValues(width);
        }

        @Override
        public void encode(float[] source, int from, int count, ByteBuffer target, int at) {
            ColumnCopy.putFloats(target, at, source, from, count);
        }

        @Override
        public void decode(ByteBuffer source, int at, float[] target, int from, int count) {
            ColumnCopy.getFloats(source, at, target, from, count);
        }
    };

    private final int id;

    ValueEncoding(int id) {
        this.id = id;
    }

    public int id() {
        return id;
    }

    /** Returns the layout of batches of values alone. */
    public abstract BatchLayout layout(int width);

    /** Returns the layout of batches of raw keys and values. */
    public abstract BatchLayout layoutWithKeys(int width);

    /** Writes values into the layout's column of values, which begins at {@code at}. */
    public abstract void encode(float[] source, int from, int count, ByteBuffer target, int at);

    /** Reads values of the layout's column of values, which begins at {@code at}. */
    public abstract void decode(ByteBuffer source, int at, float[] target, int from, int count);

    /**
     * @throws CodecException UNKNOWN_ENCODING
     */
    public static ValueEncoding ofId(int id) {
        for (ValueEncoding encoding : values()) {
            if (encoding.id == id) {
                return encoding;
            }
        }
        throw new CodecException(Reason.UNKNOWN_ENCODING, "unknown value encoding " + id);
    }
}
