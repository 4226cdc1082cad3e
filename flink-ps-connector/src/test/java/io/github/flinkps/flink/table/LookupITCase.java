package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.testing.SharedCluster;
import java.nio.file.Path;
import java.util.List;
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

/** Rows looked up in models, beside what else is known of them. */
@Timeout(180)
class LookupITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path folder;
    private TableEnvironment sql;

    @BeforeEach
    void train() throws Exception {
        sql = session(false);
        sql.executeSql("CREATE DATABASE ads");
        sql.executeSql(
                "CREATE TABLE ads.ctr (clicked INT, price DOUBLE, site STRING)"
                        + " WITH ('label'='clicked', 'partitions'='2')");
        sql.executeSql(
                "CREATE TABLE ads.kinds (kind INT, price DOUBLE) WITH ('label'='kind',"
                        + " 'algorithm'='softmax', 'classes'='3', 'features'='1')");
        run("INSERT INTO ads.ctr SELECT clicked, price, site FROM clicks");
        run("INSERT INTO ads.kinds SELECT clicked, price FROM clicks");
    }

    private void run(String statement) throws Exception {
        ModelTables.await(sql.executeSql(statement));
    }

    private TableEnvironment session(boolean batch) {
        TableEnvironment session = new ModelTables(CLUSTER.environment(1), folder, batch).sql;
        session.executeSql(
                "CREATE CATALOG ps WITH ('type' = 'flink-ps', 'model-root' = '%s')"
                        .formatted(folder));
        session.executeSql("USE CATALOG ps");
        session.executeSql("LOAD MODULE ps WITH ('model-root' = '" + folder + "')");
        session.executeSql(
                "CREATE TEMPORARY VIEW clicks AS SELECT *, PROCTIME() AS proc FROM (VALUES"
                        + " (1, 0.5e0, 'a'), (0, 2.0e0, 'b'), (1, 9.0e0, 'a'), (1, 0.5e0, 'a'))"
                        + " AS t (clicked, price, site)");
        return session;
    }

    private static List<Row> rows(TableEnvironment session, String query) {
        return CollectionUtil.iteratorToList(session.executeSql(query).collect());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " /*+ OPTIONS('lookup.cache'='PARTIAL',"
                        + " 'lookup.partial-cache.max-rows'='2', 'refresh-interval'='1 s',"
                        + " 'cache-rows'='1', 'timeout'='30 s') */"
            })
    void scoresAreThoseOfTheFunction(String hint) {
        for (boolean batch : new boolean[] {false, true}) {
            List<Row> found =
                    rows(
                            session(batch),
                            "SELECT c.price, c.site, PS_PREDICT('ads.ctr', c.price, c.site),"
                                    + " p.score FROM clicks AS c LEFT JOIN ads.`ctr$predictions`"
                                    + hint
                                    + " FOR SYSTEM_TIME AS OF c.proc AS p"
                                    + " ON p.price = c.price AND p.site = c.site");
            assertThat(found).hasSize(4);
            assertThat(found)
                    .allSatisfy(row -> assertThat(row.getField(3)).isEqualTo(row.getField(2)));
            assertThat(found.stream().map(row -> row.getField(3)).distinct()).hasSize(3);
        }
    }

    @Test
    void severalScoresComeAsAnArray() {
        List<Row> found =
                rows(
                        sql,
                        "SELECT PS_PREDICT('ads.kinds', c.price), p.scores, CARDINALITY(p.scores)"
                                + " FROM clicks AS c JOIN ads.`kinds$predictions`"
                                + " FOR SYSTEM_TIME AS OF c.proc AS p ON p.price = c.price");
        assertThat(found).hasSize(4);
        assertThat(found)
                .allSatisfy(
                        row -> {
                            assertThat(row.getField(1)).isEqualTo(row.getField(0));
                            assertThat(row.getField(2)).isEqualTo(3);
                        });
    }

    @Test
    void parametersAreThoseOfTheVersion() throws Exception {
        String first = new ModelRoot(folder.toString()).newest("ads", "ctr").orElseThrow().id();
        run("INSERT INTO ads.ctr SELECT clicked, price, site FROM clicks");
        sql.executeSql(
                "CREATE TEMPORARY VIEW known AS SELECT *, PROCTIME() AS proc FROM"
                        + " ads.`ctr$params`");
        sql.executeSql(
                "CREATE TEMPORARY VIEW older AS SELECT *, PROCTIME() AS proc FROM ads.`ctr$params`"
                        + " /*+ OPTIONS('version'='"
                        + first
                        + "') */");
        String looked =
                "SELECT k.table_name, k.key, k.feature, k.`values`, p.feature, p.`values`, p.slots"
                        + " FROM %s AS k LEFT JOIN ads.`ctr$params`%s"
                        + " FOR SYSTEM_TIME AS OF k.proc AS p"
                        + " ON p.table_name = k.table_name AND p.key = k.key";
        List<Row> now = rows(sql, looked.formatted("known", ""));
        List<Row> then =
                rows(sql, looked.formatted("older", " /*+ OPTIONS('version'='" + first + "') */"));
        for (List<Row> found : List.of(now, then)) {
            assertThat(found).hasSize(4);
            assertThat(found)
                    .allSatisfy(
                            row -> {
                                assertThat(row.getField(4)).isEqualTo(row.getField(2));
                                assertThat(row.getField(5)).isEqualTo(row.getField(3));
                                assertThat(row.getField(6)).isNull();
                            });
        }
        assertThat(now).doesNotContainAnyElementsOf(then);
    }

    @Test
    void whatIsNotThereIsNotFound() {
        List<Row> found =
                rows(
                        sql,
                        "SELECT k.name, k.key, p.`values` FROM (SELECT *, PROCTIME() AS proc FROM"
                                + " (VALUES ('weights', CAST(12345 AS BIGINT)), ('bias', 1),"
                                + " ('other', 0)) AS t (name, key)) AS k"
                                + " LEFT JOIN ads.`ctr$params` FOR SYSTEM_TIME AS OF k.proc AS p"
                                + " ON p.table_name = k.name AND p.key = k.key");
        assertThat(found)
                .containsExactlyInAnyOrder(
                        Row.of("weights", 12345L, new Float[] {0f}),
                        Row.of("bias", 1L, null),
                        Row.of("other", 0L, null));
    }

    /** SQL finds nothing that equals NULL. */
    @Test
    void nothingIsFoundForNull() {
        assertThat(
                        rows(
                                sql,
                                "SELECT p.score FROM (SELECT PROCTIME() AS proc, 1e0 AS price,"
                                        + " CAST(NULL AS STRING) AS site) AS c"
                                        + " LEFT JOIN ads.`ctr$predictions` FOR SYSTEM_TIME AS OF"
                                        + " c.proc AS p"
                                        + " ON p.price = c.price AND p.site = c.site"))
                .containsExactly(Row.of((Object) null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    p.price = c.price                                 || not given: [site]
                    p.price = c.price AND p.site = c.site AND p.score = 1e0 || too much: [score]
                    p.price = c.price AND p.site = c.site | 'refresh'='1 s' | has no option 'refresh'; there are cache-rows, lookup.cache
                    p.price = c.price AND p.site = c.site | 'refresh-interval'='x' | option 'refresh-interval'
                    p.price = c.price AND p.site = c.site | 'refresh-interval'='0 s' | refresh-interval must be at least 1 ms
                    p.price = c.price AND p.site = c.site | 'peer-timeout'='0 s' | peer-timeout must be between
                    p.price = c.price AND p.site = c.site | 'lookup.cache'='FULL' | must be NONE or PARTIAL
                    p.price = c.price AND p.site = c.site | 'version'='7' | has no version '7': there are
                    """)
    void whatCannotBeLookedUpIsRefused(String condition, String options, String why) {
        String hint = options == null ? "" : " /*+ OPTIONS(" + options + ") */";
        assertThatThrownBy(
                        () ->
                                sql.executeSql(
                                        "SELECT p.score FROM clicks AS c JOIN ads.`ctr$predictions`"
                                                + hint
                                                + " FOR SYSTEM_TIME AS OF c.proc AS p ON "
                                                + condition))
                .hasStackTraceContaining(why);
    }

    @Test
    void predictionsCannotBeListed() {
        assertThatThrownBy(() -> sql.executeSql("SELECT * FROM ads.`ctr$predictions`"))
                .hasStackTraceContaining("ctr$predictions");
    }

    /** A model that is not there yet is waited for by nobody. */
    @Test
    void anUntrainedModelFailsTheQuery() {
        sql.executeSql("CREATE TABLE ads.blank (y INT, x DOUBLE) WITH ('label'='y')");
        assertThatThrownBy(
                        () ->
                                rows(
                                        sql,
                                        "SELECT p.score FROM clicks AS c JOIN"
                                                + " ads.`blank$predictions`"
                                                + " FOR SYSTEM_TIME AS OF c.proc AS p"
                                                + " ON p.x = c.price"))
                .hasStackTraceContaining("model ads.blank cannot predict: it has no version yet");
    }
}
