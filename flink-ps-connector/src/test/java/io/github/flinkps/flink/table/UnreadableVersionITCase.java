package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.SqlSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
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

/** Versions that are damaged or of a newer format: refused before a job runs, and got rid of. */
@Timeout(180)
class UnreadableVersionITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final Instant MORNING = Instant.parse("2026-01-31T08:00:00Z");
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
    private static final String NEWEST = "model ads.ctr: its newest version cannot be read: ";
    private static final String PREDICTIONS =
            "SELECT p.score FROM clicks AS c JOIN ads.`ctr$predictions`%s"
                    + " FOR SYSTEM_TIME AS OF c.proc AS p"
                    + " ON p.price = c.price AND p.site = c.site";
    private static final String PARAMETERS =
            "SELECT p.`values` FROM (SELECT proc, 'bias' AS name, CAST(0 AS BIGINT) AS key FROM"
                    + " clicks) AS k JOIN ads.`ctr$params`%s FOR SYSTEM_TIME AS OF k.proc AS p"
                    + " ON p.table_name = k.name AND p.key = k.key";
    private static final String SCAN = "SELECT `values` FROM ads.`ctr$params`%s";

    @TempDir Path folder;
    @TempDir Path exported;
    private ModelRoot root;
    private TestingVersions versions;
    private TableEnvironment sql;

    @BeforeEach
    void declare() {
        root = new ModelRoot(folder.toString());
        versions = new TestingVersions(root, "ads", "ctr");
        sql = new ModelTables(CLUSTER.environment(1), folder, false).sql;
        sql.executeSql(
                "CREATE CATALOG ps WITH ('type' = 'flink-ps', 'model-root' = '" + folder + "')");
        sql.executeSql("USE CATALOG ps");
        sql.executeSql("LOAD MODULE ps WITH ('model-root' = '" + folder + "')");
        sql.getConfig().set("table.local-time-zone", "UTC");
        sql.executeSql("CREATE DATABASE ads");
        sql.executeSql(
                "CREATE TABLE ads.ctr (clicked INT, price DOUBLE, site STRING)"
                        + " WITH ('label'='clicked')");
        sql.executeSql(
                "CREATE TEMPORARY VIEW clicks AS SELECT *, PROCTIME() AS proc FROM (VALUES"
                        + " (1, 0.5e0, 'a'), (0, 2.0e0, 'b')) AS t (clicked, price, site)");
    }

    /** Changes the manifest of a version. */
    private void spoil(String id, String before, String after) throws IOException {
        Path manifest = folder.resolve("ads/ctr/versions").resolve(id).resolve("manifest.json");
        String json = Files.readString(manifest);
        assertThat(json).contains(before);
        Files.writeString(manifest, json.replace(before, after));
    }

    private void outdate(String id) throws IOException {
        spoil(id, "\"formatVersion\" : 1", "\"formatVersion\" : 99");
    }

    private List<Row> rows(String query) {
        return CollectionUtil.iteratorToList(sql.executeSql(query).collect());
    }

    private void assertRefused(String statement, String... messages) {
        assertThatThrownBy(
                        () -> {
                            if (statement.startsWith("CALL")) {
                                rows(statement);
                            } else {
                                sql.explainSql(statement);
                            }
                        })
                .satisfies(
                        thrown ->
                                assertThat(SqlSession.shownByClient(thrown))
                                        .contains(ValidationException.class.getName())
                                        .contains(messages));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'formatVersion' : 1 | 'formatVersion' : 99 | : format 99, written by a newer",
                "'algorithm' | 'algorism' | is damaged",
            })
    void theNewestIsRefusedByAllThatWouldReadIt(String before, String after, String why)
            throws IOException {
        versions.publish(MORNING, 1);
        spoil(versions.publish(NOON, 2), before.replace('\'', '"'), after.replace('\'', '"'));
        for (String statement :
                List.of(
                        PREDICTIONS.formatted(""),
                        PARAMETERS.formatted(""),
                        SCAN.formatted(""),
                        "SELECT PS_PREDICT_ASYNC('ads.ctr', price, site) FROM clicks",
                        "CALL sys.export_model('ads.ctr', '" + exported + "/out')")) {
            assertRefused(statement, NEWEST, why, "; rollback_model publishes an older one");
        }
        assertRefused("INSERT INTO ads.ctr SELECT clicked, price, site FROM clicks", why);
        assertThat(exported).isEmptyDirectory();
    }

    @Test
    void oneThatIsChosenIsRefusedByItsId() throws IOException {
        String first = versions.publish(MORNING, 1);
        String second = versions.publish(NOON, 2);
        outdate(first);
        String hint = " /*+ OPTIONS('version'='" + first + "') */";
        for (String statement :
                List.of(
                        PREDICTIONS.formatted(hint),
                        PARAMETERS.formatted(hint),
                        SCAN.formatted(hint),
                        SCAN.formatted(" FOR SYSTEM_TIME AS OF TIMESTAMP '2026-01-31 09:00:00'"),
                        "CALL sys.export_model('ads.ctr', '%s/out', '%s')"
                                .formatted(exported, first),
                        "CALL sys.rollback_model('ads.ctr', '" + first + "')")) {
            assertRefused(statement, "model ads.ctr: version " + first + " cannot be read: ", "99");
        }
        assertThat(versions.ids()).containsExactly(first, second);
        assertThat(rows(PREDICTIONS.formatted(""))).hasSize(2);
        assertThat(rows(SCAN.formatted(" /*+ OPTIONS('version'='" + second + "') */"))).hasSize(2);
    }

    @Test
    void aDamagedFileOfParametersIsRefusedByProceduresTogetherWithItsModel() throws IOException {
        String id = versions.publish(MORNING, 1);
        versions.publish(NOON, 2);
        try (var files = Files.walk(folder.resolve("ads/ctr/versions/" + id))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".arrow")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length / 2]++;
                Files.write(file, bytes);
            }
        }
        for (String call :
                List.of(
                        "CALL sys.export_model('ads.ctr', '%s/out', '%s')".formatted(exported, id),
                        "CALL sys.rollback_model('ads.ctr', '" + id + "')")) {
            assertRefused(call, "model ads.ctr: version " + id + " cannot be read: ", "is damaged");
        }
        assertThat(exported).isEmptyDirectory();
        assertThat(versions.ids()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rollback", "overwrite"})
    void itIsListedAndAnotherTakesItsPlace(String how) throws Exception {
        String first = versions.publish(MORNING, 1);
        String second = versions.publish(NOON, 2);
        outdate(second);
        assertThat(
                        rows(
                                "SELECT version, algorithm, parameters, `bytes` > 0 FROM"
                                        + " ads.`ctr$versions`"))
                .containsExactly(
                        Row.of(first, "logistic-regression", 2L, true),
                        Row.of(second, null, null, null));
        if (how.equals("rollback")) {
            rows("CALL sys.rollback_model('ads.ctr', '" + first + "')");
        } else {
            ModelTables.await(
                    sql.executeSql(
                            "INSERT OVERWRITE ads.ctr SELECT clicked, price, site FROM clicks"));
        }
        assertThat(versions.ids()).hasSize(3).startsWith(first, second);
        assertThat(rows(PREDICTIONS.formatted(""))).hasSize(2);
        assertThat(rows("SELECT PS_PREDICT('ads.ctr', price, site) FROM clicks")).hasSize(2);
    }
}
