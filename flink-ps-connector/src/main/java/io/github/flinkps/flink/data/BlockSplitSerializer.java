package io.github.flinkps.flink.data;

import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes the splits of block sources; version 1 is the fields in order. */
final class BlockSplitSerializer implements SimpleVersionedSerializer<BlockSplit> {
    static final int VERSION = 1;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(BlockSplit split) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(128);
        write(split, out);
        return out.getCopyOfBuffer();
    }

    @Override
    public BlockSplit deserialize(int version, byte[] bytes) throws IOException {
        checkVersion(version);
        return read(new DataInputDeserializer(bytes));
    }

    static void checkVersion(int version) throws IOException {
        if (version != VERSION) {
            throw new IOException("splits of version " + version + " are from a newer release");
        }
    }

    static void write(BlockSplit split, DataOutputView out) throws IOException {
        out.writeUTF(split.splitId());
        TextFile file = split.file();
        out.writeBoolean(file != null);
        if (file != null) {
            out.writeUTF(file.uri());
            out.writeInt(file.ordinal());
            out.writeLong(file.length());
            out.writeUTF(file.packing().name());
        }
        out.writeInt(split.blockSize());
        out.writeInt(split.step());
        out.writeLong(split.block());
        out.writeLong(split.offset());
        out.writeInt(split.row());
    }

    static BlockSplit read(DataInputView in) throws IOException {
        String id = in.readUTF();
        TextFile file = null;
        if (in.readBoolean()) {
            file =
                    new TextFile(
                            in.readUTF(),
                            in.readInt(),
                            in.readLong(),
                            Packing.valueOf(in.readUTF()));
        }
        return new BlockSplit(
                id, file, in.readInt(), in.readInt(), in.readLong(), in.readLong(), in.readInt());
    }
}
