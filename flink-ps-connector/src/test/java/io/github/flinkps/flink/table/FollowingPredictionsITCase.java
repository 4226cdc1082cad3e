package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.TestingFeed;
import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Predictions of a query that goes on, while the model becomes another. */
@Timeout(180)
class FollowingPredictionsITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final String SOON = "'refresh-interval'='20 ms'";
    private static final List<Row> FIRST =
            List.of(Row.of(1, .5, "a"), Row.of(0, 2., "b"), Row.of(1, 9., "a"));
    private static final List<Row> SECOND = List.of(Row.of(1, 1., "b"), Row.of(1, 2., "b"));
    private static final List<Row> THIRD = List.of(Row.of(0, 1., "a"), Row.of(0, 3., "c"));

    @TempDir Path folder;
    private StreamTableEnvironment sql;

    @BeforeEach
    void declare() {
        sql = session();
        sql.executeSql("CREATE DATABASE ads");
        for (String model : List.of("ctr", "twin")) {
            sql.executeSql(
                    "CREATE TABLE ads."
                            + model
                            + " (clicked INT, price DOUBLE, site STRING)"
                            + " WITH ('label'='clicked', 'batch-size'='1')");
        }
    }

    private StreamTableEnvironment session() {
        StreamTableEnvironment made = new ModelTables(CLUSTER.environment(1), folder, false).sql;
        made.executeSql(
                "CREATE CATALOG ps WITH ('type'='flink-ps', 'model-root'='" + folder + "')");
        made.executeSql("USE CATALOG ps");
        made.executeSql("LOAD MODULE ps WITH ('model-root'='" + folder + "', " + SOON + ")");
        return made;
    }

    private void train(String model, List<Row> clicks) throws Exception {
        ModelTables.await(
                sql.executeSql(
                        "INSERT INTO ads."
                                + model
                                + " VALUES "
                                + clicks.stream()
                                        .map(
                                                row ->
                                                        "(%s, %se0, '%s')"
                                                                .formatted(
                                                                        row.getField(0),
                                                                        row.getField(1),
                                                                        row.getField(2)))
                                        .collect(Collectors.joining(", "))));
    }

    /** Trains a model with rows of a feed. */
    private JobClient train(TestingFeed<Row> clicks) {
        StreamExecutionEnvironment environment = CLUSTER.environment(1);
        StreamTableEnvironment trainer = new ModelTables(environment, folder, false).sql;
        trainer.executeSql(
                "CREATE CATALOG ps WITH ('type'='flink-ps', 'model-root'='" + folder + "')");
        trainer.createTemporaryView(
                "clicks",
                environment.fromSource(
                        clicks,
                        WatermarkStrategy.noWatermarks(),
                        "clicks",
                        Types.ROW_NAMED(
                                new String[] {"clicked", "price", "site"},
                                Types.INT,
                                Types.DOUBLE,
                                Types.STRING)));
        return trainer.executeSql("INSERT INTO ps.ads.ctr SELECT * FROM clicks")
                .getJobClient()
                .orElseThrow();
    }

    private static <T> TestingFeed<T> feed() {
        return new TestingFeed<>(UUID.randomUUID().toString());
    }

    private static void give(TestingFeed<Row> feed, List<Row> rows) {
        rows.forEach(row -> feed.give(0, row));
    }

    /** The questions and answers while a query runs. */
    private final class Conversation implements AutoCloseable {
        private final TestingFeed<String> sites = feed();
        private final CloseableIterator<Row> answers;

        /**
         * @param query of rows (price, site, table_name, key, proc) of {@code asked}
         */
        Conversation(String query) {
            StreamExecutionEnvironment environment = CLUSTER.environment(1);
            StreamTableEnvironment asking = new ModelTables(environment, folder, false).sql;
            asking.createTemporaryView(
                    "sites",
                    environment.fromSource(
                            sites, WatermarkStrategy.noWatermarks(), "sites", Types.STRING));
            asking.executeSql(
                    "CREATE TEMPORARY VIEW asked AS SELECT 1e0 AS price, f0 AS site, 'bias' AS"
                            + " table_name, CAST(0 AS BIGINT) AS key, PROCTIME() AS proc"
                            + " FROM sites");
            asking.executeSql(
                    "CREATE CATALOG ps WITH ('type'='flink-ps', 'model-root'='" + folder + "')");
            asking.executeSql("LOAD MODULE ps WITH ('model-root'='" + folder + "', " + SOON + ")");
            answers = asking.executeSql(query).collect();
        }

        Row ask(String site) {
            sites.give(0, site);
            return answers.next();
        }

        void awaitAnswer(String site, Row expected) throws Exception {
            Polling.await(
                    site + " is never answered with " + expected, () -> ask(site).equals(expected));
        }

        @Override
        public void close() throws Exception {
            answers.close();
        }
    }

    private static String lookUp(String table, String alias, String options, String... columns) {
        return " JOIN ps.ads.`ctr$"
                + table
                + "` /*+ OPTIONS("
                + options
                + ") */ FOR SYSTEM_TIME AS OF a.proc AS "
                + alias
                + " ON "
                + Stream.of(columns)
                        .map(column -> alias + "." + column + " = a." + column)
                        .collect(Collectors.joining(" AND "));
    }

    private static String predictions(String alias, String options) {
        return lookUp("predictions", alias, options, "price", "site");
    }

    /** Returns of the newest version of a model its score, twice, and its bias. */
    private Row answer(String model, String site) throws Exception {
        try (CloseableIterator<Row> rows =
                sql.executeSql(
                                "SELECT s, s, b FROM (SELECT PS_PREDICT('ads."
                                        + model
                                        + "', 1e0, '"
                                        + site
                                        + "') AS s, `values`[1] AS b FROM ads.`"
                                        + model
                                        + "$params` WHERE table_name = 'bias')")
                        .collect()) {
            return rows.next();
        }
    }

    private List<ModelVersion> versions() {
        return new ModelRoot(folder.toString()).versions("ads", "ctr");
    }

    private boolean isServed() throws IOException {
        return !ServiceRegistry.live(folder + "/ads/ctr", System.currentTimeMillis()).isEmpty();
    }

    /** The twin is trained with the same rows, one job after the other. */
    @Test
    void theyComeFromTheJobThatTrainsAndThenFromItsVersion() throws Exception {
        train("ctr", FIRST);
        train("twin", FIRST);
        try (Conversation query =
                new Conversation(
                        "SELECT PS_PREDICT('ads.ctr', a.price, a.site), p.score, b.`values`[1]"
                                + " FROM asked AS a"
                                + predictions("p", SOON)
                                + lookUp("params", "b", SOON, "table_name", "key"))) {
            assertThat(query.ask("b")).isEqualTo(answer("twin", "b"));

            TestingFeed<Row> clicks = feed();
            JobClient training = train(clicks);
            give(clicks, SECOND);
            train("twin", SECOND);
            query.awaitAnswer("b", answer("twin", "b"));
            assertThat(versions()).hasSize(1);
            Row asked = answer("ctr", "a"); // by another job
            assertThat(asked.getField(0)).isEqualTo(query.ask("a").getField(0));
            assertThat(asked.getField(2)).isNotEqualTo(query.ask("a").getField(2));

            give(clicks, THIRD);
            clicks.end();
            train("twin", THIRD);
            training.getJobExecutionResult().get(60, TimeUnit.SECONDS);
            assertThat(versions()).hasSize(2);
            Polling.await("servers are left", () -> !isServed());
            query.awaitAnswer("c", answer("twin", "c")); // which nobody has asked for before
            Row published = answer("twin", "b");
            query.awaitAnswer("b", published);

            TestingFeed<Row> more = feed();
            JobClient cancelled = train(more);
            give(more, SECOND);
            Polling.await("its servers are not asked", () -> !query.ask("b").equals(published));
            LocalCluster.cancel(cancelled);
            query.awaitAnswer("b", published);
            assertThat(versions()).hasSize(2);
        }
    }

    @Test
    void newerVersionsAreTakenAsOftenAsTheIntervalSays() throws Exception {
        TestingVersions versions =
                new TestingVersions(new ModelRoot(folder.toString()), "ads", "ctr");
        String first = versions.publish(Instant.now(), 1);
        try (Conversation query =
                new Conversation(
                        "SELECT PS_PREDICT('ads.ctr', a.price, a.site), p.score, late.score,"
                                + " chosen.score FROM asked AS a"
                                + predictions("p", SOON)
                                + predictions("late", "'refresh-interval'='1 d'")
                                + predictions("chosen", SOON + ", 'version'='" + first + "'"))) {
            double one = probability(1);
            double two = probability(2);
            double three = probability(3);
            assertThat(query.ask("a")).isEqualTo(Row.of(one, one, one, one));
            versions.publish(Instant.now(), 2);
            query.awaitAnswer("a", Row.of(two, two, one, one));

            // One that cannot be loaded is passed over.
            versions.publish(Instant.now(), 2);
            Path damaged = Path.of(versions.newest().directory(), "manifest.json");
            Files.writeString(damaged, Files.readString(damaged).replace("algorithm", "al"));
            assertThat(IntStream.range(0, 50).mapToObj(i -> query.ask("a")))
                    .containsOnly(Row.of(two, two, one, one));
            versions.publish(Instant.now(), 3);
            query.awaitAnswer("a", Row.of(three, three, one, one));
        }
    }

    private static double probability(double z) {
        return (float) (1 / (1 + Math.exp(-z)));
    }
}
