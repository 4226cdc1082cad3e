package io.github.flinkps.flink;

import static io.github.flinkps.flink.testing.LocalCluster.collect;
import static org.apache.flink.table.api.Expressions.$;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.FeatureHash;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.table.ModelOptions;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.testing.ModelValues;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Training on tables, over real servers of the job. */
@Timeout(120)
class TableTrainingITCase {
    private static final int ROWS = 2000;
    private static final TypeInformation<Row> TYPE =
            Types.ROW_NAMED(
                    new String[] {"ad", "clicked", "price", "times", "position"},
                    Types.STRING,
                    Types.INT,
                    Types.DOUBLE,
                    Types.DOUBLE,
                    Types.LONG);

    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;
    private final LogisticRegression model = LogisticRegression.builder().build();

    private static List<Row> rows() {
        return IntStream.range(0, ROWS)
                .mapToObj(
                        i ->
                                Row.of(
                                        "ad-" + i % 7,
                                        i % 7 < 3 ? 1 : 0,
                                        i % 10 / 10.0,
                                        1.0 + i % 2,
                                        (long) i % 4))
                .toList();
    }

    private static void extract(Row row, RowBatchBuilder out) {
        out.add(new FeatureHash("ad", 64).key((String) row.getField(0)));
        out.add(new FeatureHash("price", 64).key("#"), ((Double) row.getField(2)).floatValue());
        out.add(new FeatureHash("position", 64).key(row.getField(4).toString()));
        out.endRow((Integer) row.getField(1), ((Double) row.getField(3)).floatValue());
    }

    private static Table table() {
        StreamExecutionEnvironment environment = CLUSTER.environment(1);
        StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
        return tables.fromDataStream(environment.fromData(rows(), TYPE));
    }

    private TableTrainingJob job(Table table) {
        return FlinkPs.trainTable(table, model)
                .label("clicked")
                .weight("times")
                .categorical("position")
                .set(PsOptions.MODEL_ROOT, root.toUri().toString());
    }

    @Test
    void everyOtherColumnIsAFeature() throws Exception {
        String ofTable = root.resolve("of-table").toString();
        Training training =
                job(table())
                        .numeric("price", "none")
                        .set(PsOptions.CONSISTENCY, ConsistencySpec.Kind.BSP)
                        .set(PsOptions.EPOCHS, 3)
                        .set(PsOptions.MODEL_OUTPUT, ofTable)
                        .start();
        assertThat(collect(training.reports()))
                .singleElement()
                .satisfies(report -> assertThat(report.rows()).isEqualTo(ROWS))
                .satisfies(report -> assertThat(report.epochs()).isEqualTo(3));
        String ofRecords = root.resolve("of-records").toString();
        collect(
                FlinkPs.train(
                                CLUSTER.environment(1).fromData(rows(), TYPE),
                                TableTrainingITCase::extract,
                                model)
                        .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                        .set(PsOptions.CONSISTENCY, ConsistencySpec.Kind.BSP)
                        .set(PsOptions.EPOCHS, 3)
                        .set(PsOptions.MODEL_OUTPUT, ofRecords)
                        .start()
                        .reports());
        ModelValues learned = ModelValues.read(Path.of(ofTable));
        assertThat(learned.table("weights")).hasSize(7 + 1 + 4);
        assertThat(learned).isEqualTo(ModelValues.read(Path.of(ofRecords)));
    }

    @Test
    void aSecondTableIsPredictedAndJoined() throws Exception {
        String before = root.resolve("before").toString();
        collect(
                job(table())
                        .set(PsOptions.EPOCHS, 3)
                        .set(PsOptions.MODEL_OUTPUT, before)
                        .start()
                        .reports());
        StreamExecutionEnvironment environment = CLUSTER.environment(1);
        StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
        TableTraining training =
                job(tables.fromDataStream(environment.fromData(rows(), TYPE)))
                        .set(PsOptions.INITIAL_MODEL, before)
                        .asVersions()
                        .start();
        Table requests =
                tables.sqlQuery(
                        "SELECT id, CONCAT('ad-', CAST(MOD(id, 7) AS STRING)) AS ad, 0.5 AS price,"
                                + " CAST(1 AS SMALLINT) AS `position`"
                                + " FROM (VALUES 0, 1, 2, 3, 4, 5, 6, 7, 8) AS requests (id)");
        Table outcomes =
                tables.sqlQuery(
                        "SELECT * FROM (VALUES (1, 'yes'), (5, 'no')) AS o (request, outcome)");
        Table joined =
                training.predictions(requests, "probability")
                        .join(outcomes, $("id").isEqual($("request")))
                        .select($("outcome"), $("ad"), $("probability"));
        assertThat(collect(tables.toDataStream(joined)))
                .hasSize(2)
                .allSatisfy(
                        row ->
                                assertThat(row.<Double>getFieldAs("probability") > .5)
                                        .isEqualTo(row.getFieldAs("outcome").equals("yes")));
        assertThatThrownBy(() -> training.predictions(outcomes, "probability"))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining(
                        "has no column 'ad', a feature of the model, but request, outcome");
        assertThatThrownBy(
                        () -> training.predictions(requests.renameColumns($("id").as("x")), "ad"))
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void mistakesNameTheColumnOrTheOption() {
        assertThatThrownBy(() -> job(table()).label("click").start())
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining(
                        "option 'label' names column 'click', which is none of ad, clicked");
        assertThatThrownBy(() -> FlinkPs.trainTable(table(), model).start())
                .hasMessageContaining("needs the option 'label'");
        assertThatThrownBy(() -> job(table()).weight("ad").start())
                .hasMessageContaining("weight column 'ad' must be a number");
        assertThatThrownBy(() -> job(table()).categorical("price").start())
                .hasMessageContaining("'categorical' names 'price', which is no whole number");
        assertThatThrownBy(() -> job(table()).numeric("ad", "log").start())
                .hasMessageContaining("'ad' is no feature of numbers");
        assertThatThrownBy(() -> job(table()).set(ModelOptions.ALGORITHM, "softmax").start())
                .hasMessage(
                        "algorithm is not to be set: it is that of the model, "
                                + "logistic-regression");
        assertThatThrownBy(() -> job(table()).set(PsOptions.EPOCHS, 0).start())
                .hasMessageContaining("epochs must be at least 1");
    }

    @Test
    void rowsThatChangeAreRefused() {
        StreamTableEnvironment tables = StreamTableEnvironment.create(CLUSTER.environment(1));
        tables.createTemporaryView("clicks", table(tables));
        Table counts = tables.sqlQuery("SELECT ad, COUNT(*) AS clicked FROM clicks GROUP BY ad");
        assertThatThrownBy(() -> FlinkPs.trainTable(counts, model).label("clicked").start())
                .hasMessageContaining("doesn't support consuming update changes");
    }

    private static Table table(StreamTableEnvironment tables) {
        return tables.fromValues(Row.of("a", 1), Row.of("b", 0)).as("ad", "clicked");
    }
}
