package io.github.flinkps.codec;

import io.github.flinkps.codec.CodecException.Reason;
import java.nio.ByteBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The encodings of values in messages, chosen per table and direction. Ids are permanent, from 0.
 * An encoding owns the batch layout of its values and the way between {@code float[]} and the
 * layout's columns.
 */
public enum ValueEncoding {
    /** float32 as they are. */
    FP32(0) {
        @Override
        public BatchLayout layout(int width) {
            return BatchLayout.values(width);
        }

        @Override
        public void encode(float[] source, int from, int count, ByteBuffer target, int at) {
            ColumnCopy.putFloats(target, at, source, from, count);
        }

        @Override
        public void decode(ByteBuffer source, int at, float[] target, int from, int count) {
            ColumnCopy.getFloats(source, at, target, from, count);
        }
    },
    /**
     * IEEE 754 binary16: 11 bits of precision, for lengths from 6e-5 to 65504 and less precisely
     * from 6e-8. What is longer becomes the longest there is.
     */
    FP16(1) {
        @Override
        public BatchLayout layout(int width) {
            return BatchLayout.values(width, Column.Kind.HALF);
        }

        @Override
        public void encode(float[] source, int from, int count, ByteBuffer target, int at) {
            ShortBuffer halves = halves(target, at, count);
            for (int i = 0; i < count; i++) {
                halves.put(i, HalfFloats.toFp16(source[from + i]));
            }
        }

        @Override
        public void decode(ByteBuffer source, int at, float[] target, int from, int count) {
            ShortBuffer halves = halves(source, at, count);
            for (int i = 0; i < count; i++) {
                target[from + i] = HalfFloats.ofFp16(halves.get(i));
            }
        }
    },
    /** The upper half of a float32, rounded: 8 bits of precision, for numbers of any length. */
    BF16(2) {
        @Override
        public BatchLayout layout(int width) {
            return BatchLayout.values(width, Column.Kind.UPPER_HALF);
        }

        @Override
        public void encode(float[] source, int from, int count, ByteBuffer target, int at) {
            ShortBuffer halves = halves(target, at, count);
            for (int i = 0; i < count; i++) {
                halves.put(i, HalfFloats.toBf16(source[from + i]));
            }
        }

        @Override
        public void decode(ByteBuffer source, int at, float[] target, int from, int count) {
            ShortBuffer halves = halves(source, at, count);
            for (int i = 0; i < count; i++) {
                target[from + i] = HalfFloats.ofBf16(halves.get(i));
            }
        }
    };

    private static final ValueEncoding[] ALL = values();

    private final int id;

    ValueEncoding(int id) {
        this.id = id;
    }

    private static ShortBuffer halves(ByteBuffer buffer, int at, int count) {
        return ColumnCopy.column(buffer, at, (long) count * Short.BYTES).asShortBuffer();
    }

    public int id() {
        return id;
    }

    /** Returns the layout of batches of values alone. */
    public abstract BatchLayout layout(int width);

    /** Writes values into the layout's column of values, which begins at {@code at}. */
    public abstract void encode(float[] source, int from, int count, ByteBuffer target, int at);

    /** Reads values of the layout's column of values, which begins at {@code at}. */
    public abstract void decode(ByteBuffer source, int at, float[] target, int from, int count);

    /** Returns the layouts of values of a width, by the id of their encoding. */
    public static List<BatchLayout> layouts(int width) {
        return Arrays.stream(ALL).map(encoding -> encoding.layout(width)).toList();
    }

    /**
     * Returns the encoding of an id.
     *
     * @throws CodecException UNKNOWN_ENCODING
     */
    public static ValueEncoding ofId(int id) {
        if (id < 0 || id >= ALL.length) {
            throw new CodecException(Reason.UNKNOWN_ENCODING, "unknown value encoding " + id);
        }
        return ALL[id];
    }
}
