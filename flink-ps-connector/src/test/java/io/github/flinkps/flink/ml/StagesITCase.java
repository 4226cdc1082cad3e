package io.github.flinkps.flink.ml;

import static org.apache.flink.table.api.Expressions.$;
import static org.apache.flink.table.api.Expressions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.ml.Pairs.Pair;
import io.github.flinkps.flink.ml.param.OnlineParams;
import io.github.flinkps.flink.testing.EndlessNumbers;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.ml.api.Estimator;
import org.apache.flink.ml.api.Stage;
import org.apache.flink.ml.builder.Pipeline;
import org.apache.flink.ml.builder.PipelineModel;
import org.apache.flink.ml.linalg.Vectors;
import org.apache.flink.ml.linalg.typeinfo.VectorTypeInfo;
import org.apache.flink.ml.param.Param;
import org.apache.flink.ml.util.ParamUtils;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what every pair of estimator and model must do, and the Online form of it. */
@Timeout(120)
class StagesITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path folder;
    private StreamExecutionEnvironment environment;
    private StreamTableEnvironment tables;

    /** An estimator of a pair. */
    record Form(Pair pair, boolean online) {
        PsEstimator<?, ?> make() {
            return (online ? pair.online() : pair.estimator()).get();
        }

        @Override
        public String toString() {
            return make().getClass().getSimpleName();
        }
    }

    static Stream<Pair> pairs() {
        return Pairs.all().stream();
    }

    /** Each by all kinds of columns that it takes. */
    static Stream<Pair> pairsByColumns() {
        return Stream.concat(pairs(), pairs().filter(Pair::vectors).map(Pair::withArrays));
    }

    static Stream<Pair> pairsOfArrays() {
        return pairs().map(pair -> pair.vectors() ? pair.withArrays() : pair);
    }

    static Stream<Form> forms() {
        return pairs().flatMap(pair -> Stream.of(new Form(pair, false), new Form(pair, true)));
    }

    @BeforeEach
    void connect() {
        environment = CLUSTER.environment(2);
        environment.getConfig().enableObjectReuse();
        tables = StreamTableEnvironment.create(environment);
    }

    private Table table(Pair pair, List<Row> rows) {
        return tables.fromDataStream(environment.fromData(rows, pair.type()));
    }

    private Table endless(Pair pair, double perSecond) {
        ArrayList<Row> rows = new ArrayList<>(pair.rows());
        return tables.fromDataStream(
                environment
                        .fromSource(
                                new EndlessNumbers(perSecond),
                                WatermarkStrategy.noWatermarks(),
                                "endless")
                        .map(number -> rows.get((int) (number % rows.size())))
                        .returns(pair.type()));
    }

    private PsEstimator<?, ?> estimator(Form form) {
        PsEstimator<?, ?> estimator = form.make();
        estimator.setModelRoot(folder.resolve("root").toUri().toString());
        return estimator;
    }

    private static PsModel<?> modelOf(PsEstimator<?, ?> estimator) {
        PsModel<?> model = estimator.newModel();
        ParamUtils.updateExistingParams(model, estimator.getParamMap());
        return model;
    }

    /**
     * Returns the rows that the next job finds, as an operator sees them that looks for columns by
     * their names.
     */
    private CloseableIterator<Row> rows(Table table) {
        DataStream<Row> rows = tables.toDataStream(table);
        String[] names = table.getResolvedSchema().getColumnNames().toArray(new String[0]);
        return rows.map(row -> Row.project(row, names)).returns(rows.getType()).collectAsync();
    }

    private static List<Row> list(CloseableIterator<Row> results) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (results) {
            results.forEachRemaining(rows::add);
        }
        return rows;
    }

    private static double error(Pair pair, Iterable<Row> predicted) {
        double sum = 0;
        int count = 0;
        for (Row row : predicted) {
            sum += pair.error().apply(row);
            count++;
        }
        return sum / count;
    }

    @ParameterizedTest
    @MethodSource("pairsByColumns")
    void learnsInAPipelineAndIsSavedAndLoaded(Pair pair) throws Exception {
        Table table = table(pair, pair.rows());
        PsEstimator<?, ?> estimator = estimator(new Form(pair, false));
        String saved = folder.resolve("pipeline").toString();
        new Pipeline(List.of(estimator)).save(saved);
        PipelineModel model = Pipeline.load(tables, saved).fit(table);
        CloseableIterator<Row> predictions = rows(model.transform(table)[0]);
        String savedModel = folder.resolve("model").toString();
        model.save(savedModel);
        environment.execute();
        List<Row> predicted = list(predictions);
        assertThat(predicted).hasSameSizeAs(pair.rows());
        assertThat(error(pair, predicted)).isLessThan(pair.bound());

        connect();
        environment.setParallelism(4);
        Table few = table(pair, pair.rows().subList(0, 3));
        CloseableIterator<Row> loaded =
                rows(PipelineModel.load(tables, savedModel).transform(few)[0]);
        Table told = tables.fromValues(ModelData.SQL_TYPE, saved(savedModel).row());
        CloseableIterator<Row> set = rows(modelOf(estimator).setModelData(told).transform(few)[0]);
        List<CloseableIterator<Row>> ofFew = new ArrayList<>();
        for (boolean online : new boolean[] {false, true}) {
            PsEstimator<?, ?> again = estimator(new Form(pair, online));
            PsModel<?> fitted = again.fit(few);
            ofFew.add(rows(fitted.getModelData()[0]));
            ofFew.add(rows(modelOf(again).setModelData(fitted.getModelData()).transform(few)[0]));
        }
        environment.execute();
        List<Row> predictedAgain = list(loaded);
        assertThat(predictedAgain).hasSize(3);
        List<Row> predictedBySet = list(set);
        assertThat(predictedBySet).hasSize(3);
        if (pair.labels()) { // others draw at random what they compare with
            assertThat(predicted).containsAll(predictedAgain);
            assertThat(predictedBySet).containsExactlyInAnyOrderElementsOf(predictedAgain);
        }
        assertThat(list(ofFew.get(0))).hasSize(1);
        assertThat(list(ofFew.get(1))).hasSize(3);
        assertThat(list(ofFew.get(2))).as("of a table that ends").hasSize(1);
        assertThat(list(ofFew.get(3))).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource("pairsOfArrays")
    void learnsWithoutEndInAPipelineAndIsSavedAndLoaded(Pair pair) throws Exception {
        PsEstimator<?, ?> estimator = estimator(new Form(pair, true));
        ((OnlineParams<?>) estimator).setSaveInterval("100 ms");
        ((OnlineParams<?>) estimator).setKeptVersions(1000);
        PsModel<?> fitted = estimator.fit(endless(pair, 5000));
        PipelineModel model = new PipelineModel(List.of(fitted));
        Table asked = endless(pair, 500);
        CloseableIterator<Row> predictions = rows(model.transform(asked)[0]);
        Table data = fitted.getModelData()[0];
        CloseableIterator<Row> modelData = rows(data);
        CloseableIterator<Row> set =
                rows(modelOf(estimator).setModelData(data).transform(asked)[0]);
        String savedModel = folder.resolve("model").toString();
        model.save(savedModel);
        JobClient job = environment.executeAsync();
        Row version = null;
        long last = 0;
        for (int i = 0; i < 3; i++) {
            version = modelData.next();
            assertThat(version.<Long>getFieldAs("version")).isGreaterThan(last);
            last = version.getFieldAs("version");
        }
        readUntilLearned(pair, predictions);
        assertThat(set.next().getField("prediction")).isNotNull();
        Polling.await("a version is saved", () -> isSaved(savedModel));
        LocalCluster.cancel(job);

        connect();
        Table few = table(pair, pair.rows().subList(0, 3));
        CloseableIterator<Row> loaded =
                rows(PipelineModel.load(tables, savedModel).transform(few)[0]);
        Table told = tables.fromValues(ModelData.SQL_TYPE, version);
        CloseableIterator<Row> toldOf =
                rows(modelOf(estimator).setModelData(told).transform(few)[0]);
        environment.execute();
        assertThat(list(loaded)).hasSize(3);
        assertThat(list(toldOf)).hasSize(3);
    }

    /** The newest version in the folder of a pipeline. */
    private static ModelData saved(String model) throws IOException {
        try (Stream<Path> all = Files.walk(Path.of(model))) {
            Path data = all.filter(each -> each.endsWith("data")).findFirst().orElseThrow();
            Map.Entry<Long, String> newest = ModelData.versions(data.toString()).lastEntry();
            return ModelData.of(newest.getValue(), newest.getKey());
        }
    }

    private static void readUntilLearned(Pair pair, CloseableIterator<Row> predictions) {
        ArrayDeque<Row> newest = new ArrayDeque<>();
        do {
            newest.add(predictions.next());
            if (newest.size() > 100) {
                newest.remove();
            }
        } while (newest.size() < 100 || error(pair, newest) >= pair.bound());
    }

    private boolean isSaved(String model) {
        try {
            PipelineModel.load(tables, model);
            return true;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    void paramsHaveFlinkMlsNamesAndAreSaved(Form form) throws Exception {
        PsEstimator<?, ?> estimator = estimator(form);
        assertThat(estimator.getPredictionCol()).isEqualTo("prediction");
        assertThat(estimator.getGlobalBatchSize()).isNull();
        assertThat(estimator.getReg()).isNull();
        assertThat(estimator.getParam("labelCol") != null).isEqualTo(form.pair().labels());
        if (form.online()) {
            assertThat(estimator.getParam("maxIter")).isNull();
            assertThat(((OnlineParams<?>) estimator).getSaveInterval()).isEqualTo("1 min");
        } else {
            assertThat(estimator.getParam("maxIter")).isNotNull();
            assertThat(estimator.<Boolean>get(estimator.getParam("tune"))).isFalse();
        }
        estimator.setPredictionCol("p").setWeightCol("w").setOptions("on-bad-row=skip");
        String saved = folder.resolve("estimator").toString();
        estimator.save(saved);
        Stage<?> loaded = ReadWriteUtils.loadStage(tables, saved);
        assertThat(loaded).isInstanceOf(estimator.getClass());
        assertThat(((PsEstimator<?, ?>) loaded).getOptions()).containsExactly("on-bad-row=skip");
        loaded.getParamMap()
                .forEach(
                        (param, value) ->
                                assertThat(value)
                                        .as(param.name)
                                        .isEqualTo(estimator.getParamMap().get(param)));
    }

    /** Params are refused when they are set, or else by fit. */
    @ParameterizedTest
    @MethodSource("forms")
    @SuppressWarnings("unchecked")
    void paramsThatCannotWorkAreRefusedByName(Form form) {
        Table table = table(form.pair(), form.pair().rows());
        int refused = 0;
        for (Param<?> param : form.make().getParamMap().keySet()) {
            for (Object value : WrongParams.of(param.name)) {
                PsEstimator<?, ?> estimator = estimator(form);
                if (param.name.equals("featuresCol")
                        && estimator.getParam("featuresCols") != null) {
                    estimator.set(estimator.getParam("featuresCols"), null);
                }
                assertThatThrownBy(
                                () -> {
                                    estimator.set((Param<Object>) param, value);
                                    estimator.fit(table);
                                },
                                "%s = %s",
                                param.name,
                                value)
                        .isInstanceOfAny(ValidationException.class, IllegalArgumentException.class)
                        .hasMessageContaining(param.name);
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(30);
    }

    @ParameterizedTest
    @MethodSource("forms")
    void predictionsAreNewColumns(Form form) {
        Table table = table(form.pair(), form.pair().rows());
        ResolvedSchema before = table.getResolvedSchema();
        PsEstimator<?, ?> estimator = estimator(form).setPredictionCol("p");
        PsModel<?> model = estimator.fit(table);
        ResolvedSchema after = model.transform(table)[0].getResolvedSchema();
        assertThat(inPipeline(estimator, table).getResolvedSchema()).isEqualTo(after);
        List<String> names = new ArrayList<>(before.getColumnNames());
        names.add("p");
        if (form.pair().raw()) {
            names.add("rawPrediction");
        }
        assertThat(after.getColumnNames()).isEqualTo(names);
        assertThat(after.getColumnDataTypes().subList(0, before.getColumnCount()))
                .isEqualTo(before.getColumnDataTypes());
        assertThat(after.getColumn("p").orElseThrow().getDataType().nullable())
                .isEqualTo(DataTypes.DOUBLE());
        Table[] data = model.getModelData();
        assertThat(data[0].getResolvedSchema().getColumnNames())
                .containsExactly("path", "version", "checksum");
        PsModel<?> other = modelOf(estimator(form)).setModelData(data);
        assertThat(other.getModelData()).isEqualTo(data);
        assertThat(other.setPredictionCol("p").transform(table)[0].getResolvedSchema())
                .isEqualTo(after);
        Table predicted = table.addColumns(lit(1).as("p"));
        assertThatThrownBy(() -> other.transform(predicted))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("predictionCol: the table has a column 'p' already");
        if (form.pair().raw()) {
            other.setPredictionCol("rawPrediction");
            assertThatThrownBy(() -> other.transform(table))
                    .isInstanceOf(ValidationException.class)
                    .hasMessageContaining("predictionCol and rawPredictionCol both name");
        }
        Table wrong = data[0].renameColumns($("path").as("place"));
        assertThatThrownBy(() -> other.setModelData(wrong))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("must have the columns path, version, checksum");
        Table text = data[0].addOrReplaceColumns(lit("1").as("version"));
        assertThatThrownBy(() -> other.setModelData(text))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("column 'version' of model data must be a whole number");
    }

    private Table inPipeline(Estimator<?, ?> estimator, Table table) {
        return new Pipeline(List.of(estimator)).fit(table).transform(table)[0];
    }

    @ParameterizedTest
    @MethodSource("forms")
    void columnsThatCannotWorkAreRefusedBeforeAnythingRuns(Form form) {
        Pair pair = form.pair();
        Table table = table(pair, pair.rows());
        PsEstimator<?, ?> estimator = estimator(form);
        PsModel<?> model = estimator.fit(table);
        PsModel<?> set = modelOf(estimator).setModelData(model.getModelData());
        String feature = table.getResolvedSchema().getColumnNames().get(0);
        Table without = table.renameColumns($(feature).as("other"));
        refuses(estimator, model, set, without, "'" + feature + "', which is none of the table's");
        Table dates = table.addOrReplaceColumns(lit("2026-01-01").toDate().as(feature));
        refuses(estimator, model, set, dates, feature);
        if (!pair.vectors()) {
            refuses(estimator, model, set, withVectors(feature), feature);
        }
        if (pair.labels()) {
            Table dated = table.addOrReplaceColumns(lit("2026-01-01").toDate().as("label"));
            refuses(estimator, dated, "label column 'label' must be a number");
            Table texts = table.addOrReplaceColumns(lit("yes").as("label"));
            refuses(estimator, texts, "label column 'label'");
            Table unlabelled = table.renameColumns($("label").as("other"));
            refuses(estimator, unlabelled, "labelCol names 'label', which is none of the table's");
        }
        Table weighed = table.addColumns(lit("heavy").as("w"));
        PsEstimator<?, ?> weighing = estimator(form).setWeightCol("w");
        refuses(weighing, weighed, "weight column 'w' must be a number");
        refuses(weighing, table, "weightCol names 'w', which is none of the table's");
        PsEstimator<?, ?> misspelt = estimator(form).setOptions("learnin-rate=1");
        refuses(misspelt, table, "there is no option 'learnin-rate'");
    }

    private Table withVectors(String column) {
        return tables.fromDataStream(
                        environment.fromData(
                                List.of(Row.of(Vectors.dense(1, 2))),
                                Types.ROW_NAMED(new String[] {column}, VectorTypeInfo.INSTANCE)))
                .addColumns(lit(1e0).as("label"), lit("b").as("b"), lit("item").as("item"));
    }

    private static void refuses(
            PsEstimator<?, ?> estimator,
            PsModel<?> model,
            PsModel<?> set,
            Table table,
            String message) {
        refuses(estimator, table, message);
        for (PsModel<?> each : List.of(model, set)) {
            assertThatThrownBy(() -> each.transform(table))
                    .isInstanceOf(ValidationException.class)
                    .hasMessageContaining(message);
        }
    }

    private static void refuses(PsEstimator<?, ?> estimator, Table table, String message) {
        assertThatThrownBy(() -> estimator.fit(table))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining(message);
    }
}
