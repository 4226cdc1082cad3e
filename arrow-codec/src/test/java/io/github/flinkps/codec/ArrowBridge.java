package io.github.flinkps.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

/** Reads batches with Arrow's own reader. */
final class ArrowBridge {
    private ArrowBridge() {}

    /** Schema message, the batch and the end mark: an Arrow IPC stream. */
    static byte[] stream(TestBatch batch) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer schema = batch.layout().schemaMessage();
        byte[] bytes = new byte[schema.remaining()];
        schema.get(bytes);
        out.writeBytes(bytes);
        bytes = new byte[batch.size()];
        batch.frame().get(batch.at(), bytes);
        out.writeBytes(bytes);
        out.writeBytes(new byte[] {-1, -1, -1, -1, 0, 0, 0, 0});
        return out.toByteArray();
    }

    static List<ByteBuffer> read(BufferAllocator allocator, TestBatch batch) {
        return readStream(allocator, stream(batch));
    }

    /** The content of a stream of one batch, as {@link TestBatch#content()}. */
    static List<ByteBuffer> readStream(BufferAllocator allocator, byte[] stream) {
        try (ArrowStreamReader reader =
                new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            if (!reader.loadNextBatch()) {
                throw new AssertionError("no batch");
            }
            List<ByteBuffer> content = content(root);
            if (reader.loadNextBatch()) {
                throw new AssertionError("two batches");
            }
            return content;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same batch as Arrow's own writer puts it, alone in its frame. */
    static TestBatch byArrow(TestBatch batch) {
        try (BufferAllocator allocator = new RootAllocator(1L << 30);
                ArrowStreamReader reader =
                        new ArrowStreamReader(new ByteArrayInputStream(stream(batch)), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            reader.loadNextBatch();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (ArrowRecordBatch record = new VectorUnloader(root).getRecordBatch()) {
                MessageSerializer.serialize(new WriteChannel(Channels.newChannel(out)), record);
            }
            ByteBuffer frame = ByteBuffer.allocateDirect(out.size());
            frame.put(0, out.toByteArray());
            return new TestBatch(batch.layout(), batch.content(), frame, 0, out.size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The schema message of a layout as Arrow's own writer puts it. */
    static ByteBuffer schemaByArrow(TestBatch batch) {
        try (BufferAllocator allocator = new RootAllocator(1L << 30);
                ArrowStreamReader reader =
                        new ArrowStreamReader(new ByteArrayInputStream(stream(batch)), allocator)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            MessageSerializer.serialize(
                    new WriteChannel(Channels.newChannel(out)),
                    reader.getVectorSchemaRoot().getSchema());
            return ByteBuffer.wrap(out.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The content of a batch that has been loaded. */
    static List<ByteBuffer> content(VectorSchemaRoot root) {
        List<ByteBuffer> content = new ArrayList<>();
        for (FieldVector vector : root.getFieldVectors()) {
            content.add(content(vector, root.getRowCount()));
        }
        return content;
    }

    private static ByteBuffer content(FieldVector vector, int rows) {
        long from = 0;
        long bytes;
        ArrowBuf data;
        if (vector instanceof BigIntVector) {
            data = vector.getDataBuffer();
            bytes = (long) rows * Long.BYTES;
        } else if (vector instanceof IntVector || vector instanceof Float4Vector) {
            data = vector.getDataBuffer();
            bytes = (long) rows * Integer.BYTES;
        } else if (vector instanceof FixedSizeListVector lists) {
            BaseFixedWidthVector items = (BaseFixedWidthVector) lists.getDataVector();
            data = items.getDataBuffer();
            bytes = (long) rows * lists.getListSize() * items.getTypeWidth();
        } else if (vector instanceof VarBinaryVector binary) {
            data = binary.getDataBuffer();
            from = binary.getStartOffset(0);
            bytes = binary.getEndOffset(0) - from;
        } else {
            throw new AssertionError(vector.getField());
        }
        byte[] column = new byte[(int) bytes];
        data.getBytes(from, column);
        return ByteBuffer.wrap(column);
    }
}
