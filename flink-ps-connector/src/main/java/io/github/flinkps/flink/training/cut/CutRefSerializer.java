package io.github.flinkps.flink.training.cut;

import io.github.flinkps.flink.training.StateNames;
import io.github.flinkps.flink.training.StateSerializer;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.ManifestRef;
import java.io.IOException;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes a {@link CutRef} when its cut is durable, and waits until then. Flink copies operator
 * state while the task stands still and serializes the copy in a thread of its own, so that a copy
 * here is the same reference and only that thread waits. What ends the wait without a cut is an
 * exception, which declines the checkpoint and does not fail the task.
 *
 * <p>Layout, version 1: run, fence, number of the cut, path of the manifest, its checksum.
 */
public final class CutRefSerializer extends StateSerializer<CutRef> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;

    /** Describes the operator state that holds the reference to the cut. */
    public static MapStateDescriptor<String, CutRef> descriptor() {
        return new MapStateDescriptor<>(
                StateNames.CUT,
                Types.STRING.createSerializer((SerializerConfig) null),
                new CutRefSerializer());
    }

    @Override
    public void serialize(CutRef ref, DataOutputView out) throws IOException {
        ManifestRef manifest = ref.manifest();
        CutId name = ref.name();
        out.writeUTF(name.run());
        out.writeLong(name.fence());
        out.writeLong(name.number());
        out.writeUTF(manifest.path());
        out.writeInt(manifest.crc32c());
    }

    @Override
    public CutRef deserialize(DataInputView in) throws IOException {
        CutId name = new CutId(in.readUTF(), in.readLong(), in.readLong());
        return CutRef.durable(name, new ManifestRef(in.readUTF(), in.readInt()));
    }

    @Override
    public CutRef createInstance() {
        return CutRef.durable(new CutId("none", 0, 0), new ManifestRef("", 0));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CutRefSerializer;
    }

    @Override
    public int hashCode() {
        return CutRefSerializer.class.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<CutRef> snapshotConfiguration() {
        return new Snapshot();
    }

    /** The serializer in state: only its version. */
    public static final class Snapshot implements TypeSerializerSnapshot<CutRef> {
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
                        "references to cuts of version "
                                + readVersion
                                + " are from a newer release");
            }
            version = readVersion;
        }

        @Override
        public TypeSerializer<CutRef> restoreSerializer() {
            return new CutRefSerializer();
        }

        @Override
        public TypeSerializerSchemaCompatibility<CutRef> resolveSchemaCompatibility(
                TypeSerializerSnapshot<CutRef> old) {
            return old instanceof Snapshot snapshot && snapshot.version <= version
                    ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                    : TypeSerializerSchemaCompatibility.incompatible();
        }
    }
}
