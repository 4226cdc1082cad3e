package io.github.flinkps.flink.table.tuning;

import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.tuning.LearningDefaults;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Finds options of a model by rows, in a job: how numbers are scaled, and what {@link
 * LearningDefaults} finds.
 *
 * @param name of the model, for messages
 * @param given its definition, with the options that are given
 * @param columns whose numbers are scaled, by their names
 */
public record RowTuning(String name, ModelDefinition given, List<String> columns)
        implements Serializable {
    /** The most rows that are drawn. */
    static final int MOST_ROWS = LearningDefaults.MOST_SAMPLED;

    /** Returns what finds the options that a definition does not give. */
    public static RowTuning of(String name, ModelDefinition given) {
        return new RowTuning(name, given, ModelSpec.of(name, given).scalable());
    }

    /** Returns whether there is something to find. */
    public boolean finds() {
        return !columns.isEmpty() || learns();
    }

    /** Returns whether there is more to find than scales. */
    boolean learns() {
        ModelSpec spec = spec();
        return LearningDefaults.areFor(spec.model().name(), spec.modelOptions());
    }

    ModelSpec spec() {
        return ModelSpec.of(name, given);
    }

    /**
     * Adds the search to a job.
     *
     * @param rows of an input that ends
     * @param uids names the operators
     * @return a stream of one record: the options that are found, none that is given
     */
    public <T> SingleOutputStreamOperator<Map<String, String>> add(
            DataStream<T> rows, RowReader<T> reader, UnaryOperator<String> uids) {
        OptionSearch<T> search =
                new OptionSearch<>(
                        this,
                        reader,
                        StreamGraphs.serializer(rows),
                        StreamGraphs.parallelism(rows));
        long seed = spec().jobOptions().get(PsOptions.SEED);
        DataStream<byte[]> shares =
                StreamGraphs.oneInput(
                                "rows of " + name,
                                rows,
                                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                                new RowScan<>(search, seed))
                        .uid(uids.apply("rows"));
        return StreamGraphs.oneTask(
                        "options of " + name,
                        shares,
                        Types.MAP(Types.STRING, Types.STRING),
                        new OptionsLogic<>(search))
                .uid(uids.apply("options"));
    }
}
