package io.github.flinkps.flink.table.tuning;

import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.table.ModelColumn;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelOptions;
import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.RowEncoder;
import io.github.flinkps.flink.table.TrainingTable;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.data.RowData;

/**
 * Finds options of a model by the rows of an INSERT, and writes them into its definition in the
 * catalog. Used by the thread that plans the job.
 *
 * @param path of the model
 * @param tuning the search
 */
public record OptionTuning(ModelPath path, RowTuning tuning) implements Serializable {
    /**
     * Returns what finds the options of a model that nothing has trained yet.
     *
     * @throws IllegalArgumentException if it is trained, or in no catalog
     */
    public static OptionTuning of(TrainingTable table) {
        declared(table.path());
        return new OptionTuning(
                table.path(), RowTuning.of(table.name(), untuned(table.spec().definition())));
    }

    /**
     * Adds the search to a job.
     *
     * @param rows of the table, of an input that ends
     * @param uids names the operators
     * @return a stream of what was found, when it has been written
     */
    public DataStream<Map<String, String>> add(
            DataStream<RowData> rows, UnaryOperator<String> uids) {
        if (!StreamGraphs.isBounded(rows)) {
            throw new IllegalArgumentException(
                    "option 'tune' is for an input that ends, which that of this query does not");
        }
        SingleOutputStreamOperator<Map<String, String>> found =
                tuning.add(rows, new TableReader(getters(tuning.spec())), uids);
        return found.map(this::write)
                .returns(found.getType())
                .name("definition of " + tuning.name())
                .setParallelism(1)
                .uid(uids.apply("definition"));
    }

    private static List<RowData.FieldGetter> getters(ModelSpec spec) {
        List<RowData.FieldGetter> getters = new ArrayList<>();
        for (ModelColumn column : spec.definition().columns()) {
            getters.add(RowEncoder.getter(spec.type(column), getters.size()));
        }
        return getters;
    }

    /** Reads rows of a model's table. */
    private record TableReader(List<RowData.FieldGetter> getters) implements RowReader<RowData> {
        private static final long serialVersionUID = 1L;

        @Override
        public RowExtractor<RowData> extractor(ModelSpec spec) {
            return spec.trainingRows();
        }

        @Override
        public Object value(RowData record, int place) {
            return getters.get(place).getFieldOrNull(record);
        }
    }

    private Map<String, String> write(Map<String, String> found) {
        ModelDefinition tuned = tuned(untuned(declared(path)), found);
        ModelSpec.of(tuning.name(), tuned); // checks that it is a definition still
        path.models().putDefinition(path.database(), path.model(), tuned);
        return found;
    }

    /**
     * Returns the definition of a model in its catalog.
     *
     * @throws IllegalArgumentException if it is trained, or in no catalog
     */
    static ModelDefinition declared(ModelPath path) {
        ModelDefinition declared =
                path.models()
                        .definition(path.database(), path.model())
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "option 'tune' is for the models of a catalog,"
                                                        + " which keeps the options that are"
                                                        + " found"));
        if (path.models().start(path.database(), path.model()).isPresent()) {
            throw new IllegalArgumentException(
                    "option 'tune' is for a model that was not trained yet, and this one was: CALL"
                            + " sys.reset_model('"
                            + path
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
