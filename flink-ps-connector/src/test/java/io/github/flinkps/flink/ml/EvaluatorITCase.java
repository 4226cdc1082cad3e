package io.github.flinkps.flink.ml;

import static org.apache.flink.table.api.Expressions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.flink.testing.SharedCluster;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.ml.builder.PipelineModel;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CollectionUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Evaluators of Flink ML, in the labels that rows have. */
@Timeout(120)
class EvaluatorITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final double LN2 = Math.log(2);

    @TempDir Path folder;
    private final StreamExecutionEnvironment environment = CLUSTER.environment(2);
    private final StreamTableEnvironment tables = StreamTableEnvironment.create(environment);

    private static Row only(Table table) {
        return CollectionUtil.iteratorToList(table.execute().collect()).get(0);
    }

    private Table colours() {
        return tables.sqlQuery(
                "SELECT label, prediction, rawPrediction, w FROM (VALUES"
                        + " ('red', 'red', ARRAY[0.5e0, 0.25e0, 0.25e0], 1),"
                        + " ('sky', 'red', ARRAY[0.5e0, 0.25e0, 0.25e0], 2),"
                        + " ('a', 'a', ARRAY[0e0, 0e0, 1e0], 1))"
                        + " AS t (label, prediction, rawPrediction, w)");
    }

    private static ClassificationEvaluator ofColours() {
        return new ClassificationEvaluator()
                .setLabelValues("red", "sky", "a")
                .setMetricsNames("accuracy", "logloss", "confusion");
    }

    @Test
    void measuresClassesByName() throws Exception {
        Row measured = only(ofColours().transform(colours())[0]);
        assertThat(measured.<Double>getFieldAs("accuracy")).isCloseTo(2 / 3.0, within(1e-12));
        assertThat(measured.<Double>getFieldAs("logloss")).isCloseTo(LN2, within(1e-12));
        assertThat(measured.<Double[][]>getFieldAs("confusion"))
                .isDeepEqualTo(new Double[][] {{1., 0., 0.}, {1., 0., 0.}, {0., 0., 1.}});

        String saved = folder.resolve("evaluator").toString();
        ofColours().setWeightCol("w").save(saved);
        ClassificationEvaluator loaded = ClassificationEvaluator.load(tables, saved);
        Row weighted = only(new PipelineModel(List.of(loaded)).transform(colours())[0]);
        assertThat(weighted.<Double>getFieldAs("accuracy")).isEqualTo(0.5);
        assertThat(weighted.<Double[][]>getFieldAs("confusion")[1]).containsExactly(2., 0., 0.);
    }

    @Test
    void measuresTwoClassesByNumber() {
        Table table =
                tables.sqlQuery(
                        "SELECT label = 1 AS label, prediction, rawPrediction FROM (VALUES"
                                + " (1, 1e0, ARRAY[0.25e0, 0.75e0]),"
                                + " (0, 1e0, ARRAY[0.5e0, 0.5e0]),"
                                + " (1, 1e0, ARRAY[0.5e0, 0.5e0]))"
                                + " AS t (label, prediction, rawPrediction)");
        ClassificationEvaluator evaluator = new ClassificationEvaluator();
        assertThat(only(evaluator.transform(table)[0]).getFieldNames(true))
                .containsExactly("accuracy", "logloss");
        Row measured = only(evaluator.setMetricsNames("auc", "accuracy").transform(table)[0]);
        assertThat(measured.getField("auc")).isEqualTo(0.75);
        assertThat(measured.<Double>getFieldAs("accuracy")).isCloseTo(2 / 3.0, within(1e-12));
    }

    @Test
    void ranksOfUsersAreMeasuredByTheirMean() {
        Table table =
                tables.sqlQuery(
                        "SELECT * FROM (VALUES ('u', 0.9, 1), ('u', 0.8, 0), ('u', 0.7, 1),"
                                + " ('v', 0.5, 1), ('v', 0.5, 0), ('none', 1.0, 0))"
                                + " AS t (`user`, prediction, label)");
        Row measured = only(new RankingEvaluator().setK(2).transform(table)[0]);
        assertThat(measured.getField("precision")).isEqualTo(0.5);
        double second = LN2 / Math.log(3);
        assertThat(measured.<Double>getFieldAs("ndcg"))
                .isCloseTo((1 / (1 + second) + second) / 2, within(1e-12));
    }

    @Test
    void withoutRowsThereIsNothingToMeasure() {
        Table none = colours().where(lit(false));
        assertThat(only(ofColours().setMetricsNames("accuracy", "logloss").transform(none)[0]))
                .isEqualTo(Row.of(null, null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "green | a | ARRAY[1e0, 0e0, 0e0] | labelCol: column 'label' must be one of red,",
                "red | b | ARRAY[1e0, 0e0, 0e0] | predictionCol: column 'prediction' must be one",
                "red | a | ARRAY[1e0, 0e0] | a score for each of the 3 labelValues, but a row",
                "red | a | ARRAY[-2e0, 0e0, 0e0] | must be probabilities for the metric logloss"
            })
    void rowsThatCannotBeMeasuredFailTheJob(
            String label, String prediction, String raw, String message) {
        Table table =
                tables.sqlQuery(
                        "SELECT '%s' AS label, '%s' AS prediction, %s AS rawPrediction"
                                .formatted(label, prediction, raw));
        assertThatThrownBy(() -> only(ofColours().transform(table)[0]))
                .hasStackTraceContaining(message);
    }

    @Test
    void whatIsWrongIsNamedBeforeAnythingRuns() {
        Table table = colours();
        assertRefused(
                new ClassificationEvaluator(),
                table,
                "labelCol: column 'label' is text: labelValues must name the labels");
        assertRefused(
                ofColours().setMetricsNames("f1"),
                table,
                "there is no metric 'f1'; there are accuracy, logloss, auc, confusion");
        assertRefused(
                ofColours().setRawPredictionCol("w"),
                table,
                "rawPredictionCol: column 'w' must be a Vector or an ARRAY of numbers, not INT");
        assertRefused(
                ofColours().setLabelCol("rawPrediction"), table, "must be a label, not ARRAY");
        assertRefused(new RankingEvaluator(), table, "labelCol: column 'label' must be a number");
        tables.executeSql(
                "CREATE TEMPORARY TABLE endless (label STRING, prediction STRING,"
                        + " rawPrediction ARRAY<DOUBLE>) WITH ('connector' = 'datagen')");
        assertRefused(ofColours(), tables.from("endless"), "measures a table that ends");
    }

    private static void assertRefused(Evaluator<?> evaluator, Table table, String message) {
        assertThatThrownBy(() -> evaluator.transform(table))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining(message);
    }
}
