package io.github.flinkps.flink.training.worker;

import io.github.flinkps.client.Residual;
import io.github.flinkps.flink.training.StateSerializer;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes the parts of what a worker retains, whose arrays stay as they are.
 *
 * <p>Layout, version 1: name of the table, width, rows, keys, values; big-endian.
 */
final class ResidualSerializer extends StateSerializer<Residual> {
    private static final long serialVersionUID = 1L;
    private static final int BLOCK = 4096;

    @Override
    public void serialize(Residual part, DataOutputView out) throws IOException {
        out.writeUTF(part.table());
        out.writeInt(part.width());
        out.writeInt(part.rows());
        byte[] bytes = new byte[BLOCK * Long.BYTES];
        ByteBuffer block = ByteBuffer.wrap(bytes);
        for (int at = 0; at < part.rows(); at += BLOCK) {
            int count = Math.min(BLOCK, part.rows() - at);
            block.asLongBuffer().put(part.keys(), at, count);
            out.write(bytes, 0, count * Long.BYTES);
        }
        int values = part.rows() * part.width();
        for (int at = 0; at < values; at += BLOCK) {
            int count = Math.min(BLOCK, values - at);
            block.asFloatBuffer().put(part.values(), at, count);
            out.write(bytes, 0, count * Float.BYTES);
        }
    }

    @Override
    public Residual deserialize(DataInputView in) throws IOException {
        String table = in.readUTF();
        int width = in.readInt();
        int rows = in.readInt();
        if (width < 1 || rows < 0 || (long) rows * width > Integer.MAX_VALUE - 8) {
            throw new IOException("a saved residual of table '" + table + "' is damaged");
        }
        byte[] bytes = new byte[BLOCK * Long.BYTES];
        ByteBuffer block = ByteBuffer.wrap(bytes);
        long[] keys = new long[rows];
        for (int at = 0; at < rows; at += BLOCK) {
            int count = Math.min(BLOCK, rows - at);
            in.readFully(bytes, 0, count * Long.BYTES);
            block.asLongBuffer().get(keys, at, count);
        }
        float[] values = new float[rows * width];
        for (int at = 0; at < values.length; at += BLOCK) {
            int count = Math.min(BLOCK, values.length - at);
            in.readFully(bytes, 0, count * Float.BYTES);
            block.asFloatBuffer().get(values, at, count);
        }
        return new Residual(table, width, rows, keys, values);
    }

    @Override
    public Residual createInstance() {
        return new Residual("none", 1, 0, new long[0], new float[0]);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ResidualSerializer;
    }

    @Override
    public int hashCode() {
        return ResidualSerializer.class.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<Residual> snapshotConfiguration() {
        return new Snapshot();
    }

    /** The serializer in state. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<Residual> {
        public Snapshot() {
            super(ResidualSerializer::new);
        }
    }
}
