package io.github.flinkps.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The batches of the golden files. {@code main} writes the files anew, for a deliberate change of
 * the format; those named {@code .pyarrow.arrows} are written by {@code python/batches.py}, from
 * the same numbers.
 */
final class GoldenBatches {
    static final long[] KEYS = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 42, 7};

    static final int[] STEPS = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 42, 7};

    private GoldenBatches() {}

    /** Returns all batches by name. */
    static Map<String, TestBatch> all() {
        Map<String, TestBatch> batches = new LinkedHashMap<>();
        int rows = KEYS.length;
        batches.put("keys", batch(BatchLayout.keys(), rows));
        for (int width : new int[] {1, 3}) {
            batches.put("values-" + width, batch(BatchLayout.values(width), rows));
            batches.put("fp16-" + width, batch(HalfFormat.fp16(width).layout(), rows));
            batches.put("bf16-" + width, batch(HalfFormat.bf16(width).layout(), rows));
            batches.put("keys-and-values-" + width, batch(BatchLayout.keysAndValues(width), rows));
        }
        batches.put("int8-16", batch(new Int8Format(16).layout(), rows));
        batches.put("rows-3-2", batch(BatchLayout.rows(3, 2), rows));
        batches.put("rows-3-1-steps", batch(BatchLayout.rows(3, 1, true), rows));
        batches.put("keys-and-values-3-empty", batch(BatchLayout.keysAndValues(3), 0));
        batches.put("encoded-keys", batch(BatchLayout.encodedKeys(), 100));
        return batches;
    }

    private static TestBatch batch(BatchLayout layout, int rows) {
        int size = layout.encodedSize(rows);
        ByteBuffer frame = ByteBuffer.allocateDirect(size);
        layout.writeMetadata(frame, 0, rows);
        List<ByteBuffer> content = new ArrayList<>();
        int scale = 1;
        for (int c = 0; c < layout.columnCount(); c++) {
            int at = layout.columnOffset(c, rows);
            switch (layout.columns().get(c).kind()) {
                case KEY -> ColumnCopy.putLongs(frame, at, KEYS, 0, rows);
                case VALUE -> {
                    float[] values = values(rows * layout.width(), scale++);
                    ColumnCopy.putFloats(frame, at, values, 0, values.length);
                }
                case HALF, UPPER_HALF -> {
                    float[] values = values(rows * layout.width(), scale++);
                    halves(layout, c).encodeValues(values, 0, rows, 0, frame, at);
                }
                case INT8 -> {
                    for (int i = 0; i < rows * layout.width(); i++) {
                        frame.put(at + i, (byte) (i - 5));
                    }
                }
                case SCALE -> ColumnCopy.putFloats(frame, at, values(rows, scale++), 0, rows);
                case STEP -> ColumnCopy.putInts(frame, at, STEPS, 0, rows);
                case BYTES -> {
                    for (int i = 0; i < rows; i++) {
                        frame.put(at + i, (byte) i);
                    }
                }
            }
            byte[] column = new byte[(int) layout.columnBytes(c, rows)];
            frame.get(at, column);
            content.add(ByteBuffer.wrap(column));
        }
        return new TestBatch(layout, content, frame, 0, size);
    }

    private static HalfFormat halves(BatchLayout layout, int column) {
        boolean fp16 = layout.columns().get(column).kind() == Column.Kind.HALF;
        return fp16 ? HalfFormat.fp16(layout.width()) : HalfFormat.bf16(layout.width());
    }

    static float[] values(int count, int scale) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (i - 5) * .25f * scale;
        }
        return values;
    }

    /** Writes our golden files into the folder named. */
    public static void main(String[] arguments) throws IOException {
        for (Map.Entry<String, TestBatch> batch : all().entrySet()) {
            Path file = Path.of(arguments[0], batch.getKey() + ".arrows");
            Files.write(file, ArrowBridge.stream(batch.getValue()));
        }
    }
}
