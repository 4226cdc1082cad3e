package io.github.flinkps.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Writes one list of {@link DeltaKeys} into an array: numbers of a direct buffer, taken one by one,
 * cost more than the copy of the whole.
 */
final class DeltaEncoder {
    static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final int shift;
    private final int lengths;

    /** Makes an encoder for a list whose size and lengths have been planned. */
    DeltaEncoder(int size, int shift, int lengths) {
        this.bytes = new byte[size + Long.BYTES];
        this.shift = shift;
        this.lengths = lengths;
    }

    /** Returns the encoded list, followed by eight bytes without meaning. */
    byte[] encode(long[] keys, int from, int to) {
        SHORT.set(bytes, 0, (short) lengths);
        LONG.set(bytes, DeltaKeys.HEADER_BYTES, keys[from] >>> shift);
        int codesAt = DeltaKeys.HEADER_BYTES + DeltaKeys.firstBytes(shift);
        int at = codesAt + DeltaLengths.codeBytes(to - from - 1, lengths);
        if (DeltaLengths.codeBits(lengths) == 1) {
            twoLengths(keys, from, to, codesAt, at);
        } else {
            fourLengths(keys, from, to, codesAt, at);
        }
        return bytes;
    }

    private void twoLengths(long[] keys, int from, int to, int codesAt, int distancesAt) {
        int shorter = lengths & 15;
        int difference = (lengths >>> 4 & 15) - shorter;
        long beyondShorter = ~DeltaKeys.MASKS[shorter];
        int codePlace = codesAt;
        int place = distancesAt;
        long previous = keys[from] >>> shift;
        for (int group = from + 1; group < to; group += DeltaKeys.GROUP) {
            int codes = 0;
            int count = Math.min(DeltaKeys.GROUP, to - group);
            for (int i = 0; i < count; i++) {
                long key = keys[group + i] >>> shift;
                long distance = key - previous - 1;
                previous = key;
                int code = nonZero(distance & beyondShorter);
                codes |= code << i;
                LONG.set(bytes, place, distance);
                place += shorter + (difference & -code);
            }
            bytes[codePlace++] = (byte) codes;
        }
    }

    private void fourLengths(long[] keys, int from, int to, int codesAt, int distancesAt) {
        long beyond0 = ~DeltaKeys.MASKS[lengths & 15];
        long beyond1 = ~DeltaKeys.MASKS[lengths >>> 4 & 15];
        long beyond2 = ~DeltaKeys.MASKS[lengths >>> 8 & 15];
        int codePlace = codesAt;
        int place = distancesAt;
        long previous = keys[from] >>> shift;
        for (int group = from + 1; group < to; group += DeltaKeys.GROUP / 2) {
            int codes = 0;
            int count = Math.min(DeltaKeys.GROUP / 2, to - group);
            for (int i = 0; i < count; i++) {
                long key = keys[group + i] >>> shift;
                long distance = key - previous - 1;
                previous = key;
                int code =
                        nonZero(distance & beyond0)
                                + nonZero(distance & beyond1)
                                + nonZero(distance & beyond2);
                codes |= code << (2 * i);
                LONG.set(bytes, place, distance);
                place += lengths >>> (code << 2) & 15;
            }
            bytes[codePlace++] = (byte) codes;
        }
    }

    /** Returns 1 where any bit is set, else 0, without a branch. */
    private static int nonZero(long bits) {
        return (int) ((bits | -bits) >>> 63);
    }
}
