package io.github.flinkps.codec;

import java.nio.ByteBuffer;

/** Values as they are: a row is a list of float32. */
final class FloatFormat extends ValueFormat {
    FloatFormat(int width) {
        super(width, BatchLayout.values(width));
    }

    @Override
    void encodeValues(float[] source, int from, int rows, long dither, ByteBuffer target, int at) {
        ColumnCopy.putFloats(target, at, source, from, rows * width());
    }

    @Override
    public void decode(ByteBuffer source, BatchView view, int rows, float[] target, int from) {
        ColumnCopy.getFloats(source, view.valueOffset(), target, from, rows * width());
    }
}
