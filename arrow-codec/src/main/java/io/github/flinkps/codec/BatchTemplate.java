package io.github.flinkps.codec;

import io.github.flinkps.codec.ArrowMetadata.BatchNumbers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * The metadata of one layout's batches as bytes, with the offsets of the numbers that depend on the
 * batch. Writing one is a copy and a few stores; reading one written like it is a comparison.
 * Immutable.
 */
final class BatchTemplate {
    /** The place of what this layout's metadata lacks. */
    static final int ABSENT = -1;

    private static final long MARK = 0x5AFE_C0DE_0000_0000L;

    private final byte[] bytes;
    private final long[] words;
    private final long[] fixed;
    private final int body;
    private final int rows;
    private final int[] nodes;
    private final int[] items;
    private final int[] offsets;
    private final int[] lengths;

    BatchTemplate(List<Column> columns) {
        int count = columns.size();
        BatchNumbers marks =
                new BatchNumbers(
                        MARK,
                        MARK + 1,
                        marks(2, count),
                        marks(2 + count, count),
                        marks(2 + 2 * count, count),
                        marks(2 + 3 * count, count));
        bytes = ArrowMetadata.recordBatch(columns, marks);
        words = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
        fixed = new long[words.length];
        int[] places = new int[2 + 4 * count];
        Arrays.fill(places, ABSENT);
        ByteBuffer patched = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < words.length; i++) {
            fixed[i] = -1;
            long mark = words[i] - MARK;
            if (mark >= 0 && mark < places.length) {
                places[(int) mark] = i * Long.BYTES;
                fixed[i] = 0;
                words[i] = 0;
                patched.putLong(i * Long.BYTES, 0);
            }
        }
        body = places[0];
        rows = places[1];
        nodes = Arrays.copyOfRange(places, 2, 2 + count);
        items = Arrays.copyOfRange(places, 2 + count, 2 + 2 * count);
        offsets = Arrays.copyOfRange(places, 2 + 2 * count, 2 + 3 * count);
        lengths = Arrays.copyOfRange(places, 2 + 3 * count, 2 + 4 * count);
    }

    private static long[] marks(int first, int count) {
        long[] marks = new long[count];
        for (int i = 0; i < count; i++) {
            marks[i] = MARK + first + i;
        }
        return marks;
    }

    int size() {
        return bytes.length;
    }

    /** Copies the fixed part. */
    void copyTo(ByteBuffer target, int at) {
        target.put(at, bytes);
    }

    /** Returns whether the bytes at {@code at} are this metadata, whatever the numbers in it. */
    boolean matches(ByteBuffer source, int at) {
        for (int i = 0; i < words.length; i++) {
            if ((LittleEndian.getLong(source, at + i * Long.BYTES) & fixed[i]) != words[i]) {
                return false;
            }
        }
        return true;
    }

    int bodyPlace() {
        return body;
    }

    int rowsPlace() {
        return rows;
    }

    int nodePlace(int column) {
        return nodes[column];
    }

    int itemPlace(int column) {
        return items[column];
    }

    int offsetPlace(int column) {
        return offsets[column];
    }

    int lengthPlace(int column) {
        return lengths[column];
    }
}
