package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.data.LabelNames;
import io.github.flinkps.flink.data.RowRecipe;
import io.github.flinkps.flink.data.TableRecipe;
import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.internal.compat.Tables;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasPredictionCol;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasTask;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.table.ModelDefinition;
import io.github.flinkps.flink.table.ModelSpec;
import io.github.flinkps.model.ModelReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.RowTypeInfo;
import org.apache.flink.ml.api.Model;
import org.apache.flink.ml.common.datastream.TableUtils;
import org.apache.flink.ml.linalg.typeinfo.DenseVectorTypeInfo;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.util.ParamUtils;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.types.Row;

/**
 * Predicts rows with the newest model that its model data names: rows of (path, version, checksum),
 * which a job that trains emits as it goes. {@link #transform} adds the columns of predictions;
 * rows that come before the first model wait for it, on the heap of their task.
 *
 * @param <M> the model
 */
public abstract class PsModel<M extends PsModel<M>> implements Model<M>, HasPredictionCol<M> {
    private static final long serialVersionUID = 1L;
    private static final String DATA = "data";

    private final Map<Param<?>, Object> params = new HashMap<>();
    private final String algorithm;
    private transient Table modelData;
    private transient TableRecipe recipe;

    PsModel(String algorithm) {
        this.algorithm = algorithm;
        ParamUtils.initializeMapWithDefaultValues(params, this);
    }

    @Override
    public Map<Param<?>, Object> getParamMap() {
        return params;
    }

    void trainedAs(TableRecipe rows, Table data) {
        recipe = rows;
        modelData = data;
    }

    /**
     * Sets where the model is.
     *
     * @param inputs one table of columns path, version and checksum
     * @throws ValidationException if it has others
     */
    @Override
    @SuppressWarnings("unchecked")
    public M setModelData(Table... inputs) {
        Table data = PsEstimator.only(inputs);
        ModelData.check(data.getResolvedSchema());
        modelData = data;
        recipe = null;
        return (M) this;
    }

    /** Returns one table, with a row for every version: path, version and checksum. */
    @Override
    public Table[] getModelData() {
        return new Table[] {modelData()};
    }

    private Table modelData() {
        if (modelData == null) {
            throw new IllegalStateException(
                    getClass().getSimpleName()
                            + " has no model data: fit its estimator, load it or setModelData");
        }
        return modelData;
    }

    /**
     * Adds predictions to rows.
     *
     * @param inputs one table, to which rows are only added
     * @return one table: its columns, then those of predictions
     * @throws ValidationException naming the param or column that is wrong
     */
    @Override
    public Table[] transform(Table... inputs) {
        Table table = PsEstimator.only(inputs);
        StreamTableEnvironment environment = Tables.environment(table);
        ResolvedSchema schema = table.getResolvedSchema();
        DataStream<Row> data = environment.toDataStream(modelData());
        List<ColumnReader> features = Stages.features(this, schema);
        ModelSpec trained =
                recipe == null ? null : ModelSpec.of(algorithm, ModelDefinition.of(recipe));
        checkFeatures(features, trained);
        List<String> added = added();
        checkNew(added, schema);
        DataStream<Row> rows = environment.toDataStream(table);
        VersionPredictor.Columns wanted =
                new VersionPredictor.Columns(added.size() > 1, predictsTexts(trained));
        RowTypeInfo type = type(schema, added, wanted.texts());
        DataStream<Row> predicted =
                StreamGraphs.twoInputs(
                        "predict by " + algorithm,
                        rows,
                        data.broadcast(),
                        type,
                        new PredictLogic(
                                algorithm,
                                features,
                                wanted,
                                List.of(type.getFieldNames()),
                                rows.getType()));
        return new Table[] {environment.fromDataStream(predicted)};
    }

    private List<String> added() {
        List<String> added = new ArrayList<>(List.of(getPredictionCol()));
        boolean regression = this instanceof HasTask<?> has && has.getTask().equals("regression");
        if (this instanceof HasRawPredictionCol<?> has && !regression) {
            added.add(has.getRawPredictionCol());
        }
        return added;
    }

