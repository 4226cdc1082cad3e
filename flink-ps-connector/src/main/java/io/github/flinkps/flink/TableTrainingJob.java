package io.github.flinkps.flink;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.internal.compat.Tables;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.service.ServiceBackend;
import io.github.flinkps.flink.table.ModelColumn;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelOptions;
import io.github.flinkps.flink.table.ModelSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.data.RowData;

/**
 * Training on a table that is being set up; {@link #start} adds it to the job. The rows mean what
 * those of a model's table of the same columns and options mean in SQL: every column is a feature
 * that is not the {@link #label} or the {@link #weight}.
 *
 * <pre>{@code
 * Training training =
 *         FlinkPs.trainTable(table, LogisticRegression.builder().build())
 *                 .label("clicked")
 *                 .categorical("ad", "user")
 *                 .set(ModelOptions.NUMERIC, "none")
 *                 .set(PsOptions.EPOCHS, 3)
 *                 .start();
 * training.reports().print();
 * env.execute();
 * }</pre>
 */
public final class TableTrainingJob {
    private final Table table;
    private final TrainingModel model;
    private final Configuration options = new Configuration();
    private final Map<String, String> scales = new TreeMap<>();
    private ServiceBackend backend;
    private boolean asVersions;

    TableTrainingJob(Table table, TrainingModel model) {
        this.table = table;
        this.model = model;
    }

    /** Sets the column that is learned; only algorithms that learn of rows alone need none. */
    public TableTrainingJob label(String column) {
        return set(ModelOptions.LABEL, column);
    }

    /** Sets the column of the row's weight; without it rows weigh 1. */
    public TableTrainingJob weight(String column) {
        return set(ModelOptions.WEIGHT, column);
    }

    /** Sets which features of whole numbers are names of something, not amounts. */
    public TableTrainingJob categorical(String... columns) {
        return set(ModelOptions.CATEGORICAL, Arrays.asList(columns));
    }

    /**
     * Sets how a feature of numbers is scaled, as {@link ModelOptions#NUMERIC} does for all others.
     */
    public TableTrainingJob numeric(String column, String scale) {
        scales.put(ModelOptions.NUMERIC_PREFIX + column, scale);
        return this;
    }

    /** Sets an option of {@link PsOptions}, or one of {@link ModelOptions}. */
    public <T> TableTrainingJob set(ConfigOption<T> option, T value) {
        options.set(option, value);
        return this;
    }

    /** Sets all options that are set in {@code other}. */
    public TableTrainingJob setAll(Configuration other) {
        options.addAll(other);
        return this;
    }

    /** Replaces the way servers are started and reached. */
    public TableTrainingJob backend(ServiceBackend replacement) {
        this.backend = replacement;
        return this;
    }

    /** Publishes models as versions; see {@link TrainingJob#asVersions}. */
    public TableTrainingJob asVersions() {
        this.asVersions = true;
        return this;
    }

    /**
     * Adds the service and the workers to the job of the table's environment.
     *
     * @throws org.apache.flink.table.api.ValidationException naming the column or option that is
     *     wrong, or if rows of the table are changed or removed
     * @throws IllegalArgumentException naming the option that does not fit the input, or if the
     *     table is not one of a StreamTableEnvironment
     */
    public TableTraining start() {
        StreamTableEnvironment environment = Tables.environment(table);
        ModelSpec spec = ModelSpec.of(model.name(), definition());
        DataStream<RowData> rows = Tables.rows(environment, table);
        TrainingJob<RowData> job =
                new TrainingJob<>(rows, spec.trainingRows(), spec.model())
                        .setAll(ofJob())
                        .onBadRow(spec.onBadRow())
                        .recipe(spec.recipe());
        if (!options.contains(PsOptions.WORKERS) && !StreamGraphs.isBatch(rows)) {
            job.set(PsOptions.WORKERS, StreamGraphs.parallelism(rows));
        }
        if (backend != null) {
            job.backend(backend);
        }
        if (asVersions) {
            job.asVersions();
        }
        return new TableTraining(job, job.workersOfJob(), spec);
    }

    private Configuration ofJob() {
        Configuration own = new Configuration(options);
        ModelOptions.ofRows().forEach(own::removeConfig);
        return own;
    }

    /** Returns the definition that SQL would declare. */
    private ModelDefinition definition() {
        if (options.contains(ModelOptions.ALGORITHM)) {
            throw new IllegalArgumentException(
                    "algorithm is not to be set: it is that of the model, " + model.name());
        }
        List<ModelColumn> columns = new ArrayList<>();
        for (Column column : table.getResolvedSchema().getColumns()) {
            columns.add(
                    ModelColumn.of(
                            column.getName(),
                            column.getDataType().getLogicalType().asSerializableString()));
        }
        Map<String, String> declared = new TreeMap<>(model.options());
        declared.putAll(scales);
        Map<String, String> set = options.toMap();
        for (ConfigOption<?> option : ModelOptions.ofRows()) {
            String value = set.get(option.key());
            if (value != null) {
                declared.put(option.key(), value);
            }
        }
        declared.put(ModelOptions.ALGORITHM.key(), model.name());
        return new ModelDefinition("", columns, declared);
    }
}
