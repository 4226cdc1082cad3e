package io.github.flinkps.flink2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models trained by INSERT answer ML_PREDICT as they do PS_PREDICT. */
@Timeout(180)
class MlPredictITCase {
    private static final String ROWS =
            "(VALUES (CAST(.1 AS DOUBLE), 'news', 1), (CAST(.9 AS DOUBLE), 'mail', 0),"
                    + " (CAST(.4 AS DOUBLE), 'news', 0), (CAST(NULL AS DOUBLE), 'shop', 1))"
                    + " AS t (price, site, clicked)";

    @TempDir static Path folder;
    private TableEnvironment session;

    @BeforeAll
    static void train() throws Exception {
        TableEnvironment session = session(false);
        session.executeSql(
                "CREATE CATALOG ps WITH ('type'='flink-ps', 'model-root'='" + root() + "')");
        session.executeSql("CREATE DATABASE ps.ads");
        declareAndTrain(session, "ctr", "'optimizer'='ftrl'");
        declareAndTrain(session, "kinds", "'algorithm'='softmax', 'classes'='3'");
    }

    private static void declareAndTrain(TableEnvironment session, String model, String options)
            throws Exception {
        session.executeSql(
                "CREATE TABLE ps.ads."
                        + model
                        + " (clicked INT, price DOUBLE, site STRING) WITH"
                        + " ('label'='clicked', "
                        + options
                        + ")");
        session.executeSql(
                        "INSERT INTO ps.ads." + model + " SELECT clicked, price, site FROM " + ROWS)
                .await();
    }

    private static String root() {
        return folder.toUri().toString();
    }

    private static TableEnvironment session(boolean streaming) {
        TableEnvironment made =
                TableEnvironment.create(
                        streaming
                                ? EnvironmentSettings.inStreamingMode()
                                : EnvironmentSettings.inBatchMode());
        made.getConfig().set("parallelism.default", "1");
        made.executeSql("LOAD MODULE ps WITH ('model-root' = '" + root() + "')");
        made.executeSql("CREATE TEMPORARY VIEW clicks AS SELECT * FROM " + ROWS);
        return made;
    }

    private void createModel(String input, String output, String options) {
        session.executeSql("DROP MODEL IF EXISTS m");
        session.executeSql(
                "CREATE MODEL m INPUT ("
                        + input
                        + ") OUTPUT ("
                        + output
                        + ") WITH"
                        + " ('provider'='flink-ps', "
                        + options
                        + ")");
    }

    private static String ofRoot(String model) {
        return "'model-root'='" + root() + "', 'model'='" + model + "'";
    }

    private List<Row> rows(String query) throws Exception {
        List<Row> found = new ArrayList<>();
        try (CloseableIterator<Row> rows = session.executeSql(query).collect()) {
            rows.forEachRemaining(found::add);
        }
        return found;
    }

    private static String predicted(String columns, String config) {
        return "SELECT "
                + columns
                + " FROM ML_PREDICT(TABLE clicks, MODEL m, DESCRIPTOR(site, price)"
                + (config.isEmpty() ? "" : ", MAP[" + config + "]")
                + ")";
    }

    @ParameterizedTest
    @CsvSource({"true,false", "true,true", "false,false"})
    void scoresAsTheFunctionDoes(boolean streaming, boolean async) throws Exception {
        session = session(streaming);
        createModel("site STRING, price DOUBLE", "score DOUBLE", ofRoot("ads.ctr"));
        String query = predicted("clicked, price, score", "'async', '" + async + "'");
        if (!streaming && EnvironmentInformation.getVersion().startsWith("2.2.")) {
            assertThatThrownBy(() -> rows(query))
                    .hasMessageContaining("Cannot generate a valid execution plan");
            return;
        }
        assertThat(rows(query))
                .hasSize(4)
                .containsExactlyInAnyOrderElementsOf(
                        rows(
                                "SELECT clicked, price, PS_PREDICT('ads.ctr', price, site) FROM"
                                        + " clicks"))
                .extracting(row -> (double) row.getFieldAs(2))
                .doesNotHaveDuplicates()
                .allSatisfy(score -> assertThat(score).isBetween(0.0, 1.0));
    }

    @Test
    void givesAllScoresOfAModelOfSeveral() throws Exception {
        session = session(true);
        createModel("site STRING, price DOUBLE", "scores ARRAY<DOUBLE>", ofRoot("ads.kinds"));
        assertThat(rows(predicted("scores[1], scores[2], scores[3]", "")))
                .hasSize(4)
                .containsExactlyInAnyOrderElementsOf(
                        rows(
                                "SELECT p[1], p[2], p[3] FROM (SELECT PS_PREDICT('ads.kinds',"
                                        + " price, site) AS p FROM clicks)"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "site STRING, price DOUBLE | score STRING | ads.ctr | OUTPUT must be one column of"
                        + " type DOUBLE",
                "site STRING, price DOUBLE | score DOUBLE, more DOUBLE | ads.ctr | OUTPUT must be"
                        + " one column",
                "site STRING, price DOUBLE | score DOUBLE | ads.kinds | ARRAY<DOUBLE>, 3 scores",
                "site STRING, cost DOUBLE | score DOUBLE | ads.ctr | column 'cost' is none of the"
                        + " features [price, site]",
                "site STRING, price STRING | score DOUBLE | ads.ctr | 'price' must be DOUBLE",
                "site STRING, price DOUBLE | score DOUBLE | ads.none | there is no model ads.none",
                "site STRING, price DOUBLE | score DOUBLE | ads.ctr', 'rate'='1 | Unsupported"
                        + " options",
            })
    void refusesWhatDoesNotFit(String input, String output, String model, String message) {
        session = session(true);
        session.executeSql(
                "CREATE TEMPORARY VIEW texts AS SELECT site, CAST(price AS STRING) AS price FROM"
                        + " clicks");
        createModel(input, output, ofRoot(model));
        String table = input.contains("price STRING") ? "texts" : "clicks";
        assertRefused(predicted("*", "").replace("TABLE clicks", "TABLE " + table), message);
    }

    @Test
    void aFeatureMustNotBeMissing() {
        session = session(true);
        createModel("site STRING", "score DOUBLE", ofRoot("ads.ctr"));
        assertRefused(
                "SELECT * FROM ML_PREDICT(TABLE clicks, MODEL m, DESCRIPTOR(site))",
                "model ads.ctr: feature 'price' is missing");
    }

    @Test
    void theNameOfTheModelMustBeGiven() {
        session = session(true);
        createModel("site STRING, price DOUBLE", "score DOUBLE", "'model-root'='" + root() + "'");
        assertRefused(predicted("*", ""), "Missing required options");
    }

    private void assertRefused(String query, String message) {
        assertThatThrownBy(() -> session.explainSql(query))
                .isInstanceOf(ValidationException.class)
                .hasStackTraceContaining(message);
    }
}
