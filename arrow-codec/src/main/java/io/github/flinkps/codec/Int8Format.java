package io.github.flinkps.codec;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * Values in a quarter of their bytes, and a little more: numbers from -127 to 127 in a unit that
 * the values of a block share, a 127th of the longest. A block is a row from width {@value
 * #LEAST_WIDTH} on, else {@value #BLOCK} values in their order. A block with a number that is not
 * finite is not a number as a whole; one whose unit would be subnormal is zero.
 *
 * <p>Rounded by chance, a value's mean is the value (QSGD: Alistarh et al., NeurIPS 2017). Chance
 * is a hash of the value, its place in the block and a number of the caller's, so that a message
 * that is sent again has the same bytes, and equal rows of a block each round alike wherever they
 * are.
 */
final class Int8Format extends ValueFormat {
    private static final int LEAST_WIDTH = 16;
    private static final int BLOCK = 64;
    private static final int MOST = 127;
    private static final int MAGNITUDE = 0x7fffffff;
    private static final int INFINITY = 0x7f800000;

    /** Added to a number of less than 2^22, it leaves the nearest whole one in the low bits. */
    private static final float ROUNDER = 0x1.8p23f;

    private static final int ROUNDER_BITS = Float.floatToRawIntBits(ROUNDER);

    /** Makes a number of nearly -.5 to .5 of a hash, so that whole numbers stay as they are. */
    private static final float CHANCE = (1 - 0x1p-14f) * 0x1p-32f;

    private final int block;

    Int8Format(int width) {
        super(width, BatchLayout.values(block(width), Column.Kind.INT8));
        this.block = block(width);
    }

    private static int block(int width) {
        return width < LEAST_WIDTH ? BLOCK : width;
    }

    @Override
    int batchRows(int rows) {
        return Math.toIntExact(((long) rows * width() + block - 1) / block);
    }

    @Override
    void encodeValues(float[] source, int from, int rows, long dither, ByteBuffer target, int at) {
        int blocks = batchRows(rows);
        FloatBuffer scales = scales(target, at - layout().columnOffset(0, blocks), blocks);
        byte[] bytes = new byte[block];
        int end = from + rows * width();
        for (int i = 0; i < blocks; i++) {
            int first = from + i * block;
            int count = Math.min(block, end - first);
            float scale = scale(source, first, count);
            scales.put(i, scale);
            if (scale == 0) {
                Arrays.fill(bytes, (byte) 0);
            } else if (dither == NEAREST) {
                round(source, first, count, 1 / scale, bytes);
            } else {
                roundByChance(source, first, count, 1 / scale, Long.hashCode(dither), bytes);
            }
            Arrays.fill(bytes, count, block, (byte) 0);
            target.put(at + i * block, bytes);
        }
    }

    /** Returns the column of units of a message that begins at {@code at}. */
    private FloatBuffer scales(ByteBuffer target, int at, int blocks) {
        int place = at + layout().columnOffset(1, blocks);
        return ColumnCopy.column(target, place, (long) blocks * Float.BYTES).asFloatBuffer();
    }

    private static float scale(float[] source, int first, int count) {
        int longest = 0;
        for (int i = first; i < first + count; i++) {
            longest = Math.max(longest, Float.floatToRawIntBits(source[i]) & MAGNITUDE);
        }
        if (longest >= INFINITY) {
            return Float.NaN;
        }
        float scale = Float.intBitsToFloat(longest) / MOST;
        if (scale < Float.MIN_NORMAL) {
            return 0;
        }
        return Float.isInfinite(scale * MOST) ? Math.nextDown(scale) : scale;
    }

    private static void round(float[] source, int first, int count, float factor, byte[] target) {
        for (int i = 0; i < count; i++) {
            target[i] = nearest(source[first + i] * factor);
        }
    }

    private static void roundByChance(
            float[] source, int first, int count, float factor, int seed, byte[] target) {
        for (int i = 0; i < count; i++) {
            float value = source[first + i];
            int hash = mix(Float.floatToRawIntBits(value) ^ mix(seed + i));
            target[i] = nearest(value * factor + hash * CHANCE);
        }
    }

    private static byte nearest(float value) {
        return (byte) (Float.floatToRawIntBits(value + ROUNDER) - ROUNDER_BITS);
    }

    /** Mixes all bits into all (lowbias32, Chris Wellons). */
    private static int mix(int bits) {
        int x = bits;
        x = (x ^ x >>> 16) * 0x7feb352d;
        x = (x ^ x >>> 15) * 0x846ca68b;
        return x ^ x >>> 16;
    }

    @Override
    public void decode(ByteBuffer source, BatchView view, int rows, float[] target, int from) {
        int blocks = batchRows(rows);
        FloatBuffer scales =
                ColumnCopy.column(source, view.scaleOffset(), (long) blocks * Float.BYTES)
                        .asFloatBuffer();
        byte[] bytes = new byte[block];
        int end = from + rows * width();
        for (int i = 0; i < blocks; i++) {
            int first = from + i * block;
            int count = Math.min(block, end - first);
            float scale = scales.get(i);
            source.get(view.valueOffset() + i * block, bytes, 0, count);
            for (int j = 0; j < count; j++) {
                target[first + j] = bytes[j] * scale;
            }
        }
    }
}
