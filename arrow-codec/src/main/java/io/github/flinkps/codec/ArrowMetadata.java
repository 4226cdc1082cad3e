package io.github.flinkps.codec;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.arrow.flatbuf.Binary;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;

/** Builds the flatbuffers of schemas and record batches, once per layout. */
final class ArrowMetadata {
    /** Every buffer of a batch, and its body, begin at a multiple of this. */
    static final int ALIGNMENT = 64;

    /** Continuation mark and length in front of the metadata. */
    static final int PREFIX_BYTES = 8;

    static final int CONTINUATION = -1;

    /**
     * The offset in the body at which {@link Column.Kind#BYTES} keeps its bytes, behind its two
     * offsets.
     */
    static final int BYTES_DATA_OFFSET = ALIGNMENT;

    private ArrowMetadata() {}

    static long align(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /**
     * Returns the encapsulated schema message, without a body.
     *
     * @param before bytes in front of it: what follows it begins at a multiple of 64
     */
    static byte[] schemaMessage(List<Column> columns, int width, int before) {
        FlatBufferBuilder builder = new FlatBufferBuilder(512);
        int schema = schema(builder, columns, width);
        return message(builder, MessageHeader.Schema, schema, 0, before);
    }

    static int schema(FlatBufferBuilder builder, List<Column> columns, int width) {
        int[] fields = new int[columns.size()];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = field(builder, columns.get(i), width);
        }
        int vector = Schema.createFieldsVector(builder, fields);
        return Schema.createSchema(builder, Endianness.Little, vector, 0, 0);
    }

    private static int field(FlatBufferBuilder builder, Column column, int width) {
        return switch (column.kind()) {
            case KEY ->
                    field(builder, column.name(), Type.Int, Int.createInt(builder, 64, true), 0);
            case STEP ->
                    field(builder, column.name(), Type.Int, Int.createInt(builder, 32, true), 0);
            case SCALE -> {
                int type = FloatingPoint.createFloatingPoint(builder, Precision.SINGLE);
                yield field(builder, column.name(), Type.FloatingPoint, type, 0);
            }
            case VALUE, HALF, UPPER_HALF, INT8 -> {
                int item = item(builder, column.kind());
                int children = Field.createChildrenVector(builder, new int[] {item});
                int list = FixedSizeList.createFixedSizeList(builder, width);
                yield field(builder, column.name(), Type.FixedSizeList, list, children);
            }
            case BYTES -> {
                Binary.startBinary(builder);
                yield field(builder, column.name(), Type.Binary, Binary.endBinary(builder), 0);
            }
        };
    }

    private static int item(FlatBufferBuilder builder, Column.Kind kind) {
        if (kind == Column.Kind.UPPER_HALF) {
            return field(builder, "item", Type.Int, Int.createInt(builder, Short.SIZE, false), 0);
        }
        if (kind == Column.Kind.INT8) {
            return field(builder, "item", Type.Int, Int.createInt(builder, Byte.SIZE, true), 0);
        }
        short precision = kind == Column.Kind.HALF ? Precision.HALF : Precision.SINGLE;
        int type = FloatingPoint.createFloatingPoint(builder, precision);
        return field(builder, "item", Type.FloatingPoint, type, 0);
    }

    private static int field(
            FlatBufferBuilder builder, String name, byte typeType, int type, int children) {
        int text = builder.createString(name);
        // Readers of the format expect the vector of children even where it is empty.
        int vector = children != 0 ? children : Field.createChildrenVector(builder, new int[0]);
        return Field.createField(builder, text, false, typeType, type, 0, vector, 0);
    }

    /**
     * Returns the encapsulated metadata of a record batch whose changing numbers are those of
     * {@code numbers}, all different from each other and from everything else in it.
     */
    static byte[] recordBatch(List<Column> columns, BatchNumbers numbers) {
        FlatBufferBuilder builder = new FlatBufferBuilder(512);
        int nodeCount = 0;
        int bufferCount = 0;
        for (Column column : columns) {
            nodeCount += column.kind().nodes;
            bufferCount += column.kind().buffers;
        }
        RecordBatch.startBuffersVector(builder, bufferCount);
        for (int i = columns.size() - 1; i >= 0; i--) {
            buffers(builder, columns.get(i).kind(), numbers.offsets()[i], numbers.lengths()[i]);
        }
        int buffers = builder.endVector();
        RecordBatch.startNodesVector(builder, nodeCount);
        for (int i = columns.size() - 1; i >= 0; i--) {
            boolean bytes = columns.get(i).kind() == Column.Kind.BYTES;
            if (columns.get(i).kind().isList()) {
                FieldNode.createFieldNode(builder, numbers.items()[i], 0);
            }
            FieldNode.createFieldNode(builder, bytes ? 1 : numbers.nodes()[i], 0);
        }
        int nodes = builder.endVector();
        boolean single = columns.get(0).kind() == Column.Kind.BYTES;
        int batch =
                RecordBatch.createRecordBatch(
                        builder, single ? 1 : numbers.rows(), nodes, buffers, 0, 0);
        return message(builder, MessageHeader.RecordBatch, batch, numbers.body(), 0);
    }

    /**
     * Writes the buffers of one column, last first as flatbuffers are built: data, offsets,
     * validity (always empty).
     */
    private static void buffers(
            FlatBufferBuilder builder, Column.Kind kind, long offset, long length) {
        switch (kind) {
            case KEY, STEP, SCALE -> {
                Buffer.createBuffer(builder, offset, length);
                Buffer.createBuffer(builder, 0, 0);
            }
            case VALUE, HALF, UPPER_HALF, INT8 -> {
                Buffer.createBuffer(builder, offset, length);
                Buffer.createBuffer(builder, 0, 0);
                Buffer.createBuffer(builder, 0, 0);
            }
            case BYTES -> {
                Buffer.createBuffer(builder, BYTES_DATA_OFFSET, length);
                Buffer.createBuffer(builder, 0, 2 * Integer.BYTES);
                Buffer.createBuffer(builder, 0, 0);
            }
        }
    }

    private static byte[] message(
            FlatBufferBuilder builder, byte headerType, int header, long bodyLength, int before) {
        int root =
                Message.createMessage(
                        builder, MetadataVersion.V5, headerType, header, bodyLength, 0);
        builder.finish(root);
        ByteBuffer metadata = builder.dataBuffer();
        int size = (int) align(before + PREFIX_BYTES + metadata.remaining()) - before;
        byte[] bytes = new byte[size];
        ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(CONTINUATION).putInt(size - PREFIX_BYTES).put(metadata);
        return bytes;
    }

    /**
     * The numbers of a batch's metadata that change with its number of rows, per column where there
     * are several.
     *
     * @param body length of the body
     * @param rows number of rows
     * @param nodes length of the column
     * @param items length of the column's child
     * @param offsets of the data in the body
     * @param lengths of the data
     */
    record BatchNumbers(
            long body, long rows, long[] nodes, long[] items, long[] offsets, long[] lengths) {}
}
