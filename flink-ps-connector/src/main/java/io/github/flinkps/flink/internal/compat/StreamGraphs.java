package io.github.flinkps.flink.internal.compat;

import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.operators.InputFormatOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.streaming.api.operators.UdfStreamOperatorFactory;
import org.apache.flink.streaming.api.transformations.LegacySourceTransformation;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;
import org.apache.flink.streaming.api.transformations.SourceTransformation;
import org.apache.flink.streaming.api.transformations.TwoInputTransformation;
import org.apache.flink.streaming.api.transformations.WithBoundedness;
import org.apache.flink.streaming.runtime.partitioner.KeyGroupStreamPartitioner;

/** Reads what the public API does not tell of a stream that is being put together. */
public final class StreamGraphs {
    /**
     * The time at which the planner of tables began the job that it is translating, in
     * milliseconds.
     */
    private static final ConfigOption<Long> TRANSLATION_BEGUN =
            ConfigOptions.key("__table.query-start.epoch-time__").longType().noDefaultValue();

    /** The source of a frame, which is in the distribution of PyFlink alone. */
    private static final String FRAME =
            "org.apache.flink.table.runtime.arrow.sources.ArrowSourceFunction";

    private StreamGraphs() {}

    /** Returns Flink's configuration, as far as it is known where the job is put together. */
    public static ReadableConfig configuration(DataStream<?> stream) {
        return stream.getExecutionEnvironment().getConfiguration();
    }

    /** Returns whether the job is to run in BATCH mode. */
    public static boolean isBatch(DataStream<?> stream) {
        return configuration(stream).get(ExecutionOptions.RUNTIME_MODE)
                == RuntimeExecutionMode.BATCH;
    }

    /**
     * Returns how many completed checkpoints of the job Flink keeps, as far as it is known where
     * the job is put together: what counts is the configuration of the cluster.
     */
    public static int retainedCheckpoints(DataStream<?> stream) {
        return configuration(stream).get(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS);
    }

    /**
     * Returns the parallelism of a stream, of which the planner of tables may not have decided yet.
     */
    public static int parallelism(DataStream<?> stream) {
        return stream.getParallelism() > 0
                ? stream.getParallelism()
                : stream.getExecutionEnvironment().getParallelism();
    }

    /**
     * Returns whether every source behind the stream says that it ends, or ends with those that do.
     */
    public static boolean isBounded(DataStream<?> stream) {
        for (Transformation<?> step : stream.getTransformation().getTransitivePredecessors()) {
            if (step instanceof WithBoundedness source
                    && source.getBoundedness() != Boundedness.BOUNDED
                    && !endsUntold(step)
                    && !endsWithItsJob(step)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether a source is an input format, as VALUES of SQL are, or a frame of PyFlink's
     * {@code from_pandas}: it ends, which Flink does not tell.
     */
    private static boolean endsUntold(Transformation<?> source) {
        if (!(source instanceof LegacySourceTransformation<?> legacy)) {
            return false;
        }
        StreamOperatorFactory<?> factory = legacy.getOperatorFactory();
        return factory instanceof InputFormatOperatorFactory<?>
                || factory instanceof UdfStreamOperatorFactory<?> made
                        && made.getUserFunctionClassName().equals(FRAME);
    }

    private static boolean endsWithItsJob(Transformation<?> source) {
        return source instanceof SourceTransformation<?, ?, ?> found
                && found.getSource() instanceof EndsWithItsJob;
    }

    /** Returns whether the stream's edge goes by the hash of a key. */
    public static boolean endsInHashEdge(DataStream<?> stream) {
        return stream.getTransformation() instanceof PartitionTransformation<?> edge
                && edge.getPartitioner() instanceof KeyGroupStreamPartitioner;
    }

    /**
     * Returns whether the stream's edge was chosen, such as by {@code rebalance()} or {@code
     * keyBy}.
     */
    public static boolean endsInChosenEdge(DataStream<?> stream) {
        return stream.getTransformation() instanceof PartitionTransformation<?>;
    }

    /**
     * Marks an operator that was added to a stream which the planner of tables is translating.
     *
     * @return whether no operator of the same translation has the same mark
     */
    public static boolean mark(DataStream<?> operator, String mark) {
        StreamExecutionEnvironment environment = operator.getExecutionEnvironment();
        String ofJob = environment.getConfiguration().get(TRANSLATION_BEGUN) + " " + mark;
        // The planner's environment keeps operators of what it has translated before.
        boolean first =
                environment.getTransformations().stream()
                        .noneMatch(
                                each ->
                                        factory(each)
                                                .filter(made -> ofJob.equals(made.mark()))
                                                .isPresent());
        factory(operator.getTransformation()).ifPresent(made -> made.mark(ofJob));
        return first;
    }

    /** Returns how many operators a program has added so far, for {@link #forget}. */
    public static int operators(DataStream<?> stream) {
        return stream.getExecutionEnvironment().getTransformations().size();
    }

    /** Leaves out of the program's jobs what it has added since there were so many operators. */
    public static void forget(DataStream<?> stream, int operators) {
        List<Transformation<?>> all = stream.getExecutionEnvironment().getTransformations();
        all.subList(operators, all.size()).clear();
    }

    private static Optional<LogicOperatorFactory<?, ?>> factory(Transformation<?> step) {
        StreamOperatorFactory<?> made =
                step instanceof TwoInputTransformation<?, ?, ?> two
                        ? two.getOperatorFactory()
                        : step instanceof OneInputTransformation<?, ?> one
                                ? one.getOperatorFactory()
                                : null;
        return made instanceof LogicOperatorFactory<?, ?> ours
                ? Optional.of(ours)
                : Optional.empty();
    }

    /** Returns the serializer of a stream's records. */
    public static <T> TypeSerializer<T> serializer(DataStream<T> stream) {
        return stream.getType()
                .createSerializer(
                        stream.getExecutionEnvironment().getConfig().getSerializerConfig());
    }

    /** Adds an operator with as many tasks as its input has. */
    public static <I, O> SingleOutputStreamOperator<O> oneInput(
            String name, DataStream<I> input, TypeInformation<O> type, OperatorLogic<I, O> logic) {
        return input.transform(name, type, new OneInputOperatorFactory<>(logic));
    }

    /**
     * Adds an operator with a single task. Flink starts no second, speculative attempt of it beside
     * one that is slow.
     */
    public static <I, O> SingleOutputStreamOperator<O> oneTask(
            String name, DataStream<I> input, TypeInformation<O> type, OperatorLogic<I, O> logic) {
        SingleOutputStreamOperator<O> operator =
                input.transform(name, type, new OneInputOperatorFactory<>(logic))
                        .forceNonParallel();
        ((PhysicalTransformation<O>) operator.getTransformation())
                .setSupportsConcurrentExecutionAttempts(false);
        return operator;
    }

    /**
     * Adds an operator with two inputs.
     *
     * @param second whose records are passed over, unless the logic is a {@link SecondInput} of
     *     such
     */
    public static <I, S, O> SingleOutputStreamOperator<O> twoInputs(
            String name,
            DataStream<I> first,
            DataStream<S> second,
            TypeInformation<O> type,
            OperatorLogic<I, O> logic) {
        return first.connect(second)
                .transform(name, type, new TwoInputOperatorFactory<I, S, O>(logic));
    }
}
