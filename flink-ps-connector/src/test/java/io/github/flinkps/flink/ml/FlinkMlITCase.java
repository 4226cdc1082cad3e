package io.github.flinkps.flink.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.testing.EndlessNumbers;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.TestingObjectStore;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerSecurity;
import io.github.flinkps.testing.TestingKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.ml.builder.Pipeline;
import org.apache.flink.ml.builder.PipelineModel;
import org.apache.flink.ml.linalg.DenseVector;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests what stages have in common, by logistic regression. */
@Timeout(240)
class FlinkMlITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path folder;
    private StreamExecutionEnvironment environment;
    private StreamTableEnvironment tables;

    @BeforeEach
    void connect() {
        environment = CLUSTER.environment(2);
        tables = StreamTableEnvironment.create(environment);
    }

    private LogisticRegression estimator() {
        return new LogisticRegression()
                .setMaxIter(5)
                .setModelRoot(folder.resolve("root").toUri().toString());
    }

    /** Numbers, and their parity as label. */
    private Table numbers(String features) {
        if (tables.listTemporaryViews().length == 0) {
            List<Row> rows = new ArrayList<>();
            for (long i = 0; i < 60; i++) {
                rows.add(Row.of(i % 2));
            }
            tables.createTemporaryView(
                    "numbers",
                    tables.fromDataStream(
                            environment.fromData(
                                    rows, Types.ROW_NAMED(new String[] {"n"}, Types.LONG))));
        }
        return tables.sqlQuery(
                "SELECT " + features + " AS features, n AS label, n + 1 AS w FROM numbers");
    }

    private static List<Row> collect(Table table) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (CloseableIterator<Row> results = table.execute().collect()) {
            results.forEachRemaining(rows::add);
        }
        return rows;
    }

    @Test
    void columnsOfSqlAreFeatures() throws Exception {
        List<CloseableIterator<Row>> predictions = new ArrayList<>();
        for (String features :
                List.of(
                        "ARRAY[CAST(n AS DOUBLE), 1e0]",
                        "ARRAY[CAST(n AS FLOAT), CAST(1 AS FLOAT)]",
                        "ARRAY[n, 7]",
                        "ARRAY[CAST(n AS STRING), 'every row']",
                        "CAST(n AS STRING)")) {
            Table table = numbers(features);
            LogisticRegression estimator = estimator().setWeightCol("w").setLearningRate(1.0);
            Table predicted = estimator.fit(table).transform(table)[0];
            predictions.add(tables.toDataStream(predicted).collectAsync());
        }
        environment.execute();
        for (CloseableIterator<Row> rows : predictions) {
            int count = 0;
            while (rows.hasNext()) {
                Row row = rows.next();
                long label = (Long) row.getField("label");
                assertThat(row.getField("prediction")).isEqualTo((double) label);
                double[] raw = ((DenseVector) row.getField("rawPrediction")).values;
                assertThat(raw[0] + raw[1]).isBetween(0.999, 1.001);
                assertThat(raw[(int) label]).isGreaterThan(0.5);
                count++;
            }
            rows.close();
            assertThat(count).isEqualTo(60);
        }
    }

    /** The planner hands such a table's rows on as they are. */
    @Test
    void rowsOfAProgramMayHaveNamesAlone() throws Exception {
        environment.getConfig().enableObjectReuse();
        Table table =
                tables.fromDataStream(
                        environment
                                .fromSequence(0, 59)
                                .map(
                                        n -> {
                                            Row row = Row.withNames();
                                            row.setField("features", new Long[] {n % 2});
                                            row.setField("label", n % 2);
                                            return row;
                                        })
                                .returns(
                                        Types.ROW_NAMED(
                                                new String[] {"features", "label"},
                                                Types.OBJECT_ARRAY(Types.LONG),
                                                Types.LONG)));
        List<Row> predicted = collect(estimator().fit(table).transform(table)[0]);
        assertThat(predicted).hasSize(60);
        for (Row row : predicted) {
            assertThat(row.getField("prediction")).isEqualTo((double) (Long) row.getField("label"));
        }
    }

    @Test
    void aStageLearnsOfWhatTheOneBeforeItPredicts() throws Exception {
        LogisticRegression first = estimator().setPredictionCol("first").setRawPredictionCol("raw");
        LogisticRegression second = estimator().setFeaturesCol("raw").setLearningRate(1.0);
        Table table = numbers("ARRAY[n, 7]");
        PipelineModel model = new Pipeline(List.of(first, second)).fit(table);
        List<Row> rows = collect(model.transform(table)[0]);
        assertThat(rows)
                .hasSize(60)
                .allSatisfy(
                        row ->
                                assertThat(row.<Double>getFieldAs("prediction"))
                                        .isEqualTo(row.<Long>getFieldAs("label").doubleValue()));
    }

    @Test
    void jobsThatRunOneGraphTrainModelsOfTheirOwn() throws Exception {
        Table data = estimator().fit(numbers("ARRAY[n, 7]")).getModelData()[0];
        TableResult one = data.execute();
        TableResult other = data.execute();
        List<Row> found = new ArrayList<>();
        one.collect().forEachRemaining(found::add);
        other.collect().forEachRemaining(found::add);
        assertThat(found).hasSize(2);
        List<ModelData> models = found.stream().map(ModelData::of).toList();
        assertThat(models.get(0).path()).isNotEqualTo(models.get(1).path());
        for (ModelData model : models) {
            assertThat(model.version()).isEqualTo(1);
            model.check();
        }
        Files.writeString(Path.of(models.get(0).path(), "manifest.json"), "{}");
        assertThatThrownBy(() -> models.get(0).check())
                .hasMessageContaining("is not the one of the model data");
    }

    /** Rows wait for their model through checkpoints, which go on when the training is over. */
    @Test
    void jobsWithCheckpointsTrainAndPredict() throws Exception {
        environment.enableCheckpointing(100);
        environment.getCheckpointConfig().setTolerableCheckpointFailureNumber(100);
        Table table = numbers("ARRAY[n, 7]");
        LogisticRegressionModel model = estimator().setMaxIter(30).fit(table);
        List<Row> predicted = collect(model.transform(table)[0]);
        assertThat(predicted).hasSize(60);
        for (Row row : predicted) {
            assertThat(row.getField("prediction")).isEqualTo((double) (Long) row.getField("label"));
        }
    }

    @Test
    void trainingGoesOnFromAModel() throws Exception {
        Table table = numbers("ARRAY[n, 7]");
        Table data = estimator().setMaxIter(20).fit(table).getModelData()[0];
        ModelData first = ModelData.of(collect(data).get(0));
        LogisticRegression next = estimator().setLearningRate(1e-9).setInitialModel(first.path());
        for (Row row : collect(next.fit(table).transform(table)[0])) {
            assertThat(row.getField("prediction")).isEqualTo((double) (Long) row.getField("label"));
        }
        LinearSvm other = new LinearSvm().setInitialModel(first.path());
        assertThatThrownBy(() -> other.fit(table))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("was trained by the algorithm logistic-regression");
        assertThatThrownBy(() -> next.setInitialModel(first.path() + "/none").fit(table))
                .hasMessageContaining("none");
    }

    /** Their unit is found by the rows, and says what the values of the model mean. */
    @Test
    void trainingOfNumbersGoesOnInTheirUnit() throws Exception {
        Table table = numbers("ARRAY[n, 7]");
        Table data =
                new FactorizationMachine()
                        .setTask("regression")
                        .setOptions("label-mean=5000", "label-unit=1000")
                        .setMaxIter(1)
                        .fit(table)
                        .getModelData()[0];
        String path = ModelData.of(collect(data).get(0)).path();
        FactorizationMachine next =
                new FactorizationMachine()
                        .setTask("regression")
                        .setMaxIter(1)
                        .setLearningRate(1e-9)
                        .setInitialModel(path);
        for (Row row : collect(next.fit(table).transform(table)[0])) {
            assertThat((double) row.getField("prediction")).isBetween(1000., 9000.);
        }
        assertThatThrownBy(() -> next.setOptions("label-unit=2").fit(table))
                .isInstanceOf(ValidationException.class)
                .hasMessageContainingAll("was trained with another option 'label-unit'", "1000.0");
    }

    @Test
    void serversOfTheirOwnAreReachedByTlsAndAToken() throws Exception {
        TestingKeys keys = new TestingKeys(Files.createDirectories(folder.resolve("keys")));
        String tokens = keys.tokens("tokens", "anna:correct-horse-battery");
        TlsFiles own = keys.server("127.0.0.1");
        ServerSecurity security =
                new ServerSecurity(new TlsFiles(own.certificate(), own.key(), null), tokens, false);
        Table table = numbers("ARRAY[n, 7]");
        try (ParameterServer server =
                ParameterServer.start(ServerConfig.defaults().withSecurity(security))) {
            LogisticRegression stage = estimator().setLearningRate(1.0).setRemote(server.address());
            stage.setOptions("tls-trust=" + keys.authorityFile(), "token-file=" + tokens);
            for (Row row : collect(stage.fit(table).transform(table)[0])) {
                long label = (Long) row.getField("label");
                assertThat(row.getField("prediction")).isEqualTo((double) label);
            }
            LogisticRegression without = estimator().setRemote(server.address());
            assertThatThrownBy(() -> collect(without.fit(table).transform(table)[0]))
                    .hasStackTraceContaining("speaks TLS only; set tls-trust");
        }
    }

    @Test
    void modelsInAStoreAreTrainedSavedAndLoaded() throws Exception {
        String store = TestingObjectStore.SCHEME + "://" + folder;
        Table table = numbers("ARRAY[n, 7]");
        estimator().setMaxIter(20).setModelRoot(store + "/root").fit(table).save(store + "/saved");
        environment.execute();
        LogisticRegressionModel loaded = LogisticRegressionModel.load(tables, store + "/saved");
        String path = ModelData.of(collect(loaded.getModelData()[0]).get(0)).path();
        assertThat(path).startsWith(store + "/saved/data/");
        LogisticRegression next = estimator().setLearningRate(1e-9).setInitialModel(path);
        for (LogisticRegressionModel model : List.of(loaded, next.fit(table))) {
            for (Row row : collect(model.transform(table)[0])) {
                assertThat(row.getField("prediction"))
                        .isEqualTo((double) (Long) row.getField("label"));
            }
        }
    }

    @Test
    void anOnlineEstimatorEmitsVersionsAndItsModelPredictsMeanwhile() throws Exception {
        environment.enableCheckpointing(500);
        environment.getCheckpointConfig().setTolerableCheckpointFailureNumber(100);
        tables.createTemporaryView(
                "endless",
                environment.fromSource(
                        new EndlessNumbers(1000), WatermarkStrategy.noWatermarks(), "endless"));
        Table rows =
                tables.sqlQuery(
                        "SELECT ARRAY[MOD(f0, 2)] AS features, MOD(f0, 2) AS label"
                                + " FROM endless");
        OnlineLogisticRegression online =
                new OnlineLogisticRegression()
                        .setSaveInterval("50 ms")
                        .setKeptVersions(2)
                        .setModelRoot(folder.resolve("root").toUri().toString());
        LogisticRegressionModel model = online.fit(rows);
        long last = 0;
        try (CloseableIterator<Row> versions = model.getModelData()[0].execute().collect()) {
            for (int i = 0; i < 5; i++) {
                ModelData data = ModelData.of(versions.next());
                assertThat(data.version()).isGreaterThan(last);
                last = data.version();
            }
        }
        try (CloseableIterator<Row> predicted = model.transform(rows)[0].execute().collect()) {
            Row row = predicted.next();
            while (((Number) row.getField("label")).intValue()
                    != ((Double) row.getField("prediction")).intValue()) {
                row = predicted.next();
            }
        }
        assertThatThrownBy(() -> estimator().fit(rows))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("OnlineLogisticRegression");
    }

    @Test
    void modelsAreRefusedRowsOfAnotherKind() throws Exception {
        LogisticRegressionModel model = estimator().fit(numbers("ARRAY[n, 7]"));
        Table others = tables.sqlQuery("SELECT CAST(n AS STRING) AS features FROM numbers");
        assertThatThrownBy(() -> model.transform(others))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("feature 'features' must be ARRAY<BIGINT");
        assertThatThrownBy(() -> new LogisticRegressionModel().transform(others))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has no model data");
        assertThatThrownBy(() -> new LogisticRegressionModel().setModelData(others))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("must have the columns path, version, checksum");
        LogisticRegressionModel set =
                new LogisticRegressionModel().setModelData(model.getModelData());
        assertThatThrownBy(() -> collect(set.transform(others)[0]))
                .hasStackTraceContaining("feature 'features' must be ARRAY<BIGINT");
    }

    @Test
    void whatOnlyRowsShowFailsTheJob() {
        numbers("ARRAY[n, 7]");
        Table labels = tables.sqlQuery("SELECT ARRAY[n] AS features, n + 5 AS label FROM numbers");
        assertThatThrownBy(() -> collect(estimator().fit(labels).getModelData()[0]))
                .hasStackTraceContaining("label column 'label': 5 is out of range for a label");
        Table weights =
                tables.sqlQuery(
                        "SELECT ARRAY[n] AS features, n AS label, -n - 1 AS w FROM numbers");
        LogisticRegression weighing = estimator().setWeightCol("w");
        assertThatThrownBy(() -> collect(weighing.fit(weights).getModelData()[0]))
                .hasStackTraceContaining("weight column 'w': -1 is out of range for a weight");
        tables = StreamTableEnvironment.create(environment, EnvironmentSettings.inBatchMode());
        Table table = numbers("ARRAY[n, 7]");
        assertThatThrownBy(() -> estimator().fit(table))
                .hasMessageContaining("execution.runtime-mode BATCH");
    }
}
