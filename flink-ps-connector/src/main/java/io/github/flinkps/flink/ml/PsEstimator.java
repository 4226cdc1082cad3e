package io.github.flinkps.flink.ml;

import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.Training;
import io.github.flinkps.flink.TrainingJob;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.internal.compat.Tables;
import io.github.flinkps.flink.ml.param.HasMaxIter;
import io.github.flinkps.flink.ml.param.HasTune;
import io.github.flinkps.flink.ml.param.OnlineParams;
import io.github.flinkps.flink.ml.param.PsParams;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.table.ModelChange;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.flink.table.VersionArchive;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.flink.ml.api.Estimator;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.util.ParamUtils;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.types.Row;

/**
 * Trains a model on parameter servers of the job. {@link #fit} adds the training to the program's
 * jobs and checks all that can be checked. Rows are read when a job is executed that needs the
 * model. Each such job reads them anew, and trains a model of its own below the model root. At its
 * end (with {@link OnlineParams}: every save interval) the model data gets a row.
 *
 * @param <E> the estimator
 * @param <M> its model
 */
public abstract class PsEstimator<E extends PsEstimator<E, M>, M extends PsModel<M>>
        implements Estimator<E, M>, PsParams<E> {
    private static final long serialVersionUID = 1L;
    private static final String DATABASE = "flink-ml";
    private static final int MAX_ITER_UNLESS_SET = 20;
    private static final int GLOBAL_BATCH_SIZE_UNLESS_SET = 32;

    private final Map<Param<?>, Object> params = new HashMap<>();
    private final String algorithm;

    PsEstimator(String algorithm) {
        this.algorithm = algorithm;
        ParamUtils.initializeMapWithDefaultValues(params, this);
    }

    /** Returns a model without model data. */
    abstract M newModel();

    /** Returns what it trains. */
    String algorithm() {
        return algorithm;
    }

    @Override
    public Map<Param<?>, Object> getParamMap() {
        return params;
    }

    /**
     * Adds the training to the program's jobs. With {@link HasTune} runs a job that reads the
     * table, and blocks until it ends.
     *
     * @param inputs one table, to which rows are only added
     * @throws ValidationException naming the param, column or option that is wrong
     * @throws IllegalArgumentException naming the option that does not fit the job
     */
    @Override
    public M fit(Table... inputs) {
        Table table = only(inputs);
        StreamTableEnvironment environment = Tables.environment(table);
        ResolvedSchema schema = table.getResolvedSchema();
        List<ColumnReader> columns = new ArrayList<>(Stages.features(this, schema));
        ColumnReader label = Stages.label(this, schema);
        ColumnReader weight = Stages.weight(this, schema);
        Map<String, String> options = Stages.options(this, algorithm);
        add(columns, label, "label", options);
        add(columns, weight, "weight", options);
        DataStream<Row> rows = environment.toDataStream(table);
        checkBounded(StreamGraphs.isBounded(rows));
        int workers = workers(rows);
        options.putIfAbsent(PsOptions.WORKERS.key(), Integer.toString(workers));
        if (getGlobalBatchSize() != null) {
            putBatchSize(options, getGlobalBatchSize() / workers);
        }
        ModelSpec given = Stages.spec(this, algorithm, columns, options);
        if (this instanceof HasTune<?> has && has.getTune()) {
            checkTunes(rows);
            options.putAll(new StageTuning(columns, given).find(environment, rows, getReg()));
        }
        ModelHeader initial = getInitialModel() == null ? null : initialModel();
        if (initial != null) {
            addInterpretation(initial, options);
        }
        if (this instanceof HasMaxIter<?>) {
            options.putIfAbsent(PsOptions.EPOCHS.key(), Integer.toString(MAX_ITER_UNLESS_SET));
        }
        putBatchSize(options, GLOBAL_BATCH_SIZE_UNLESS_SET / workers);
        ModelSpec spec = Stages.spec(this, algorithm, columns, options);
        if (initial != null) {
            checkInterpretation(initial, spec.model());
        }
        M model = newModel();
        ParamUtils.updateExistingParams(model, params);
        model.trainedAs(spec.recipe(), environment.fromDataStream(train(rows, columns, spec)));
        return model;
    }

    private void checkTunes(DataStream<Row> rows) {
        if (getInitialModel() != null) {
            throw new ValidationException(
                    "tune is for a model that begins anew: leave it out, or initialModel");
        }
        if (StreamGraphs.isBatch(rows)) {
            throw new ValidationException("tune needs the execution mode STREAMING, as training");
        }
    }

    private static void putBatchSize(Map<String, String> options, int rows) {
        options.putIfAbsent(PsOptions.BATCH_SIZE.key(), Integer.toString(Math.max(1, rows)));
    }

    static Table only(Table... inputs) {
        if (inputs.length != 1) {
            throw new ValidationException("there must be one table, not " + inputs.length);
        }
        return inputs[0];
    }

    private static void add(
            List<ColumnReader> columns,
            ColumnReader column,
            String option,
            Map<String, String> options) {
        if (column != null) {
            columns.add(column);
            options.put(option, column.name());
        }
        Set<String> names = new HashSet<>();
        for (ColumnReader each : columns) {
            if (!names.add(each.name())) {
                throw new ValidationException(
                        "column '" + each.name() + "' is named twice, as feature, label or weight");
            }
        }
    }

    private int workers(DataStream<Row> rows) {
        return getWorkers() != null ? getWorkers() : StreamGraphs.parallelism(rows);
    }

    private boolean online() {
        return this instanceof OnlineParams;
    }

    private void checkBounded(boolean bounded) {
        if (!bounded && !online()) {
            throw new ValidationException(
                    getClass().getSimpleName()
                            + " needs a table that ends; Online"
                            + getClass().getSimpleName()
                            + " trains on one that does not");
        }
    }

    private DataStream<Row> train(
            DataStream<Row> rows, List<ColumnReader> columns, ModelSpec spec) {
        String name = algorithm + "-" + UUID.randomUUID();
        TrainingModel model = spec.model();
        TrainingJob<Row> job =
                FlinkPs.train(rows, new TableRowExtractor(columns, spec.trainingRows()), model)
                        .setAll(spec.jobOptions())
                        .set(PsOptions.DATABASE, DATABASE)
                        .set(PsOptions.MODEL_NAME, name)
                        .onBadRow(spec.onBadRow())
                        .recipe(spec.recipe())
                        .modelOfEachJob()
                        .archive(
                                new VersionArchive(
                                        new ArrowModelArchive(
                                                name,
                                                model.name(),
                                                model.options(),
                                                spec.recipe().toJson()),
                                        ModelData::next));
        if (getModelRoot() != null) {
            folder("modelRoot", getModelRoot());
            job.set(PsOptions.MODEL_ROOT, getModelRoot());
        }
        if (getInitialModel() != null) {
            job.set(PsOptions.INITIAL_MODEL, folder("initialModel", getInitialModel()));
        }
        String versions = ArrowModelArchive.path(job.modelDirectory() + "/versions");
        job.set(PsOptions.MODEL_OUTPUT, versions);
        Training training = job.start();
        ManifestLogic manifests =
                this instanceof OnlineParams<?> online
                        ? new ManifestLogic(versions, true, online.getKeptVersions())
                        : new ManifestLogic(versions, false, 1);
        return StreamGraphs.twoInputs(
                        "model data of " + algorithm,
                        training.reports(),
                        training.progress(),
                        ModelData.TYPE,
                        manifests)
                .setParallelism(1)
                .setMaxParallelism(1);
    }

    /** Adds the options by which the model to train on reads its values, unless they are given. */
    private static void addInterpretation(ModelHeader initial, Map<String, String> options) {
        for (String option : saved(initial).interpretation().keySet()) {
            String value = initial.parameters().get(option);
            if (value != null) {
                options.putIfAbsent(option, value);
            }
        }
    }

    private void checkInterpretation(ModelHeader initial, TrainingModel model) {
        ModelChange.changedInterpretation(saved(initial), model)
                .ifPresent(
                        option -> {
                            throw new ValidationException(
                                    "initialModel "
                                            + getInitialModel()
                                            + " was trained with another "
                                            + option
                                            + " which says what its values mean");
                        });
    }

    private static TrainingModel saved(ModelHeader initial) {
        return TrainingModels.create(initial.algorithm(), initial.parameters());
    }

    /** Returns what is saved of the model to train on, which must be one of the same algorithm. */
    private ModelHeader initialModel() {
        String directory = folder("initialModel", getInitialModel());
        ModelHeader saved;
        try {
            saved = ModelReader.readManifest(ModelData.storage(directory), directory).header();
        } catch (PsException e) {
            throw new ValidationException("initialModel: " + e.getMessage(), e);
        }
        if (!saved.algorithm().equals(algorithm)) {
            throw new ValidationException(
                    "initialModel "
                            + directory
                            + " was trained by the algorithm "
                            + saved.algorithm()
                            + ", not by "
                            + algorithm);
        }
        return saved;
    }

    private static String folder(String param, String path) {
        try {
            return ArrowModelArchive.path(path);
        } catch (IllegalArgumentException e) {
            throw new ValidationException(param + ": " + e.getMessage(), e);
        }
    }

    /** Saves the params; the folder must not exist. */
    @Override
    public void save(String path) throws IOException {
        ReadWriteUtils.saveMetadata(this, path);
    }
}
