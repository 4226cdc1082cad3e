package io.github.flinkps.codec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;

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

    static List<List<?>> read(BufferAllocator allocator, TestBatch batch) {
        return readStream(allocator, stream(batch));
    }

    /** The content of a stream of one batch, as {@link TestBatch#content()}. */
    static List<List<?>> readStream(BufferAllocator allocator, byte[] stream) {
        try (ArrowStreamReader reader =
                new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            if (!reader.loadNextBatch()) {
                throw new AssertionError("no batch");
            }
            List<List<?>> content = new ArrayList<>();
            for (FieldVector vector : root.getFieldVectors()) {
                content.add(content(vector, root.getRowCount()));
            }
            if (reader.loadNextBatch()) {
                throw new AssertionError("two batches");
            }
            return content;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<?> content(FieldVector vector, int rows) {
        List<Object> values = new ArrayList<>();
        if (vector instanceof BigIntVector keys) {
            for (int i = 0; i < rows; i++) {
                values.add(keys.get(i));
            }
        } else if (vector instanceof FixedSizeListVector lists) {
            Float4Vector floats = (Float4Vector) lists.getDataVector();
            for (int i = 0; i < rows * lists.getListSize(); i++) {
                values.add(floats.get(i));
            }
        } else if (vector instanceof VarBinaryVector bytes) {
            for (byte b : bytes.get(0)) {
                values.add(b);
            }
        } else {
            throw new AssertionError(vector.getField());
        }
        return values;
    }
}
