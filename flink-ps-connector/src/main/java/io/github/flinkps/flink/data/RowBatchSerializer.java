package io.github.flinkps.flink.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes {@link RowBatch}es by bulk copies of their arrays, little-endian. Keeps scratch space:
 * one instance per thread, as Flink's duplicates are.
 *
 * <p>Layout, version 1:
 *
 * <ul>
 *   <li>byte: flags (1: weights, 2: values, 4: validation rows are drawn)
 *   <li>int: rows
 *   <li>int: entries
 *   <li>long: block
 *   <li>int: first row
 *   <li>int: skipped rows
 *   <li>long: wall clock when reading began
 *   <li>labels
 *   <li>weights, if any
 *   <li>starts of rows: an int each, one more than rows
 *   <li>keys
 *   <li>values, if any
 *   <li>a bit per row, in whole longs, 1 for a validation row; only if these are drawn
 * </ul>
 */
public final class RowBatchSerializer extends TypeSerializer<RowBatch> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;
    private static final int WEIGHTS = 1;
    private static final int VALUES = 2;
    private static final int DRAWN = 4;
    private static final int SCRATCH_BYTES = 32 * 1024;

    private transient byte[] bytes;
    private transient ByteBuffer scratch;

    private ByteBuffer scratch() {
        if (scratch == null) {
            bytes = new byte[SCRATCH_BYTES];
            scratch = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
        return scratch;
    }

    @Override
    public void serialize(RowBatch batch, DataOutputView out) throws IOException {
        out.writeByte(
                (batch.weights() == null ? 0 : WEIGHTS)
                        | (batch.values() == null ? 0 : VALUES)
                        | (batch.drawn() ? DRAWN : 0));
        out.writeInt(batch.rows());
        out.writeInt(batch.entries());
        out.writeLong(batch.block());
        out.writeInt(batch.firstRow());
        out.writeInt(batch.skippedRows());
        out.writeLong(batch.readMillis());
        write(batch.labels(), out);
        if (batch.weights() != null) {
            write(batch.weights(), out);
        }
        write(batch.rowStarts(), out);
        write(batch.keys(), out);
        if (batch.values() != null) {
            write(batch.values(), out);
        }
        if (batch.drawn()) {
            write(Arrays.copyOf(batch.validatingRows(), bitWords(batch.rows())), out);
        }
    }

    private static int bitWords(int rows) {
        return (rows + Long.SIZE - 1) / Long.SIZE;
    }

    @Override
    public RowBatch deserialize(DataInputView in) throws IOException {
        int flags = in.readByte();
        int rows = in.readInt();
        int entries = in.readInt();
        checkSizes(flags, rows, entries);
        long block = in.readLong();
        int firstRow = in.readInt();
        int skipped = in.readInt();
        long began = in.readLong();
        float[] labels = readFloats(rows, in);
        float[] weights = (flags & WEIGHTS) == 0 ? null : readFloats(rows, in);
        int[] starts = readInts(rows + 1, in);
        long[] keys = readLongs(entries, in);
        float[] values = (flags & VALUES) == 0 ? null : readFloats(entries, in);
        BitSet validating =
                (flags & DRAWN) == 0 ? null : BitSet.valueOf(readLongs(bitWords(rows), in));
        try {
            return new RowBatch(
                    labels,
                    weights,
                    starts,
                    keys,
                    values,
                    validating,
                    block,
                    firstRow,
                    skipped,
                    began);
        } catch (IllegalArgumentException e) {
            throw new IOException("a serialized row batch is damaged", e);
        }
    }

    private static void checkSizes(int flags, int rows, int entries) throws IOException {
        if ((flags & ~(WEIGHTS | VALUES | DRAWN)) != 0
                || rows < 0
                || rows > RowBatch.MAX_ROWS
                || entries < 0
                || entries > RowBatch.MAX_ENTRIES) {
            throw new IOException(
                    "a serialized row batch is damaged: "
                            + rows
                            + " rows, "
                            + entries
                            + " entries");
        }
    }

    @Override
    public void copy(DataInputView in, DataOutputView out) throws IOException {
        int flags = in.readByte();
        int rows = in.readInt();
        int entries = in.readInt();
        checkSizes(flags, rows, entries);
        out.writeByte(flags);
        out.writeInt(rows);
        out.writeInt(entries);
        long rest = 24 + 8L * rows + 4 + 8L * entries;
        rest += (flags & WEIGHTS) == 0 ? 0 : 4L * rows;
        rest += (flags & VALUES) == 0 ? 0 : 4L * entries;
        rest += (flags & DRAWN) == 0 ? 0 : 8L * bitWords(rows);
        scratch();
        while (rest > 0) {
            int count = (int) Math.min(rest, bytes.length);
            in.readFully(bytes, 0, count);
            out.write(bytes, 0, count);
            rest -= count;
        }
    }

    private void write(float[] values, DataOutputView out) throws IOException {
        ByteBuffer buffer = scratch();
        for (int at = 0; at < values.length; ) {
            int count = Math.min(values.length - at, SCRATCH_BYTES / Float.BYTES);
            buffer.asFloatBuffer().put(values, at, count);
            out.write(bytes, 0, count * Float.BYTES);
            at += count;
        }
    }

    private void write(int[] values, DataOutputView out) throws IOException {
        ByteBuffer buffer = scratch();
        for (int at = 0; at < values.length; ) {
            int count = Math.min(values.length - at, SCRATCH_BYTES / Integer.BYTES);
            buffer.asIntBuffer().put(values, at, count);
            out.write(bytes, 0, count * Integer.BYTES);
            at += count;
        }
    }

    private void write(long[] values, DataOutputView out) throws IOException {
        ByteBuffer buffer = scratch();
        for (int at = 0; at < values.length; ) {
            int count = Math.min(values.length - at, SCRATCH_BYTES / Long.BYTES);
            buffer.asLongBuffer().put(values, at, count);
            out.write(bytes, 0, count * Long.BYTES);
            at += count;
        }
    }

    private float[] readFloats(int length, DataInputView in) throws IOException {
        float[] values = new float[length];
        ByteBuffer buffer = scratch();
        for (int at = 0; at < length; ) {
            int count = Math.min(length - at, SCRATCH_BYTES / Float.BYTES);
            in.readFully(bytes, 0, count * Float.BYTES);
            buffer.asFloatBuffer().get(values, at, count);
            at += count;
        }
        return values;
    }

    private int[] readInts(int length, DataInputView in) throws IOException {
        int[] values = new int[length];
        ByteBuffer buffer = scratch();
        for (int at = 0; at < length; ) {
            int count = Math.min(length - at, SCRATCH_BYTES / Integer.BYTES);
            in.readFully(bytes, 0, count * Integer.BYTES);
            buffer.asIntBuffer().get(values, at, count);
            at += count;
        }
        return values;
    }

    private long[] readLongs(int length, DataInputView in) throws IOException {
        long[] values = new long[length];
        ByteBuffer buffer = scratch();
        for (int at = 0; at < length; ) {
            int count = Math.min(length - at, SCRATCH_BYTES / Long.BYTES);
            in.readFully(bytes, 0, count * Long.BYTES);
            buffer.asLongBuffer().get(values, at, count);
            at += count;
        }
        return values;
    }

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public TypeSerializer<RowBatch> duplicate() {
        return new RowBatchSerializer();
    }

    @Override
    public RowBatch createInstance() {
        return new RowBatchBuilder().build();
    }

    @Override
    public RowBatch copy(RowBatch from) {
        return from;
    }

    @Override
    public RowBatch copy(RowBatch from, RowBatch reuse) {
        return from;
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public RowBatch deserialize(RowBatch reuse, DataInputView in) throws IOException {
        return deserialize(in);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowBatchSerializer;
    }

    @Override
    public int hashCode() {
        return RowBatchSerializer.class.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<RowBatch> snapshotConfiguration() {
        return new Snapshot();
    }

    /** The serializer in state: only its version. */
    public static final class Snapshot implements TypeSerializerSnapshot<RowBatch> {
        private int version = VERSION;

        @Override
        public int getCurrentVersion() {
            return VERSION;
        }

        @Override
        public void writeSnapshot(DataOutputView out) {}

        @Override
        public void readSnapshot(int readVersion, DataInputView in, ClassLoader loader)
                throws IOException {
            if (readVersion < 1 || readVersion > VERSION) {
                throw new IOException(
                        "row batches of version " + readVersion + " are from a newer release");
            }
            version = readVersion;
        }

        @Override
        public TypeSerializer<RowBatch> restoreSerializer() {
            return new RowBatchSerializer();
        }

        @Override
        public TypeSerializerSchemaCompatibility<RowBatch> resolveSchemaCompatibility(
                TypeSerializerSnapshot<RowBatch> old) {
            return old instanceof Snapshot snapshot && snapshot.version <= version
                    ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                    : TypeSerializerSchemaCompatibility.incompatible();
        }
    }
}
