package io.github.flinkps.flink.internal.compat;

import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.api.transformations.WithBoundedness;
import org.apache.flink.streaming.runtime.partitioner.KeyGroupStreamPartitioner;

/** What the public API does not tell of a stream that is being put together. */
public final class StreamGraphs {
    private StreamGraphs() {}

    /** Whether the job is to run in BATCH mode. */
    public static boolean isBatch(DataStream<?> stream) {
        return stream.getExecutionEnvironment()
                        .getConfiguration()
                        .get(ExecutionOptions.RUNTIME_MODE)
                == RuntimeExecutionMode.BATCH;
    }

    /** How many completed checkpoints of the job Flink keeps. */
    public static int retainedCheckpoints(DataStream<?> stream) {
        return stream.getExecutionEnvironment()
                .getConfiguration()
                .get(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS);
    }

    /** Whether every source behind the stream says that it ends. */
    public static boolean isBounded(DataStream<?> stream) {
        for (Transformation<?> step : stream.getTransformation().getTransitivePredecessors()) {
            if (step instanceof WithBoundedness source
                    && source.getBoundedness() != Boundedness.BOUNDED) {
                return false;
            }
        }
        return true;
    }

    /** Whether the stream's edge goes by the hash of a key. */
    public static boolean endsInHashEdge(DataStream<?> stream) {
        return stream.getTransformation() instanceof PartitionTransformation<?> edge
                && edge.getPartitioner() instanceof KeyGroupStreamPartitioner;
    }

    /** Whether the stream's edge was chosen, such as by {@code rebalance()} or {@code keyBy}. */
    public static boolean endsInChosenEdge(DataStream<?> stream) {
        return stream.getTransformation() instanceof PartitionTransformation<?>;
    }

    /** Adds an operator with two inputs, the second of which carries nothing. */
    public static <I, O> SingleOutputStreamOperator<O> twoInputs(
            String name,
            DataStream<I> first,
            DataStream<Void> second,
            TypeInformation<O> type,
            OperatorLogic<I, O> logic) {
        return first.connect(second).transform(name, type, new TwoInputOperatorFactory<>(logic));
    }
}
