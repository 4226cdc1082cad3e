package io.github.flinkps.flink.data;

import java.nio.charset.StandardCharsets;

/**
 * Reads decimal numbers from bytes, correctly rounded to float. Short ones take the path of Clinger
 * (How to read floating point numbers accurately, PLDI 1990): digits and power of ten are exact, so
 * one operation rounds once. Others go over double, and where that may round twice, over {@link
 * Float#parseFloat}. The number read last is there as a double, too.
 */
final class FloatScanner {
    private static final float[] FLOAT_POWERS = {
        1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f
    };
    private static final double[] DOUBLE_POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22
    };
    private static final int[] INT_POWERS = {
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000
    };
    private static final int MOST_DIGITS = 18;
    private static final int LARGEST_EXPONENT = 100_000;
    private static final double SMALLEST_NORMAL = 0x1p-126;

    private int end;
    private long digits;
    private int count;
    private int exponent;
    private boolean negative;

    /** Returns the first byte after the number last read. */
    int end() {
        return end;
    }

    /**
     * Reads {@code [+-]digits[.digits][e[+-]digits]} at {@code from}. The result is NaN, and {@link
     * #end} is {@code from}, if there is no such number; infinite if it is beyond float.
     */
    float scan(byte[] b, int from, int to) {
        int at = from;
        boolean minus = false;
        if (at < to && (b[at] == '-' || b[at] == '+')) {
            minus = b[at] == '-';
            at++;
        }
        long read = 0;
        int seen = at;
        while (at < to && isDigit(b[at])) {
            read = read * 10 + (b[at++] - '0');
        }
        int length = at - seen;
        int scale = 0;
        if (at < to && b[at] == '.') {
            int point = ++at;
            if (at + Long.BYTES <= b.length) {
                long word = Swar.load(b, at);
                int more = Swar.digits(word);
                if (more > 0 && at + more <= to && length + more <= MOST_DIGITS) {
                    read = read * INT_POWERS[more] + Swar.number(word, more);
                    at += more;
                }
            }
            while (at < to && isDigit(b[at])) {
                read = read * 10 + (b[at++] - '0');
            }
            scale = point - at;
            length += at - point;
        }
        count = length;
        if (length == 0) {
            end = from;
            return Float.NaN;
        }
        if (at < to && (b[at] | 0x20) == 'e') {
            scale += exponent(b, at + 1, to);
            at = end;
        }
        end = at;
        digits = read;
        exponent = scale;
        negative = minus;
        if (length > MOST_DIGITS) {
            return slow(b, from, at);
        }
        return value(b, from);
    }

    /**
     * Returns the number that {@link #scan} has just read at {@code from}, correctly rounded to
     * double; NaN if there was none.
     */
    double exact(byte[] b, int from) {
        if (count == 0) {
            return Double.NaN;
        }
        int size = Math.abs(exponent);
        if (count <= MOST_DIGITS && digits <= 1L << 53 && size < DOUBLE_POWERS.length) {
            double power = DOUBLE_POWERS[size];
            double value = exponent < 0 ? digits / power : digits * power;
            return negative ? -value : value;
        }
        return Double.parseDouble(new String(b, from, end - from, StandardCharsets.ISO_8859_1));
    }

    /** Reads the exponent after an e; without one, leaves the e unread. */
    private int exponent(byte[] b, int from, int to) {
        int at = from;
        boolean minus = false;
        if (at < to && (b[at] == '-' || b[at] == '+')) {
            minus = b[at] == '-';
            at++;
        }
        int first = at;
        int power = 0;
        while (at < to && isDigit(b[at])) {
            power = Math.min(LARGEST_EXPONENT, power * 10 + (b[at++] - '0'));
        }
        end = at == first ? from - 1 : at;
        return minus ? -power : power;
    }

    private float value(byte[] b, int from) {
        int size = Math.abs(exponent);
        if (digits <= 1 << 24 && size < FLOAT_POWERS.length) {
            float power = FLOAT_POWERS[size];
            float value = exponent < 0 ? digits / power : digits * power;
            return negative ? -value : value;
        }
        if (digits <= 1L << 53 && size < DOUBLE_POWERS.length) {
            double power = DOUBLE_POWERS[size];
            double value = exponent < 0 ? digits / power : digits * power;
            long low = Double.doubleToRawLongBits(value) & 0x1FFFFFFF;
            if (low != 0x10000000 && value >= SMALLEST_NORMAL) {
                return (float) (negative ? -value : value);
            }
        }
        return slow(b, from, end);
    }

    private static float slow(byte[] b, int from, int to) {
        return Float.parseFloat(new String(b, from, to - from, StandardCharsets.ISO_8859_1));
    }

    static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }
}
