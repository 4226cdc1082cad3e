package io.github.flinkps.flink.table.tuning;

import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelOptions;
import io.github.flinkps.flink.table.ModelRoot;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.TrainingTable;
import io.github.flinkps.flink.tuning.LearningDefaults;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.data.RowData;

/**
 * Finds options of a model by the rows of its table: how its numbers are scaled, and what {@link
 * LearningDefaults} finds. Used by the thread that plans the job.
 *
 * @param name of the model, for messages
 * @param root folder of models
 * @param database of the model
 * @param model its name
 * @param given its definition, with the options that are given
 * @param columns whose numbers are scaled, by their names
 */
public record OptionTuning(
        String name,
        String root,
        String database,
        String model,
        ModelDefinition given,
        List<String> columns)
        implements Serializable {
    /** The most rows that are drawn. */
    static final int MOST_ROWS = LearningDefaults.MOST_SAMPLED;

    /**
     * Returns what finds the options of a model that nothing has trained yet.
     *
     * @throws IllegalArgumentException if it is trained, or in no catalog
     */
    public static OptionTuning of(TrainingTable table) {
        declared(new ModelRoot(table.root()), table.database(), table.model());
        ModelDefinition given = untuned(table.spec().definition());
        return new OptionTuning(
                table.name(),
                table.root(),
                table.database(),
                table.model(),
                given,
                ModelSpec.of(table.name(), given).scalable());
    }

    /**
     * Adds the search to a job.
     *
     * @param rows of the table, of an input that ends
     * @param uids names the operators
     * @return a stream without records, which ends when the options have been written
     */
    public DataStream<byte[]> add(DataStream<RowData> rows, UnaryOperator<String> uids) {
        if (!StreamGraphs.isBounded(rows)) {
            throw new IllegalArgumentException(
                    "option 'tune' is for an input that ends, which that of this query does not");
        }
        ModelSpec spec = ModelSpec.of(name, given);
        int workers = StreamGraphs.parallelism(rows);
        TypeSerializer<RowData> serializer = StreamGraphs.serializer(rows);
        long seed = spec.jobOptions().get(PsOptions.SEED);
        DataStream<byte[]> shares =
                StreamGraphs.oneInput(
                                "rows of " + name,
                                rows,
                                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                                new RowScan(spec, columns, serializer, MOST_ROWS, seed))
                        .uid(uids.apply("rows"));
        return StreamGraphs.oneTask(
                        "options of " + name,
                        shares,
                        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                        new OptionsLogic(this, serializer, workers))
                .uid(uids.apply("options"));
    }

    /**
     * Returns the definition of a model in its catalog.
     *
     * @throws IllegalArgumentException if it is trained, or in no catalog
     */
    static ModelDefinition declared(ModelRoot root, String database, String model) {
        ModelDefinition declared =
                root.definition(database, model)
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "option 'tune' is for the models of a catalog,"
                                                        + " which keeps the options that are"
                                                        + " found"));
        if (root.start(database, model).isPresent()) {
            throw new IllegalArgumentException(
                    "option 'tune' is for a model that was not trained yet, and this one was: CALL"
                            + " sys.reset_model('"
                            + database
                            + "."
                            + model
                            + "') to begin anew");
        }
        return declared;
    }

    /** Returns a definition with the options that were found and are not given, and their names. */
    static ModelDefinition tuned(ModelDefinition definition, Map<String, String> found) {
        Map<String, String> options = new TreeMap<>(definition.options());
        List<String> names = new ArrayList<>();
        found.forEach(
                (name, value) -> {
                    if (options.putIfAbsent(name, value) == null) {
                        names.add(listed(name));
                    }
                });
        options.put(ModelOptions.TUNED.key(), String.join(";", names));
        return new ModelDefinition(definition.comment(), definition.columns(), options);
    }

    /** Returns a text as an element of a list, as Flink's configuration reads it. */
    private static String listed(String text) {
        return text.contains(";") || text.contains("'")
                ? "'" + text.replace("'", "''") + "'"
                : text;
    }

    /** Returns a definition without the options that were found for it, and those about finding. */
    static ModelDefinition untuned(ModelDefinition definition) {
        Map<String, String> options = new TreeMap<>(definition.options());
        Configuration.fromMap(options)
                .getOptional(ModelOptions.TUNED)
                .ifPresent(options.keySet()::removeAll);
        options.remove(ModelOptions.TUNED.key());
        options.remove(ModelOptions.TUNE.key());
        return new ModelDefinition(definition.comment(), definition.columns(), options);
    }
}
