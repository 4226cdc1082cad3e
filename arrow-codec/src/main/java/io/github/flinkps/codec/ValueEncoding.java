package io.github.flinkps.codec;

import io.github.flinkps.codec.CodecException.Reason;
import java.util.Arrays;
import java.util.List;

/** The encodings of values in messages, chosen per table and direction. Ids are permanent. */
public enum ValueEncoding {
    /** float32 as they are. */
    FP32(0),
    /**
     * IEEE 754 binary16: 11 bits of precision, for lengths from 6e-5 to 65504 and less precisely
     * from 6e-8. What is longer becomes the longest there is.
     */
    FP16(1),
    /** The upper half of a float32, rounded: 8 bits of precision, for numbers of any length. */
    BF16(2),
    /**
     * Whole numbers from -127 to 127, in units of the block they are in: see {@link Int8Format}.
     */
    INT8(3);

    private static final ValueEncoding[] ALL = values();

    private final int id;

    ValueEncoding(int id) {
        this.id = id;
    }

    public int id() {
        return id;
    }

    /** Returns the form of values of rows of a width. */
    public ValueFormat format(int width) {
        return switch (this) {
            case FP32 -> new FloatFormat(width);
            case FP16 -> HalfFormat.fp16(width);
            case BF16 -> HalfFormat.bf16(width);
            case INT8 -> new Int8Format(width);
        };
    }

    /** Returns the forms of values of rows of a width, by the id of their encoding. */
    public static List<ValueFormat> formats(int width) {
        return Arrays.stream(ALL).map(encoding -> encoding.format(width)).toList();
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
