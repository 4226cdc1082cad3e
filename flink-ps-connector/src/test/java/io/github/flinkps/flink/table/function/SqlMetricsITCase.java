package io.github.flinkps.flink.table.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.SqlPage;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The measures in SQL, against the plainest computation over random rows. */
@Timeout(120)
class SqlMetricsITCase {
    private static final String MEASURES =
            " PS_AUC(score, label), PS_LOGLOSS(score, label), PS_RMSE(score, label),"
                    + " PS_AUC(score, label, weight), PS_LOGLOSS(score, label, weight),"
                    + " PS_RMSE(score, label, weight), PS_PRECISION_AT(score, label, 5),"
                    + " PS_NDCG_AT(score, label, 5), PS_ACCURACY(score, label) ";
    private static final TypeInformation<Row> ROW =
            Types.ROW_NAMED(
                    new String[] {"grp", "ts", "score", "label", "weight"},
                    Types.STRING,
                    Types.LOCAL_DATE_TIME,
                    Types.DOUBLE,
                    Types.INT,
                    Types.DOUBLE);
    private static final Schema SCHEMA =
            Schema.newBuilder()
                    .column("grp", "STRING")
                    .column("ts", "TIMESTAMP(3)")
                    .column("score", "DOUBLE")
                    .column("label", "INT")
                    .column("weight", "DOUBLE")
                    .watermark("ts", "ts - INTERVAL '60' SECOND")
                    .build();

    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private StreamExecutionEnvironment env = CLUSTER.environment(2);
    private StreamTableEnvironment tables;

    private void open(String mode, String phases) {
        EnvironmentSettings.Builder settings = EnvironmentSettings.newInstance();
        boolean batch = mode.equals("batch");
        tables =
                StreamTableEnvironment.create(
                        env, (batch ? settings.inBatchMode() : settings.inStreamingMode()).build());
        tables.getConfig().set("table.optimizer.agg-phase-strategy", phases);
        if (!batch && phases.equals("TWO_PHASE")) {
            tables.getConfig().set("table.exec.mini-batch.enabled", "true");
            tables.getConfig().set("table.exec.mini-batch.allow-latency", "100 ms");
            tables.getConfig().set("table.exec.mini-batch.size", "50");
        }
        tables.executeSql("LOAD MODULE ps");
    }

    private static Row row(RowKind kind, Prediction row) {
        LocalDateTime time =
                LocalDateTime.ofInstant(Instant.ofEpochMilli(row.millis()), ZoneOffset.UTC);
        return Row.ofKind(kind, row.group(), time, row.score(), row.label(), row.weight());
    }

    private void insertOnly(List<Prediction> rows) {
        List<Row> inserts = rows.stream().map(row -> row(RowKind.INSERT, row)).toList();
        tables.createTemporaryView(
                "predictions", tables.fromDataStream(env.fromData(inserts, ROW), SCHEMA));
    }

    /** The rows that a changing table holds at its end, by the columns before the measures. */
    private Map<List<Object>, List<Double>> measured(String sql, int keys) throws Exception {
        Map<List<Object>, List<Double>> results = new HashMap<>();
        try (CloseableIterator<Row> changes = tables.executeSql(sql).collect()) {
            while (changes.hasNext()) {
                Row change = changes.next();
                List<Object> key = new ArrayList<>();
                List<Double> measures = new ArrayList<>();
                for (int i = 0; i < change.getArity(); i++) {
                    if (i < keys) {
                        key.add(change.getField(i));
                    } else {
                        measures.add((Double) change.getField(i));
                    }
                }
                if (change.getKind() == RowKind.INSERT
                        || change.getKind() == RowKind.UPDATE_AFTER) {
                    results.put(key, measures);
                } else {
                    results.remove(key);
                }
            }
        }
        return results;
    }

