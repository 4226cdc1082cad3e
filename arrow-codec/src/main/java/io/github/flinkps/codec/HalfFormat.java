package io.github.flinkps.codec;

import java.nio.ByteBuffer;
import java.nio.ShortBuffer;

/** Values in half of their bytes: a row is a list of them. */
final class HalfFormat extends ValueFormat {
    private final boolean fp16;

    private HalfFormat(int width, boolean fp16) {
        super(width, BatchLayout.values(width, fp16 ? Column.Kind.HALF : Column.Kind.UPPER_HALF));
        this.fp16 = fp16;
    }

    static HalfFormat fp16(int width) {
        return new HalfFormat(width, true);
    }

    static HalfFormat bf16(int width) {
        return new HalfFormat(width, false);
    }

    private static ShortBuffer halves(ByteBuffer buffer, int at, int count) {
        return ColumnCopy.column(buffer, at, (long) count * Short.BYTES).asShortBuffer();
    }

    @Override
    void encodeValues(float[] source, int from, int rows, long dither, ByteBuffer target, int at) {
        int count = rows * width();
        ShortBuffer halves = halves(target, at, count);
        if (fp16) {
            for (int i = 0; i < count; i++) {
                halves.put(i, HalfFloats.toFp16(source[from + i]));
            }
        } else {
            for (int i = 0; i < count; i++) {
                halves.put(i, HalfFloats.toBf16(source[from + i]));
            }
        }
    }

    @Override
    public void decode(ByteBuffer source, BatchView view, int rows, float[] target, int from) {
        int count = rows * width();
        ShortBuffer halves = halves(source, view.valueOffset(), count);
        if (fp16) {
            for (int i = 0; i < count; i++) {
                target[from + i] = HalfFloats.ofFp16(halves.get(i));
            }
        } else {
            for (int i = 0; i < count; i++) {
                target[from + i] = HalfFloats.ofBf16(halves.get(i));
            }
        }
    }
}
