package io.github.flinkps.flink.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** Serializes the state of enumerators; version 1 is a flag, then the splits of each reader. */
final class BlockPlanSerializer implements SimpleVersionedSerializer<BlockPlan> {
    @Override
    public int getVersion() {
        return BlockSplitSerializer.VERSION;
    }

    @Override
    public byte[] serialize(BlockPlan plan) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(256);
        out.writeBoolean(plan.planned());
        out.writeInt(plan.pending().size());
        for (List<BlockSplit> splits : plan.pending()) {
            out.writeInt(splits.size());
            for (BlockSplit split : splits) {
                BlockSplitSerializer.write(split, out);
            }
        }
        return out.getCopyOfBuffer();
    }

    @Override
    public BlockPlan deserialize(int version, byte[] bytes) throws IOException {
        BlockSplitSerializer.checkVersion(version);
        DataInputDeserializer in = new DataInputDeserializer(bytes);
        boolean planned = in.readBoolean();
        int readers = in.readInt();
        List<List<BlockSplit>> pending = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            int count = in.readInt();
            List<BlockSplit> splits = new ArrayList<>();
            for (int k = 0; k < count; k++) {
                splits.add(BlockSplitSerializer.read(in));
            }
            pending.add(splits);
        }
        return new BlockPlan(planned, pending);
    }
}
