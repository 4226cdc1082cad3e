package io.github.flinkps.flink.training.rows;

import io.github.flinkps.flink.training.StateSerializer;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes where the rows of a {@link CachedBatch} are, and the rows themselves, into their file, if
 * nobody has yet.
 *
 * <p>Layout, version 1: int pass it is due in, boolean whether it is begun, path of the file, long
 * position, int length, int rows.
 */
public final class CachedBatchSerializer extends StateSerializer<CachedBatch> {
    private static final long serialVersionUID = 1L;

    @Override
    public void serialize(CachedBatch batch, DataOutputView out) throws IOException {
        out.writeInt(batch.due());
        out.writeBoolean(batch.begun());
        batch.rows().writeReference(out);
    }

    @Override
    public CachedBatch deserialize(DataInputView in) throws IOException {
        return new CachedBatch(in.readInt(), in.readBoolean(), RowFileEntry.readReference(in));
    }

    @Override
    public CachedBatch createInstance() {
        return new CachedBatch(0, false, new RowFileEntry(RowFile.written(""), 0, 0, 0));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CachedBatchSerializer;
    }

    @Override
    public int hashCode() {
        return CachedBatchSerializer.class.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<CachedBatch> snapshotConfiguration() {
        return new Snapshot();
    }

    /** The serializer in state. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<CachedBatch> {
        public Snapshot() {
            super(CachedBatchSerializer::new);
        }
    }
}