    private void assertSame(List<Double> actual, List<Prediction> rows) {
        List<Double> expected = Prediction.measures(rows);
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            if (expected.get(i) == null) {
                assertThat(actual.get(i)).as("%d, seed %d", i, seed).isNull();
            } else {
                assertThat(actual.get(i))
                        .as("%d, seed %d", i, seed)
                        .isCloseTo(expected.get(i), within(1e-12));
            }
        }
    }

    private static List<Prediction> select(List<Prediction> rows, Predicate<Prediction> condition) {
        return rows.stream().filter(condition).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "batch, ONE_PHASE",
        "batch, TWO_PHASE",
        "streaming, ONE_PHASE",
        "streaming, TWO_PHASE"
    })
    void measureGroups(String mode, String phases) throws Exception {
        open(mode, phases);
        List<Prediction> rows = Prediction.random(random, 300);
        insertOnly(rows);
        String sql = "SELECT grp," + MEASURES + "FROM predictions GROUP BY grp";
        assertThat(tables.explainSql(sql).contains("Local")).isEqualTo(phases.equals("TWO_PHASE"));
        Map<List<Object>, List<Double>> results = measured(sql, 1);
        assertThat(results).as("seed %d", seed).hasSameSizeAs(Prediction.GROUPS);
        for (String group : Prediction.GROUPS) {
            assertSame(results.get(List.of(group)), select(rows, row -> row.group().equals(group)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ONE_PHASE", "TWO_PHASE"})
    void followUpdatesAndDeletions(String phases) throws Exception {
        open("streaming", phases);
        List<Prediction> left = new ArrayList<>();
        List<Row> changes = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            Prediction next = Prediction.random(random);
            if (!left.isEmpty() && random.nextInt(3) > 0) {
                Prediction old = left.remove(random.nextInt(left.size()));
                boolean update = random.nextBoolean();
                changes.add(row(update ? RowKind.UPDATE_BEFORE : RowKind.DELETE, old));
                if (update) {
                    left.add(next);
                    changes.add(row(RowKind.UPDATE_AFTER, next));
                }
            } else {
                left.add(next);
                changes.add(row(RowKind.INSERT, next));
            }
        }
        DataStream<Row> stream = env.fromData(changes, ROW).setParallelism(1);
        tables.createTemporaryView("predictions", tables.fromChangelogStream(stream, SCHEMA));
        Map<List<Object>, List<Double>> results =
                measured("SELECT grp," + MEASURES + "FROM predictions GROUP BY grp", 1);
        for (String group : Prediction.GROUPS) {
            List<Prediction> rows = select(left, row -> row.group().equals(group));
            if (rows.isEmpty()) {
                assertThat(results).as("seed %d", seed).doesNotContainKey(List.of(group));
            } else {
                assertSame(results.get(List.of(group)), rows);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"10, ONE_PHASE", "10, TWO_PHASE", "5, ONE_PHASE", "5, TWO_PHASE"})
    void measureWindows(int slideSeconds, String phases) throws Exception {
        open("streaming", phases);
        List<Prediction> rows = Prediction.random(random, 300);
        insertOnly(rows);
        String window =
                slideSeconds == 10
                        ? "TUMBLE(TABLE predictions, DESCRIPTOR(ts), INTERVAL '10' SECOND)"
                        : "HOP(TABLE predictions, DESCRIPTOR(ts), INTERVAL '5' SECOND,"
                                + " INTERVAL '10' SECOND)";
        Map<List<Object>, List<Double>> results =
                measured(
                        "SELECT grp, window_start, window_end,"
                                + MEASURES
                                + "FROM TABLE("
                                + window
                                + ") GROUP BY grp, window_start, window_end",
                        3);
        assertThat(results).hasSizeGreaterThan(60 / slideSeconds);
        results.forEach((key, measures) -> assertSame(measures, inWindow(rows, key)));
    }

    /** Windows that merge. */
    @Test
    void measureSessions() throws Exception {
        open("streaming", "AUTO");
        List<Prediction> rows = Prediction.random(random, 100);
        insertOnly(rows);
        Map<List<Object>, List<Double>> results =
                measured(
                        "SELECT grp, SESSION_START(ts, INTERVAL '1' SECOND) AS s,"
                                + " SESSION_END(ts, INTERVAL '1' SECOND) AS e,"
                                + MEASURES
                                + "FROM predictions GROUP BY grp, SESSION(ts, INTERVAL '1' SECOND)",
                        3);
        assertThat(results).hasSizeGreaterThan(3);
        results.forEach((key, measures) -> assertSame(measures, inWindow(rows, key)));
    }

    private static List<Prediction> inWindow(List<Prediction> rows, List<Object> key) {
        long start = ((LocalDateTime) key.get(1)).toInstant(ZoneOffset.UTC).toEpochMilli();
        long end = ((LocalDateTime) key.get(2)).toInstant(ZoneOffset.UTC).toEpochMilli();
        return select(
                rows,
                row ->
                        row.group().equals(key.get(0))
                                && row.millis() >= start
                                && row.millis() < end);
    }

    /** Flink's client changes the mode within a session, for which a new one stands here. */
    @Test
    void thePageShowsWhatItsStatementsPrint() throws Exception {
        Iterator<String> modes = List.of("batch", "streaming").iterator();
        SqlPage.of("sql-metrics.md")
                .run(
                        () -> {
                            env = CLUSTER.environment(1);
                            boolean first = tables == null;
                            open(modes.next(), "AUTO");
                            if (first) {
                                tables.executeSql("UNLOAD MODULE ps");
                            }
                            return tables;
                        });
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT, TINYINT, SMALLINT",
        "'DECIMAL(6, 3)', BIGINT, 'DECIMAL(4, 1)'",
        "INT, 'DECIMAL(3, 0)', FLOAT",
        "DOUBLE, FLOAT, BIGINT"
    })
    void takeAnyNumbers(String score, String label, String weight) throws Exception {
        open("batch", "AUTO");
        String values = "(VALUES (1, 1, 2), (1, 0, 1), (0, 0, 3)) AS t(s, l, w)";
        String arguments =
                "(CAST(s AS %s), CAST(l AS %s), CAST(w AS %s))".formatted(score, label, weight);
        assertThat(
                        measured(
                                "SELECT PS_AUC"
                                        + arguments
                                        + ", PS_RMSE"
                                        + arguments
                                        + " FROM "
                                        + values,
                                0))
                .containsEntry(List.of(), List.of(7 / 8.0, Math.sqrt(1 / 6.0)));
    }

    @Test
    void takeTruthsAndNothing() throws Exception {
        open("streaming", "AUTO");
        String values = "(VALUES (0.75, TRUE), (0.5, FALSE), (0.25, CAST(NULL AS BOOLEAN)))";
        assertThat(
                        measured(
                                        "SELECT ps_auc(s, l), ps_logloss(s, l), PS_RMSE(s, NULL)"
                                                + " FROM "
                                                + values
                                                + " AS t(s, l)",
                                        0)
                                .get(List.of()))
                .hasSize(3)
                .startsWith(1.0)
                .endsWith((Double) null);
        assertThat(
                        measured(
                                        "SELECT PS_AUC(s, l) FROM "
                                                + values
                                                + " AS t(s, l) WHERE s > 1",
                                        0)
                                .values())
                .allSatisfy(measures -> assertThat(measures.get(0)).isNull());
    }

    @Test
    void measureDistinctAndFilteredRowsAndRowsBefore() throws Exception {
        open("streaming", "AUTO");
        List<Prediction> rows = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            rows.add(new Prediction("a", 1 + i, random.nextDouble(), i % 2, 1.0));
        }
        insertOnly(rows);
        Map<List<Object>, List<Double>> results =
                measured(
                        "SELECT ts, PS_AUC(score, label) OVER w FROM predictions WINDOW w AS"
                                + " (ORDER BY ts ROWS BETWEEN 9 PRECEDING AND CURRENT ROW)",
                        1);
        assertThat(results).hasSize(30);
        for (int i = 0; i < 30; i++) {
            Double expected = Prediction.measures(rows.subList(Math.max(0, i - 9), i + 1)).get(0);
            Row row = row(RowKind.INSERT, rows.get(i));
            assertThat(results.get(List.of(row.getField(1))).get(0))
                    .as("seed %d", seed)
                    .isEqualTo(expected);
        }
        String distinct =
                MEASURES.replace("(score", "(DISTINCT score")
                        .replace(")", ") FILTER (WHERE score < 0.5)");
        String twice = " FROM (SELECT * FROM predictions UNION ALL SELECT * FROM predictions)";
        assertSame(
                measured("SELECT" + distinct + twice, 0).get(List.of()),
                select(rows, row -> row.score() < 0.5));
    }

    @Test
    void takeClasses() throws Exception {
        open("batch", "AUTO");
        String values =
                "(VALUES (ARRAY[0.5, 0.25, 0.25], 0, 'red', CAST('red' AS CHAR(3)), 1),"
                        + " (ARRAY[0.5, 0.25, 0.25], 2, 'red', 'sky', 3)) AS t(p, n, said, is, w)";
        assertThat(
                        measured(
                                        "SELECT PS_LOGLOSS(p, n), PS_LOGLOSS(p, n, w),"
                                                + " PS_ACCURACY(said, `is`),"
                                                + " PS_ACCURACY(said, `is`, w),"
                                                + " PS_ACCURACY(n = 2, n - 1) FROM "
                                                + values.replace("is, w)", "`is`, w)"),
                                        0)
                                .get(List.of()))
                .containsExactly(1.5 * Math.log(2), 1.75 * Math.log(2), 0.5, 0.25, 0.5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PS_AUC(name, 1) | PS_AUC: argument 'score' must be numeric, but is of type",
                "PS_AUC(0.5, name) | PS_AUC: argument 'label' must be numeric or BOOLEAN, but is",
                "PS_AUC(0.5, 1, TRUE) | PS_AUC: argument 'weight' must be numeric, but is of type",
                "PS_LOGLOSS(TRUE, 1) | PS_LOGLOSS: argument 'score' must be numeric or an ARRAY of",
                "PS_RMSE(name, 1) | PS_RMSE: argument 'prediction' must be numeric, but is of type",
                "PS_RMSE(0.5, TRUE) | PS_RMSE: argument 'label' must be numeric, but is of type",
                "PS_LOGLOSS(ARRAY['a'], 1) | PS_LOGLOSS: argument 'score' must be numeric or an",
                "PS_ACCURACY(name, 1) | PS_ACCURACY: arguments 'prediction' and 'label' must both",
                "PS_ACCURACY(1, DATE '2026-01-01') | 'label' must be numeric, BOOLEAN or STRING,"
                        + " but",
                "PS_NDCG_AT(0.5, 1) | PS_NDCG_AT(score numeric, label numeric or BOOLEAN, k"
                        + " numeric)",
                "PS_PRECISION_AT(0.5, 1, name) | PS_PRECISION_AT: argument 'k' must be numeric,"
                        + " but",
                "PS_AUC(0.5) | PS_AUC(score numeric, label numeric or BOOLEAN)",
                "PS_AUC(0.5, 1, 1, 1) | PS_AUC(score numeric, label numeric or BOOLEAN, weight"
            })
    void argumentsAreValidated(String call, String message) {
        open("streaming", "AUTO");
        assertThatThrownBy(
                        () -> tables.explainSql("SELECT " + call + " FROM (VALUES 'x') AS t(name)"))
                .isInstanceOf(ValidationException.class)
                .hasStackTraceContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PS_AUC(0.5, n) | PS_AUC: label must be 0, 1 or -1, but a row has 3.0",
                "PS_LOGLOSS(n, 1) | PS_LOGLOSS: score must be a probability between 0 and 1",
                "PS_RMSE(n, 1, -n) | PS_RMSE: weight must be a finite number from 0 on, but"
            })
    void rowsThatCannotBeMeasuredFailTheJob(String call, String message) {
        open("batch", "AUTO");
        assertThatThrownBy(() -> measured("SELECT " + call + " FROM (VALUES 3) AS t(n)", 0))
                .hasStackTraceContaining(message);
    }
}
