package io.github.flinkps.codec;

/**
 * Converts between float32 and formats of half its size, rounding to the nearest and ties to even.
 * Finite numbers stay finite: what is beyond the range becomes the largest number of its sign.
 */
final class HalfFloats {
    private static final int SIGN = 0x8000;
    private static final int MAGNITUDE = 0x7fffffff;
    private static final int INFINITY = 0x7f800000;

    /** The difference of the formats' exponents, 127 - 15, in place. */
    private static final int REBIAS = 112 << 23;

    private static final int FP16_INFINITY = 0x7c00;
    private static final int FP16_NAN = 0x7e00;
    private static final int FP16_LARGEST = 0x7bff;
    private static final int FP16_FRACTION = 0x3ff;

    /** 65,520 as float32: the least number that would be rounded to infinity. */
    private static final int FP16_BEYOND = 0x477ff000;

    /** 2^-14 as float32: the least normal number. */
    private static final int FP16_NORMAL = 0x38800000;

    private static final float FP16_UNIT = 0x1p-24f;
    private static final float FP16_UNITS = 0x1p24f;

    private static final int BF16_NAN = 0x7fc0;
    private static final int BF16_LARGEST = 0x7f7f;

    /** The least number that would be rounded to infinity. */
    private static final int BF16_BEYOND = 0x7f7f8000;

    private HalfFloats() {}

    static short toFp16(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = bits >>> 16 & SIGN;
        int magnitude = bits & MAGNITUDE;
        int half;
        if (magnitude >= FP16_BEYOND) {
            half =
                    magnitude > INFINITY
                            ? FP16_NAN
                            : magnitude == INFINITY ? FP16_INFINITY : FP16_LARGEST;
        } else if (magnitude >= FP16_NORMAL) {
            half = magnitude - REBIAS + 0xfff + (magnitude >>> 13 & 1) >>> 13;
        } else {
            half = (int) Math.rint(Float.intBitsToFloat(magnitude) * FP16_UNITS);
        }
        return (short) (sign | half);
    }

    static float ofFp16(short half) {
        int sign = (half & SIGN) << 16;
        int magnitude = half & ~SIGN & 0xffff;
        int bits;
        if (magnitude >= FP16_INFINITY) {
            bits = INFINITY | (magnitude & FP16_FRACTION) << 13;
        } else if (magnitude > FP16_FRACTION) {
            bits = (magnitude << 13) + REBIAS;
        } else {
            bits = Float.floatToRawIntBits(magnitude * FP16_UNIT);
        }
        return Float.intBitsToFloat(sign | bits);
    }

    static short toBf16(float value) {
        int bits = Float.floatToRawIntBits(value);
        int magnitude = bits & MAGNITUDE;
        if (magnitude > INFINITY) {
            return (short) (bits >>> 16 & SIGN | BF16_NAN);
        }
        if (magnitude >= BF16_BEYOND && magnitude < INFINITY) {
            return (short) (bits >>> 16 & SIGN | BF16_LARGEST);
        }
        return (short) (bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
    }

    static float ofBf16(short half) {
        return Float.intBitsToFloat(half << 16);
    }
}
