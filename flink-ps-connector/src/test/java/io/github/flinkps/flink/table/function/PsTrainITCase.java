package io.github.flinkps.flink.table.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.flink.table.function.PlainLogistic.Click;
import io.github.flinkps.flink.testing.EndlessNumbers;
import io.github.flinkps.flink.testing.NotedMap;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.TestingFailures;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.Polling;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.CompiledPlan;
import org.apache.flink.table.api.PlanReference;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code PS_TRAIN} in jobs. */
@Timeout(120)
class PsTrainITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final int WINDOW = TrainTables.WINDOW;
    private static final double RATE = .5;

    private final long seed = System.nanoTime();
    @TempDir Path folder;

    private List<Click> clicks(int count) {
        return Click.random(new Random(seed), count);
    }

    private TrainTables tables(List<Click> clicks, boolean batch, String options) {
        StreamExecutionEnvironment environment = CLUSTER.environment(1);
        return new TrainTables(environment, batch, folder)
                .model(options)
                .clicks(environment, clicks);
    }

    /** Windows are of whole mini-batches, so that these train in the order of rows. */
    @ParameterizedTest
    @CsvSource({"1, false", "20, false", "1000, false", "1000, true"})
    void measuresOfAWindowAreThoseOfALoopThatScoresBeforeItTrains(int batchSize, boolean batch)
            throws Exception {
        List<Click> clicks = clicks(4 * WINDOW);
        List<Row> results =
                tables(clicks, batch, ", 'batch-size' = '" + batchSize + "'")
                        .run(TrainTables.tumbling(""));
        assertThat(results).hasSize(4);
        PlainLogistic plain = new PlainLogistic(RATE);
        for (int window = 0; window < 4; window++) {
            int end = (window + 1) * WINDOW;
            for (int from = window * WINDOW; from < end; from += batchSize) {
                plain.train(clicks.subList(from, Math.min(end, from + batchSize)));
            }
            Row row = results.get(window);
            double[] expected = plain.measures();
            assertThat(row.getField(0)).isEqualTo(TrainTables.START.plusSeconds(end - WINDOW));
            assertThat(row.getField(1)).isEqualTo((long) WINDOW);
            String what = "seed " + seed + " window " + window;
            assertThat((Double) row.getField(2)).as(what).isCloseTo(expected[0], within(1e-5));
            assertThat((Double) row.getField(3)).as(what).isCloseTo(expected[1], within(1e-3));
            assertThat((Double) row.getField(4)).as(what).isCloseTo(expected[0], within(1e-5));
        }
    }

    @Test
    void whatIsLeftOfAWindowTrainsWithItsResult() throws Exception {
        List<Click> clicks = clicks(WINDOW);
        List<Row> results = tables(clicks, false, "").run(TrainTables.tumbling(""));
        assertThat(results).hasSize(1);
        PlainLogistic plain = new PlainLogistic(RATE);
        plain.train(clicks);
        assertThat(results.get(0).getField(1)).isEqualTo((long) WINDOW);
        assertThat((Double) results.get(0).getField(2))
                .as("seed %d", seed)
                .isCloseTo(plain.measures()[0], within(1e-5))
                .isCloseTo(Math.log(2), within(1e-5));
    }

    /** A result a row: each is a mini-batch of its own, and none trains twice. */
    @Test
    void aGroupWithoutWindowsTrainsRowByRow() throws Exception {
        List<Click> clicks = clicks(50);
        List<Row> results =
                tables(clicks, false, "")
                        .run(
                                "SELECT t.row_count, t.logloss FROM (SELECT PS_TRAIN('ads.ctr', "
                                        + TrainTables.COLUMNS
                                        + ") AS t FROM clicks)");
        PlainLogistic plain = new PlainLogistic(RATE);
        clicks.forEach(row -> plain.train(List.of(row)));
        double expected = plain.measures()[0];
        assertThat(results)
                .anySatisfy(
                        row -> {
                            assertThat(row.getField(0)).isEqualTo(50L);
                            assertThat((Double) row.getField(1))
                                    .as("seed %d", seed)
                                    .isCloseTo(expected, within(1e-5));
                        })
                .allSatisfy(row -> assertThat((Long) row.getField(0)).isLessThanOrEqualTo(50));
    }

    @Test
    void aStatementGoesOnFromTheVersionOfTheOneBefore() throws Exception {
        List<Click> clicks = clicks(2 * WINDOW);
        PlainLogistic plain = new PlainLogistic(RATE);
        TrainTables tables = tables(clicks, false, ", 'batch-size' = '20'");
        for (int run = 1; run <= 2; run++) {
            List<Row> results = tables.run(TrainTables.tumbling(""));
            for (Row row : results) {
                int from = results.indexOf(row) * WINDOW;
                for (int at = from; at < from + WINDOW; at += 20) {
                    plain.train(clicks.subList(at, at + 20));
                }
                assertThat((Double) row.getField(2))
                        .as("seed %d run %d", seed, run)
                        .isCloseTo(plain.measures()[0], within(1e-5));
            }
            assertThat(tables.versions()).hasSize(run);
        }
        tables.sql.executeSql("CALL ps.sys.reset_model('ads.ctr')").await();
        PlainLogistic anew = new PlainLogistic(RATE);
        anew.train(clicks.subList(0, 20));
        anew.train(clicks.subList(20, 40));
        anew.train(clicks.subList(40, 60));
        assertThat((Double) tables.run(TrainTables.tumbling("")).get(0).getField(2))
                .as("seed %d", seed)
                .isCloseTo(anew.measures()[0], within(1e-5));
    }

    @Test
    void aVersionThatCannotBeGoneOnFromIsRefusedWhenValidated() throws Exception {
        TrainTables tables = tables(clicks(WINDOW), false, "");
        tables.run(TrainTables.tumbling(""));
        Path version = Path.of(URI.create(tables.versions().get(0).directory()));
        Path manifest = version.resolve("manifest.json");
        String written = Files.readString(manifest);
        Files.writeString(
                manifest,
                written.replaceFirst("\"formatVersion\" ?: ?\\d+", "\"formatVersion\":99"));
        assertRefused(tables, "newer");
    }

    private static void assertRefused(TrainTables tables, String message) {
        assertThatThrownBy(() -> tables.sql.explainSql(TrainTables.tumbling("")))
                .isInstanceOf(ValidationException.class)
                .hasStackTraceContaining("PS_TRAIN: model ads.ctr: ")
                .hasStackTraceContaining(message);
    }

    @Test
    void savesAtTheEndOfWindowsOncePerSaveInterval() throws Exception {
        TrainTables tables = tables(clicks(3 * WINDOW), false, ", 'save-interval' = '1 ms'");
        assertThat(tables.run(TrainTables.tumbling(""))).hasSize(3);
        assertThat(tables.versions()).hasSizeGreaterThan(1);
        assertThat(tables.run("SELECT version, parameters FROM ps.ads.`ctr$versions`"))
                .hasSameSizeAs(tables.versions());
    }

    @Test
    void badRowsAreSkippedOrFailTheJob() throws Exception {
        List<Click> clicks = clicks(WINDOW);
        clicks.set(7, new Click(7, "g", null, "s", 1.0, 1.0));
        clicks.set(8, new Click(8, "g", true, "s", 1.0, -1.0));
        TrainTables tables = tables(clicks, false, ", 'on-bad-row' = 'skip'");
        assertThat(tables.run(TrainTables.tumbling("")).get(0).getField(1)).isEqualTo(WINDOW - 2L);
        tables.sql.executeSql("ALTER TABLE ps.ads.ctr SET ('on-bad-row' = 'fail')");
        assertThatThrownBy(() -> tables.run(TrainTables.tumbling("")))
                .hasStackTraceContaining("PS_TRAIN: label column 'clicked': NULL is no label");
    }

    /** Scores of other models are measured as far as they can be. */
    @ParameterizedTest
    @ValueSource(strings = {"linear-svm", "linear-regression"})
    void algorithmsWithoutProbabilitiesHaveALoss(String algorithm) throws Exception {
        TrainTables tables = tables(clicks(WINDOW), false, ", 'algorithm' = '" + algorithm + "'");
        Row row = tables.run(TrainTables.tumbling("")).get(0);
        assertThat(row.getField(2)).isNull();
        assertThat(row.getField(3) == null).isEqualTo(algorithm.equals("linear-regression"));
        assertThat((Double) row.getField(4)).isGreaterThan(0);
    }

    /** Two subtasks train on servers that run already. */
    @Test
    void severalSubtasksTrainOneModelOnServers() throws Exception {
        try (ParameterServer server = ParameterServer.start(ServerConfig.defaults())) {
            StreamExecutionEnvironment environment = CLUSTER.environment(2);
            TrainTables tables =
                    new TrainTables(
                                    environment,
                                    false,
                                    folder,
                                    ", 'remote' = '" + server.address() + "'")
                            .model(", 'batch-size' = '8'")
                            .clicks(environment, clicks(20 * WINDOW));
            double before = Double.MAX_VALUE;
            for (int run = 1; run <= 2; run++) {
                List<Row> results = tables.run(TrainTables.tumbling("grp, "));
                assertThat(results).hasSize(60);
                assertThat(results.stream().mapToLong(row -> (long) row.getField(2)).sum())
                        .isEqualTo(20L * WINDOW);
                double all = logloss(results); // of the same rows in both
                assertThat(all).as("seed %d run %d", seed, run).isLessThan(before);
                before = all;
                assertThat(tables.versions()).hasSize(run);
            }
        }
    }

    private static double logloss(List<Row> results) {
        return results.stream()
                .mapToDouble(row -> (double) row.getField(3))
                .average()
                .orElseThrow();
    }

    /**
     * One subtask may have ended in batch mode when the next begins, and has saved a version then.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void severalSubtasksOfAProcessShareOneModelWithoutServers(boolean batch) throws Exception {
        StreamExecutionEnvironment environment = CLUSTER.environment(2);
        TrainTables tables =
                new TrainTables(environment, batch, folder)
                        .model(", 'batch-size' = '8'")
                        .clicks(environment, Click.random(new Random(7), 20 * WINDOW));
        List<Row> results = tables.run(TrainTables.tumbling("grp, "));
        assertThat(results).hasSize(60);
        assertThat(logloss(results.subList(30, 60))).isLessThan(Math.log(2));
        assertThat(tables.versions()).hasSizeBetween(1, batch ? 2 : 1);
    }

    /**
     * A stream without end: the second job is refused, the first leaves a version when cancelled.
     */
    @Test
    void withoutServersOneJobTrainsAModel() throws Exception {
        TrainTables tables = endless(CLUSTER.environment(1));
        try (CloseableIterator<Row> results =
                tables.sql.executeSql(TrainTables.tumbling("")).collect()) {
            results.next(); // of rows that have trained
            TrainTables other = endless(CLUSTER.environment(1));
            assertThatThrownBy(() -> other.run(TrainTables.tumbling("")))
                    .hasStackTraceContaining("model 'ads.ctr' is trained elsewhere already")
                    .hasStackTraceContaining("name parameter servers (remote)");
            assertThat(tables.versions()).isEmpty();
        }
        Polling.await("no version", () -> !tables.versions().isEmpty());
    }

    private TrainTables endless(StreamExecutionEnvironment environment) {
        List<Click> clicks = clicks(100);
        return new TrainTables(environment, false, folder)
                .model(", 'timeout' = '2 s'")
                .clicks(
                        environment
                                .fromSource(
                                        new EndlessNumbers(2000),
                                        WatermarkStrategy.noWatermarks(),
                                        "numbers")
                                .map(n -> at(n, clicks), TrainTables.ROW));
    }

    private static Row at(long n, List<Click> clicks) {
        Row row = TrainTables.row(clicks.get((int) (n % clicks.size())));
        row.setField(0, TrainTables.START.plusSeconds(n));
        return row;
    }

    /** Windows count each row once; the model, which is no state of Flink's, goes on as it is. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aJobThatFailedGoesOnFromItsModel(boolean remote) throws Exception {
        int rows = 20 * WINDOW;
        List<Click> clicks = clicks(rows);
        TestingFailures failures = TestingFailures.some("train " + remote, seed, 1);
        StreamExecutionEnvironment environment = CLUSTER.environment(1);
        environment.enableCheckpointing(50);
        environment.configure(
                new Configuration()
                        .set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay")
                        .set(
                                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY,
                                Duration.ofMillis(10)));
        try (ParameterServer server = ParameterServer.start(ServerConfig.defaults())) {
            TrainTables tables =
                    new TrainTables(
                                    environment,
                                    false,
                                    folder,
                                    remote ? ", 'remote' = '" + server.address() + "'" : "")
                            .model(", 'batch-size' = '7'");
            DataGeneratorSource<Long> numbers =
                    new DataGeneratorSource<>(
                            n -> n, rows, RateLimiterStrategy.perSecond(400), Types.LONG);
            NotedMap<Long, Row> map =
                    new NotedMap<>(
                            failures,
                            n -> {
                                if (n >= 3 * WINDOW) { // some rows have trained
                                    failures.before(n);
                                }
                                return TrainTables.row(clicks.get(n.intValue()));
                            });
            tables.clicks(
                    environment
                            .fromSource(numbers, WatermarkStrategy.noWatermarks(), "numbers")
                            .map(map)
                            .returns(TrainTables.ROW));
            Map<Object, Row> windows = new HashMap<>();
            tables.run(TrainTables.tumbling("")).forEach(row -> windows.put(row.getField(0), row));
            assertThat(failures.happened()).as("seed %d", seed).isEqualTo(1);
            assertThat(windows).hasSize(20);
            windows.values().forEach(row -> assertThat(row.getField(1)).isEqualTo((long) WINDOW));
            assertThat(tables.versions()).as("seed %d", seed).hasSize(2);
        }
    }

    @Test
    void aCompiledPlanTrains() throws Exception {
        TrainTables tables = tables(clicks(WINDOW), false, "");
        tables.sql.executeSql(
                "CREATE TEMPORARY TABLE rows_ (ts TIMESTAMP(3), clicked BOOLEAN, site STRING, price"
                        + " DOUBLE, w DOUBLE, WATERMARK FOR ts AS ts) WITH ('connector' ="
                        + " 'datagen', 'number-of-rows' = '100', 'fields.w.min' = '1',"
                        + " 'fields.w.max' = '2', 'fields.price.min' = '0', 'fields.price.max' ="
                        + " '1')");
        tables.sql.executeSql(
                "CREATE TEMPORARY TABLE printed (n BIGINT) WITH ('connector' = 'blackhole')");
        CompiledPlan plan =
                tables.sql.compilePlanSql(
                        "INSERT INTO printed SELECT t.row_count FROM (SELECT PS_TRAIN('ads.ctr', "
                                + TrainTables.COLUMNS
                                + ") AS t FROM TABLE(TUMBLE(TABLE rows_, DESCRIPTOR(ts), INTERVAL"
                                + " '1' DAY)) GROUP BY window_start, window_end)");
        PlanReference written = PlanReference.fromJsonString(plan.asJsonString());
        tables.sql.loadPlan(written).execute().await();
        assertThat(tables.versions()).hasSize(1);
    }
}
