package io.github.flinkps.flink.training.rows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** Takes a worker's state through a checkpoint. */
public final class WrittenStates {
    private WrittenStates() {}

    /** Written and read again: the rows are in their files. */
    static ScheduleState written(ScheduleState state) throws IOException {
        List<CachedBatch> cached = new ArrayList<>();
        for (CachedBatch each : state.cached()) {
            cached.add(written(each));
        }
        return new ScheduleState(
                state.epoch(),
                state.number(),
                state.seen(),
                state.waiting(),
                state.unfilled(),
                cached);
    }

    static CachedBatch written(CachedBatch batch) throws IOException {
        CachedBatchSerializer serializer = new CachedBatchSerializer();
        DataOutputSerializer out = new DataOutputSerializer(64);
        serializer.serialize(batch, out);
        return serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
    }
}
