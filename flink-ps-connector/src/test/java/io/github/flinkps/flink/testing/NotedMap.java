package io.github.flinkps.flink.testing;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/** A map that notes which checkpoints are complete, and which ones tasks have gone on from. */
public final class NotedMap<I, O>
        implements MapFunction<I, O>, CheckpointedFunction, CheckpointListener {
    private static final long serialVersionUID = 1L;

    private final TestingFailures failures;
    private final MapFunction<I, O> map;

    public NotedMap(TestingFailures failures, MapFunction<I, O> map) {
        this.failures = failures;
        this.map = map;
    }

    @Override
    public O map(I value) throws Exception {
        return map.map(value);
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
        failures.completed(checkpoint);
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {}

    @Override
    public void initializeState(FunctionInitializationContext context) {
        context.getRestoredCheckpointId().ifPresent(failures::restored);
    }
}
