package io.github.flinkps.flink.table.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks by EXPLAIN which statements with {@code PS_TRAIN} are planned. */
class PsTrainPlanTest {
    private static final String CALL = "PS_TRAIN('ps.ads.ctr', clicked, site, price, w)";

    @TempDir Path folder;

    private TrainTables tables(boolean batch) {
        StreamExecutionEnvironment environment = new StreamExecutionEnvironment();
        TrainTables tables = new TrainTables(environment, batch, folder).model("");
        tables.sql.executeSql(
                "CREATE TEMPORARY TABLE clicks (ts TIMESTAMP(3), grp STRING, clicked BOOLEAN, site"
                        + " STRING, price DOUBLE, w DOUBLE, WATERMARK FOR ts AS ts) WITH"
                        + " ('connector' = 'datagen', 'number-of-rows' = '10')");
        return tables;
    }

    private static void assertRefused(TrainTables tables, String query, String method) {
        assertThatThrownBy(() -> tables.sql.explainSql(query))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("Could not find an implementation method '" + method + "'")
                .hasMessageContaining("for function 'PS_TRAIN'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HOP(INTERVAL '10' SECOND, INTERVAL '60' SECOND)",
                "CUMULATE(INTERVAL '10' SECOND, INTERVAL '60' SECOND)",
                "SESSION(INTERVAL '60' SECOND)"
            })
    void windowsWhoseResultsAreMergedAreRefused(String window) {
        assertRefused(tables(false), TrainTables.query(window, ""), "merge");
        String keyed = TrainTables.query(window, "grp, ");
        if (window.startsWith("SESSION")) {
            keyed = keyed.replace("TABLE clicks,", "TABLE clicks PARTITION BY grp,");
        }
        assertRefused(tables(false), keyed, "merge");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HOP(ts, INTERVAL '10' SECOND, INTERVAL '60' SECOND)",
                "SESSION(ts, INTERVAL '60' SECOND)"
            })
    void suchGroupsAreRefused(String window) {
        String query = "SELECT " + CALL + " FROM clicks GROUP BY " + window;
        assertRefused(tables(false), query, "merge");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT %s FROM (SELECT site, MAX(clicked) AS clicked, MAX(price) AS price, MAX(w)"
                        + " AS w FROM clicks GROUP BY site)",
                "SELECT %s FROM (SELECT clicked, site, price, w FROM (SELECT *, ROW_NUMBER() OVER"
                        + " (PARTITION BY site ORDER BY ts DESC) AS n FROM clicks) WHERE n = 1)",
                "SELECT %s OVER (ORDER BY ts ROWS BETWEEN 9 PRECEDING AND CURRENT ROW) FROM clicks"
            })
    void rowsThatAreTakenAgainAreRefused(String query) {
        assertRefused(tables(false), query.formatted(CALL), "retract");
    }

    /** The planner, which looks for a merge before it plans two phases, takes one. */
    @ParameterizedTest
    @CsvSource({"false, TWO_PHASE", "true, TWO_PHASE", "false, AUTO", "true, AUTO"})
    void thereIsOnePhaseWhateverIsAskedFor(boolean batch, String phases) {
        TrainTables tables = tables(batch);
        tables.sql.getConfig().set("table.optimizer.agg-phase-strategy", phases);
        tables.sql.getConfig().set("table.exec.mini-batch.enabled", "true");
        tables.sql.getConfig().set("table.exec.mini-batch.allow-latency", "1 s");
        tables.sql.getConfig().set("table.exec.mini-batch.size", "100");
        for (String query :
                new String[] {
                    TrainTables.tumbling(""),
                    TrainTables.tumbling("grp, "),
                    "SELECT grp, " + CALL + " FROM clicks GROUP BY grp"
                }) {
            assertThat(tables.sql.explainSql(query))
                    .contains("PS_TRAIN(")
                    .doesNotContain("Local")
                    .doesNotContain("Global");
            String mergeable = query.replaceAll("PS_TRAIN\\([^)]*\\)", "PS_AUC(price, clicked)");
            mergeable = mergeable.replaceAll("t\\.row_count.* FROM \\(SELECT", "t FROM (SELECT");
            assertThat(tables.sql.explainSql(mergeable).contains("Local")).as(phases).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PS_TRAIN('ads.cvr', TRUE, 'a', 1, 1) | there is no model ads.cvr in",
                "PS_TRAIN('ps.ads.cvr', TRUE, 'a', 1, 1) | database 'ads' has [ctr]",
                "PS_TRAIN('ads.ctr', TRUE, 'a', 1) | PS_TRAIN: model ads.ctr: it has 4 columns"
                        + " (clicked, site, price, w), but 3 are given",
                "PS_TRAIN('ads.ctr', 'yes', 'a', 1, 1) | label 'clicked' must be BOOLEAN",
                "PS_TRAIN('ads.ctr', TRUE, 1, 1, 1) | feature 'site' must be STRING",
                "PS_TRAIN('ads.ctr', TRUE, 'a', 'b', 1) | feature 'price' must be DOUBLE",
                "PS_TRAIN('ads.ctr', TRUE, 'a', 1, 'w') | weight 'w' must be DOUBLE",
                "PS_TRAIN(site, TRUE, 'a', 1, 1) | PS_TRAIN: the first argument must be the name of"
                        + " a model, a literal"
            })
    void callsThatDoNotFitAreRefusedWhenValidated(String call, String message) {
        TrainTables tables = tables(false);
        assertThatThrownBy(() -> tables.sql.explainSql("SELECT " + call + " FROM clicks"))
                .isInstanceOf(ValidationException.class)
                .hasStackTraceContaining(message);
    }

    @Test
    void typesMayBeOthersThatMeanTheSame() {
        assertThat(
                        tables(false)
                                .sql
                                .explainSql(
                                        "SELECT PS_TRAIN('ads.ctr', 1, CAST('a' AS CHAR(1)), NULL,"
                                                + " CAST(1 AS DECIMAL(3, 1))) FROM clicks"))
                .contains("PS_TRAIN(");
    }
}