    private static void checkNew(List<String> added, ResolvedSchema schema) {
        for (String column : added) {
            String param =
                    column.equals(added.get(0))
                            ? HasPredictionCol.PREDICTION_COL.name
                            : HasRawPredictionCol.RAW_PREDICTION_COL.name;
            if (schema.getColumnNames().contains(column)) {
                throw new ValidationException(
                        param
                                + ": the table has a column '"
                                + column
                                + "' already: name another one");
            }
        }
        if (added.size() > 1 && added.get(0).equals(added.get(1))) {
            throw new ValidationException(
                    "predictionCol and rawPredictionCol both name '" + added.get(0) + "'");
        }
    }

    /** Returns whether labels are texts: those it was trained on, or else those of its params. */
    private boolean predictsTexts(ModelSpec trained) {
        if (trained != null) {
            return trained.hasTextLabels();
        }
        String[] values = this instanceof HasLabelValues<?> has ? has.getLabelValues() : null;
        return values != null && !Arrays.stream(values).allMatch(LabelNames::isNumber);
    }

    private static RowTypeInfo type(ResolvedSchema schema, List<String> added, boolean texts) {
        RowTypeInfo before = TableUtils.getRowTypeInfo(schema);
        List<TypeInformation<?>> types = new ArrayList<>(Arrays.asList(before.getFieldTypes()));
        List<String> names = new ArrayList<>(Arrays.asList(before.getFieldNames()));
        for (String column : added) {
            TypeInformation<?> prediction = texts ? Types.STRING : Types.DOUBLE;
            types.add(column.equals(added.get(0)) ? prediction : DenseVectorTypeInfo.INSTANCE);
            names.add(column);
        }
        return new RowTypeInfo(
                types.toArray(new TypeInformation<?>[0]), names.toArray(new String[0]));
    }

    /**
     * Checks features against those that the model was trained on, or, if these are not known,
     * against what features may be.
     */
    private void checkFeatures(List<ColumnReader> features, ModelSpec trained) {
        if (trained == null) {
            Stages.checkFeatures(this, algorithm, features);
            return;
        }
        if (trained.features().size() != features.size()) {
            throw new ValidationException(
                    "the model was trained on "
                            + trained.features().size()
                            + " columns of features, not "
                            + features.size());
        }
        trained.featureRows(VersionPredictor.types(features));
    }

    /**
     * Saves the params now, and a copy of each version of the model when the next job is executed.
     *
     * @param path a folder that does not exist, on storage that all machines reach
     */
    @Override
    public void save(String path) throws IOException {
        StreamTableEnvironment environment = Tables.environment(modelData());
        String folder = ArrowModelArchive.path(path + "/" + DATA);
        ReadWriteUtils.saveMetadata(this, path);
        environment
                .toDataStream(modelData())
                .flatMap(new VersionCopy(folder))
                .returns(Types.LONG)
                .name("save " + algorithm)
                .setParallelism(1)
                .sinkTo(new DiscardingSink<>())
                .setParallelism(1);
    }

    /** Loads the newest version of a model that was saved. */
    static <M extends PsModel<M>> M newest(StreamTableEnvironment environment, String path)
            throws IOException {
        M model = ReadWriteUtils.loadStageParam(path);
        NavigableMap<Long, String> versions =
                ModelData.versions(ArrowModelArchive.path(path + "/" + DATA));
        if (versions.isEmpty()) {
            throw new IOException(
                    path
                            + " holds params, but no model: the job that was to save it has not"
                            + " been executed");
        }
        ModelData newest = ModelData.of(versions.lastEntry().getValue(), versions.lastKey());
        String input =
                ModelReader.readManifest(ModelData.storage(newest.path()), newest.path())
                        .header()
                        .input();
        ((PsModel<M>) model)
                .trainedAs(
                        (TableRecipe) RowRecipe.fromJson(input),
                        environment.fromValues(ModelData.SQL_TYPE, newest.row()));
        return model;
    }
}
