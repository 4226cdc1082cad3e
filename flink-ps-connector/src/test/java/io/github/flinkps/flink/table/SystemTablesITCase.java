package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.data.FeatureHash;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CollectionUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class SystemTablesITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final Instant MORNING = Instant.parse("2026-01-31T08:00:00Z");
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    @TempDir Path folder;
    private ModelRoot root;
    private TableEnvironment sql;

    @BeforeEach
    void declare() {
        root = new ModelRoot(folder.toString());
        sql = session(false);
        sql.executeSql("CREATE DATABASE ads");
        sql.executeSql(
                "CREATE TABLE ads.ctr (clicked INT, price DOUBLE, site STRING)"
                        + " WITH ('label'='clicked', 'partitions'='2',"
                        + " 'numeric.price'='bucket(1, 2.5)')");
    }

    private TableEnvironment session(boolean batch) {
        StreamExecutionEnvironment environment = CLUSTER.environment(2);
        TableEnvironment session = new ModelTables(environment, folder, batch).sql;
        session.executeSql(
                "CREATE CATALOG ps WITH ('type' = 'flink-ps', 'model-root' = '%s')"
                        .formatted(folder));
        session.executeSql("USE CATALOG ps");
        session.getConfig().set("table.local-time-zone", "UTC");
        return session;
    }

    private static List<Row> rows(TableEnvironment session, String query) {
        return CollectionUtil.iteratorToList(session.executeSql(query).collect());
    }

    private TestingVersions versions() {
        return new TestingVersions(root, "ads", "ctr");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void showParametersOfAnyVersion(boolean batch) {
        String first = versions().publish(MORNING, 1.5f);
        versions().publish(NOON, 2.5f);
        TableEnvironment session = session(batch);
        String query = "SELECT table_name, `values`, slots FROM ads.`ctr$params`";
        assertThat(rows(session, query))
                .containsExactlyInAnyOrder(
                        Row.of("weights", new Float[] {2.5f}, null),
                        Row.of("bias", new Float[] {2.5f}, null));
        assertThat(rows(session, query + " /*+ OPTIONS('version'='" + first + "') */"))
                .containsExactlyInAnyOrder(
                        Row.of("weights", new Float[] {1.5f}, null),
                        Row.of("bias", new Float[] {1.5f}, null));
        assertThat(rows(session, query + " FOR SYSTEM_TIME AS OF TIMESTAMP '2026-01-31 11:59:59'"))
                .containsExactlyInAnyOrder(
                        Row.of("weights", new Float[] {1.5f}, null),
                        Row.of("bias", new Float[] {1.5f}, null));
        assertThatThrownBy(
                        () ->
                                rows(
                                        session,
                                        query
                                                + " FOR SYSTEM_TIME AS OF TIMESTAMP"
                                                + " '2026-01-31 07:00:00'"))
                .rootCause()
                .hasMessage("ads.ctr$params: the model had no version at 2026-01-31T07:00:00Z");
    }

    @Test
    void nameTheFeaturesThatAreKnownAndShowSlots() throws Exception {
        sql.executeSql(
                "CREATE TEMPORARY VIEW clicks AS SELECT * FROM (VALUES"
                        + " (1, 0.5, 'a'), (0, 2.0, CAST(NULL AS STRING)), (1, 9.0, 'a'))"
                        + " AS t (clicked, price, site)");
        ModelTables.await(
                sql.executeSql(
                        "INSERT INTO ads.ctr SELECT clicked, CAST(price AS DOUBLE), site FROM"
                                + " clicks"));
        List<Row> shown =
                rows(
                        sql,
                        "SELECT feature, CARDINALITY(`values`), CARDINALITY(slots), key FROM"
                                + " ads.`ctr$params` WHERE table_name = 'weights'");
        assertThat(shown)
                .containsExactlyInAnyOrder(
                        Row.of("price < 1.0", 1, 1, key("price", "#0")),
                        Row.of("price >= 1.0 AND price < 2.5", 1, 1, key("price", "#1")),
                        Row.of("price >= 2.5", 1, 1, key("price", "#2")),
                        Row.of("site IS NULL", 1, 1, key("site", "")),
                        Row.of(null, 1, 1, key("site", "a")));
        assertThat(rows(sql, "SELECT feature FROM ads.`ctr$params` WHERE table_name = 'bias'"))
                .containsExactly(Row.of((Object) null));
    }

    private static long key(String column, String value) {
        return new FeatureHash(column, 64).key(value);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void showVersions(boolean batch) {
        TableEnvironment session = session(batch);
        String query = "SELECT version, published, algorithm, parameters FROM ads.`ctr$versions`";
        assertThat(rows(session, query)).isEmpty();
        assertThat(rows(session, "SELECT * FROM ads.`ctr$params`")).isEmpty();
        String first = versions().publish(MORNING, 1);
        String second = versions().publish(NOON, 2);
        assertThat(rows(session, query))
                .containsExactly(
                        Row.of(first, MORNING, "logistic-regression", 2L),
                        Row.of(second, NOON, "logistic-regression", 2L));
        rows(session, "CALL sys.rollback_model('ads.ctr', '" + first + "')");
        assertThat(rows(session, "SELECT facts['copy-of'] FROM ads.`ctr$versions`"))
                .containsExactly(
                        Row.of((Object) null), Row.of((Object) null), Row.of((Object) first));
    }

    @Test
    void showServersOfJobsThatTrain() throws Exception {
        assertThat(rows(sql, "SELECT * FROM ads.`ctr$servers`")).isEmpty();
        Instant expires = Instant.ofEpochMilli(System.currentTimeMillis() + 3_600_000);
        new ServiceRegistry(root.directory("ads", "ctr"), "run-1")
                .publish(
                        new ServiceAddress(
                                "run-1", 3, List.of("h1:1", "h2:2"), expires.toEpochMilli()));
        new ServiceRegistry(root.directory("ads", "ctr"), "gone")
                .publish(new ServiceAddress("gone", 3, List.of("h3:3"), 1));
        assertThat(rows(sql, "SELECT * FROM ads.`ctr$servers`"))
                .containsExactly(
                        Row.of("run-1", 0, "h1:1", expires), Row.of("run-1", 1, "h2:2", expires));
    }

    /** The measures of an ended job are shown, too. */
    @Test
    void showWhatWasMeasuredAtCheckpoints() throws Exception {
        assertThat(rows(sql, "SELECT * FROM ads.`ctr$metrics`")).isEmpty();
        StreamExecutionEnvironment environment = CLUSTER.environment(1);
        environment.enableCheckpointing(50);
        environment.getCheckpointConfig().setTolerableCheckpointFailureNumber(100);
        ModelTables tables = new ModelTables(environment, folder, false);
        tables.boundedRows("clicks", 160);
        tables.model("ctr", "ads.ctr", ", 'epochs'='4'");
        tables.run("INSERT INTO ctr SELECT y, c, x FROM clicks");
        CutCatalog cuts = new CutCatalog(new FlinkModelStorage(), root.directory("ads", "ctr"));
        assertThat(cuts.runs()).hasSize(1);
        String run = cuts.runs().get(0);
        List<CutSummary> kept = cuts.list(run).cuts();
        assertThat(kept).isNotEmpty();
        assertThat(rows(sql, "SELECT run, checkpoint, taken, trained_rows FROM ads.`ctr$metrics`"))
                .containsExactlyElementsOf(
                        kept.stream()
                                .map(
                                        cut ->
                                                Row.of(
                                                        run,
                                                        cut.id().number(),
                                                        Instant.ofEpochMilli(
                                                                cut.time().toEpochMilli()),
                                                        trained(cuts.facts(cut.id()))))
                                .toList());
    }

    /** Without checkpoints there is what all rows of the job were measured by, at its end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void showWhatWasMeasuredWithoutCheckpoints(boolean batch) throws Exception {
        ModelTables tables = new ModelTables(CLUSTER.environment(1), folder, batch);
        tables.boundedRows("clicks", 160);
        tables.model("ctr", "ads.ctr", ", 'epochs'='4'");
        tables.run("INSERT INTO ctr SELECT y, c, x FROM clicks");
        String query = "SELECT checkpoint, trained_rows FROM ads.`ctr$metrics`";
        assertThat(rows(sql, query)).containsExactly(Row.of(null, 640L));
        String loss = "SELECT training_loss > 0 AND training_loss < 1 FROM ads.`ctr$metrics`";
        assertThat(rows(sql, loss)).containsExactly(Row.of(true));
        tables.run("INSERT INTO ctr SELECT y, c, x FROM clicks");
        assertThat(rows(sql, query)).containsExactly(Row.of(null, 640L), Row.of(null, 640L));
    }

    private static Long trained(Map<String, String> facts) {
        return facts.containsKey("trained-rows") ? Long.valueOf(facts.get("trained-rows")) : null;
    }

    @Test
    void aDamagedVersionIsNamed() throws Exception {
        versions().publish(MORNING, 1);
        Path version = Path.of(versions().newest().directory().replaceFirst("^file:/+", "/"));
        Path manifest = version.resolve("manifest.json");
        Files.writeString(manifest, Files.readString(manifest).replaceFirst("ctr", "cta"));
        assertThatThrownBy(() -> rows(sql, "SELECT * FROM ads.`ctr$params`"))
                .rootCause()
                .hasMessageContaining(manifest.toString());
    }

    @Test
    void areHiddenAndCannotBeChanged() {
        assertThat(rows(sql, "SHOW TABLES FROM ads")).containsExactly(Row.of("ctr"));
        assertThat(rows(sql, "DESCRIBE ads.`ctr$servers`")).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    SELECT * FROM ads.ctr                                 | $params, $predictions, $versions, $metrics, $servers
                    SELECT * FROM ads.`ctr$parameters`                      | Object 'ctr$parameters' not found
                    SELECT * FROM ads.`other$params`                        | Object 'other$params' not found
                    SELECT * FROM ads.`ctr$params` /*+ OPTIONS('version'='1') */ | model ads.ctr has no version '1': it was never trained
                    SELECT * FROM ads.`ctr$params` /*+ OPTIONS('versoin'='1') */ | has no option 'versoin'; there are cache-rows
                    SELECT * FROM ads.`ctr$servers` /*+ OPTIONS('version'='1') */ | has no options
                    SELECT * FROM ads.`ctr$versions` FOR SYSTEM_TIME AS OF TIMESTAMP '2026-01-31 07:00:00' | only the parameters of a model, MODEL$params
                    INSERT INTO ads.`ctr$servers` SELECT 'r', 1, 'a', CAST(NOW() AS TIMESTAMP_LTZ(3)) | only shows what there is
                    CREATE TABLE ads.`ctr$params` (y INT, x INT) WITH ('label'='y') | cannot be changed
                    CREATE TABLE ads.`ctr$p` (y INT, x INT) WITH ('label'='y') | cannot be changed
                    DROP TABLE ads.`ctr$params`                             | cannot be changed
                    ALTER TABLE ads.`ctr$params` SET ('version'='1')        | cannot be changed
                    ALTER TABLE ads.`ctr$params` RENAME TO ads.x            | cannot be changed
                    ALTER TABLE ads.ctr RENAME TO ads.`ctr$params`          | cannot be changed
                    """)
    void whatCannotBeIsRefused(String statement, String why) {
        assertThatThrownBy(() -> sql.executeSql(statement)).hasStackTraceContaining(why);
    }
}
