package io.github.flinkps.flink.ml;

import static org.apache.flink.table.api.Expressions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.ml.Pairs.Pair;
import io.github.flinkps.flink.testing.SharedCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.ml.api.Stage;
import org.apache.flink.ml.builder.Pipeline;
import org.apache.flink.ml.builder.PipelineModel;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Expressions;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every pair of estimator and model must do. */
class StagesITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path folder;
    private StreamExecutionEnvironment environment;
    private StreamTableEnvironment tables;

    static Stream<Pair> pairs() {
        return Pairs.all().stream();
    }

    @BeforeEach
    void connect() {
        environment = CLUSTER.environment(2);
        tables = StreamTableEnvironment.create(environment);
    }

    private Table table(Pair pair, List<Row> rows) {
        return tables.fromDataStream(environment.fromData(rows, pair.type()));
    }

    private PsEstimator<?, ?> estimator(Pair pair) {
        PsEstimator<?, ?> estimator = pair.estimator().get();
        estimator.setModelRoot(folder.resolve("root").toUri().toString());
        return estimator;
    }

    private static List<Row> list(CloseableIterator<Row> results) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (results) {
            results.forEachRemaining(rows::add);
        }
        return rows;
    }

    private static double error(Pair pair, List<Row> predicted) {
        return predicted.stream()
                .mapToDouble(row -> pair.error().apply(row))
                .average()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void learnsInAPipelineAndIsSavedAndLoaded(Pair pair) throws Exception {
        Table table = table(pair, pair.rows());
        String saved = folder.resolve("pipeline").toString();
        new Pipeline(List.of(estimator(pair))).save(saved);
        PipelineModel model = Pipeline.load(tables, saved).fit(table);
        CloseableIterator<Row> predictions =
                tables.toDataStream(model.transform(table)[0]).collectAsync();
        String savedModel = folder.resolve("model").toString();
        model.save(savedModel);
        environment.execute();
        List<Row> predicted = list(predictions);
        assertThat(predicted).hasSameSizeAs(pair.rows());
        assertThat(error(pair, predicted)).isLessThan(pair.bound());

        connect();
        environment.setParallelism(4);
        Table few = table(pair, pair.rows().subList(0, 3));
        Table again = PipelineModel.load(tables, savedModel).transform(few)[0];
        CloseableIterator<Row> predictionsAgain = tables.toDataStream(again).collectAsync();
        CloseableIterator<Row> modelData =
                tables.toDataStream(estimator(pair).fit(few).getModelData()[0]).collectAsync();
        PsEstimator<?, ?> online = pair.online().get();
        online.setModelRoot(folder.resolve("root").toUri().toString());
        CloseableIterator<Row> onlineData =
                tables.toDataStream(online.fit(few).getModelData()[0]).collectAsync();
        environment.execute();
        List<Row> predictedAgain = list(predictionsAgain);
        assertThat(predictedAgain).hasSize(3);
        if (pair.labels()) { // others draw at random what they compare with
            assertThat(predicted).containsAll(predictedAgain);
        }
        assertThat(list(modelData)).hasSize(1);
        assertThat(list(onlineData)).as("of a table that ends").hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void paramsHaveFlinkMlsNamesAndAreSaved(Pair pair) throws Exception {
        PsEstimator<?, ?> estimator = estimator(pair);
        assertThat(estimator.getPredictionCol()).isEqualTo("prediction");
        assertThat(estimator.getGlobalBatchSize()).isEqualTo(32);
        assertThat(estimator.getReg()).isZero();
        assertThat(estimator.<Integer>get(estimator.getParam("maxIter"))).isPositive();
        assertThat(estimator.getParam("labelCol") != null).isEqualTo(pair.labels());
        assertThat(pair.online().get().getParam("maxIter")).isNull();
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

    @ParameterizedTest
    @MethodSource("pairs")
    void predictionsAreNewColumns(Pair pair) {
        Table table = table(pair, pair.rows());
        ResolvedSchema before = table.getResolvedSchema();
        PsModel<?> model = estimator(pair).setPredictionCol("p").fit(table);
        ResolvedSchema after = model.transform(table)[0].getResolvedSchema();
        List<String> names = new ArrayList<>(before.getColumnNames());
        names.add("p");
        if (pair.raw()) {
            names.add("rawPrediction");
        }
        assertThat(after.getColumnNames()).isEqualTo(names);
        assertThat(after.getColumnDataTypes().subList(0, before.getColumnCount()))
                .isEqualTo(before.getColumnDataTypes());
        assertThat(after.getColumn("p").orElseThrow().getDataType().nullable())
                .isEqualTo(DataTypes.DOUBLE());
        assertThat(model.getModelData()[0].getResolvedSchema().getColumnNames())
                .containsExactly("path", "version", "checksum");
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void whatCannotWorkIsRefusedBeforeAnythingRuns(Pair pair) {
        Table table = table(pair, pair.rows());
        PsEstimator<?, ?> estimator = estimator(pair);
        PsModel<?> model = estimator.fit(table);
        String feature = table.getResolvedSchema().getColumnNames().get(0);
        Table without = table.renameColumns(Expressions.$(feature).as("other"));
        assertThatThrownBy(() -> estimator.fit(without))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'" + feature + "', which is none of the table's columns");
        assertThatThrownBy(() -> model.transform(without))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'" + feature + "', which is none of the table's columns");
        Table dates = table.addOrReplaceColumns(lit("2026-01-01").toDate().as(feature));
        assertThatThrownBy(() -> estimator.fit(dates))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("column '" + feature + "' of type DATE cannot be a feature");
        assertThatThrownBy(() -> model.transform(dates))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining(feature);
        if (pair.labels()) {
            Table dated = table.addOrReplaceColumns(lit("2026-01-01").toDate().as("label"));
            assertThatThrownBy(() -> estimator.fit(dated))
                    .isInstanceOf(ValidationException.class)
                    .hasMessageContaining("label column 'label' must be a number");
        }
        Table weighed = table.addColumns(lit("heavy").as("w"));
        PsEstimator<?, ?> weighing = estimator(pair).setWeightCol("w");
        assertThatThrownBy(() -> weighing.fit(weighed))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("weight column 'w' must be a number");
        Table predicted = table.addColumns(lit(1).as("prediction"));
        assertThatThrownBy(() -> model.transform(predicted))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("has a column 'prediction' already");
        PsEstimator<?, ?> misspelt = estimator(pair).setOptions("learnin-rate=1");
        assertThatThrownBy(() -> misspelt.fit(table))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("there is no option 'learnin-rate'");
    }
}
