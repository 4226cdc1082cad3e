package io.github.flinkps.flink.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Text eight bytes at a time in a long, the first byte lowest: no branch per byte, so that numbers
 * of varying length cost no misprediction (Lemire, Number parsing at a gigabyte per second, 2021).
 */
final class Swar {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ZEROS = 0x3030303030303030L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LOW_BITS = 0x0101010101010101L;

    private Swar() {}

    /** Returns the bytes {@code [at, at + 8)}. */
    static long load(byte[] b, int at) {
        return (long) LONGS.get(b, at);
    }

    /** Returns how many of the first bytes are digits, 0 to 8. */
    static int digits(long word) {
        long x = word ^ ZEROS;
        long others = (((x & ~HIGH_BITS) + 0x7676767676767676L) | x) & HIGH_BITS;
        return Long.numberOfTrailingZeros(others) >>> 3;
    }

    /**
     * Returns the number made by the first {@code count} bytes, all digits; {@code count} is 1 to
     * 8.
     */
    static int number(long word, int count) {
        long v = (word ^ ZEROS) << (64 - 8 * count);
        v = (v & 0x0F0F0F0F0F0F0F0FL) * 2561 >>> 8;
        v = (v & 0x00FF00FF00FF00FFL) * 6553601 >>> 16;
        return (int) ((v & 0x0000FFFF0000FFFFL) * 42949672960001L >>> 32);
    }

    /** Returns whether all bytes of {@code [from, to)} are of ASCII. */
    static boolean isAscii(byte[] b, int from, int to) {
        int at = from;
        long high = 0;
        for (; at <= to - 8; at += 8) {
            high |= load(b, at);
        }
        for (; at < to; at++) {
            high |= b[at];
        }
        return (high & HIGH_BITS) == 0;
    }

    /** Returns whether all bytes of {@code [from, to)} are blanks. */
    static boolean isBlank(byte[] b, int from, int to) {
        int at = from;
        while (at < to && b[at] >= 0 && b[at] <= ' ') {
            at++;
        }
        return at == to;
    }

    /** Returns the index of the first byte {@code wanted} in {@code [from, to)}, or {@code to}. */
    static int indexOf(byte wanted, byte[] b, int from, int to) {
        long pattern = LOW_BITS * (wanted & 0xff);
        int at = from;
        for (; at <= to - 8; at += 8) {
            long x = load(b, at) ^ pattern;
            long found = (x - LOW_BITS) & ~x & HIGH_BITS;
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (at < to && b[at] != wanted) {
            at++;
        }
        return at;
    }
}
