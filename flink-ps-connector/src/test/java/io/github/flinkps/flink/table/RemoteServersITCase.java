package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerSecurity;
import io.github.flinkps.testing.TestingKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.api.PlanReference;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CollectionUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Predictions that are told of parameter servers which run already: those have one model of a name,
 * and it may be another than the newest version.
 */
@Timeout(180)
class RemoteServersITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String ROWS = " clicked, price, site FROM clicks";

    @TempDir Path folder;
    @TempDir Path secrets;
    private ParameterServer server;
    private TableEnvironment sql;

    @BeforeEach
    void declare() {
        declare(ServerConfig.defaults(), "");
    }

    /**
     * @param reached options by which the server is reached
     */
    private void declare(ServerConfig config, String reached) {
        server = ParameterServer.start(config);
        sql = new ModelTables(CLUSTER.environment(1), folder, false).sql;
        createCatalog("ps", reached);
        sql.executeSql("USE CATALOG ps");
        sql.executeSql(
                "LOAD MODULE ps WITH ('model-root' = '%s', 'remote' = '%s'%s)"
                        .formatted(folder, server.address(), reached));
        sql.executeSql(
                "CREATE TEMPORARY VIEW clicks AS SELECT *, PROCTIME() AS proc FROM (VALUES"
                        + " (1, 0.5e0, 'a'), (0, 2.0e0, 'b'), (1, 9.0e0, 'a'), (1, 0.5e0, 'a'))"
                        + " AS t (clicked, price, site)");
        sql.executeSql("CREATE DATABASE IF NOT EXISTS ads");
        createModel();
    }

    private void createCatalog(String name, String reached) {
        sql.executeSql(
                "CREATE CATALOG %s WITH ('type' = 'flink-ps', 'model-root' = '%s', 'remote' = '%s'%s)"
                        .formatted(name, folder, server.address(), reached));
    }

    private void createModel() {
        sql.executeSql(
                "CREATE TABLE ads.ctr (clicked INT, price DOUBLE, site STRING) WITH ('label' ="
                        + " 'clicked', 'timeout' = '20 s')");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void run(String statement) throws Exception {
        ModelTables.await(sql.executeSql(statement));
    }

    /** Scores by the function, which are also those of look-ups. */
    private List<Object> scores() {
        List<Row> rows =
                CollectionUtil.iteratorToList(
                        sql.executeSql(
                                        "SELECT PS_PREDICT('ads.ctr', c.price, c.site), p.score"
                                                + " FROM clicks AS c LEFT JOIN"
                                                + " ads.`ctr$predictions` FOR SYSTEM_TIME AS OF"
                                                + " c.proc AS p ON p.price = c.price"
                                                + " AND p.site = c.site")
                                .collect());
        assertThat(rows)
                .hasSize(4)
                .allSatisfy(row -> assertThat(row.getField(1)).isEqualTo(row.getField(0)));
        return rows.stream().map(row -> row.getField(0)).toList();
    }

    private String newest() {
        return new ModelRoot(folder.toString()).newest("ads", "ctr").orElseThrow().id();
    }

    /** Gives the model another bias on the server, as another step of training would. */
    private void trainOn() throws Exception {
        SessionSpec plain =
                new SessionSpec(
                        "ads.ctr", "", 0, SessionSpec.NO_WORKER, 1, ConsistencySpec.asp(), TIMEOUT);
        try (ParameterClient client =
                        ParameterClients.create(
                                List.of(server.address()), ClientConfig.defaults());
                ModelSession session = client.open(plain).get(20, TimeUnit.SECONDS)) {
            RowChunk bias =
                    new RowChunk(
                            0, new long[] {0}, new float[] {3}, new float[0][], 0, RowChunk.END);
            session.load("bias", bias).get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void serversPredictWhileTheyHaveWhatTheNewestVersionWasSavedFrom() throws Exception {
        run("INSERT INTO ads.ctr SELECT" + ROWS);
        String first = newest();
        List<Object> trained = scores();
        trainOn();
        assertThat(scores()).as("of the servers").doesNotContainAnyElementsOf(trained);
        run("INSERT INTO ads.ctr SELECT" + ROWS);
        List<Object> twice = scores();
        assertThat(twice).doesNotContainAnyElementsOf(trained);
        run("CALL ps.sys.rollback_model('ads.ctr', '" + first + "')");
        assertThat(scores()).as("of the version").isEqualTo(trained);
        assertThatThrownBy(() -> run("INSERT OVERWRITE ads.ctr SELECT NULLIF(1, 1), 1e0, 'a'"))
                .hasStackTraceContaining("NULL is no label");
        assertThat(scores()).as("after a retraining that failed").isEqualTo(trained);
        run("INSERT OVERWRITE ads.ctr SELECT 1 -" + ROWS);
        assertThat(scores()).as("retrained").doesNotContainAnyElementsOf(trained);
    }

    @Test
    void serversThatAskAreReachedByTheFilesOfTheCatalog() throws Exception {
        sql.executeSql("DROP TABLE ads.ctr");
        server.close();
        String secret = "b3".repeat(32);
        TestingKeys keys = new TestingKeys(secrets);
        TlsFiles shown = keys.server("127.0.0.1");
        String reached =
                ", 'tls-trust' = '%s', 'token-file' = '%s'"
                        .formatted(keys.authorityFile(), keys.tokens("ads.token", "ads:" + secret));
        ServerSecurity asks =
                new ServerSecurity(
                        new TlsFiles(shown.certificate(), shown.key(), null),
                        keys.tokens("tokens", "ads:" + secret),
                        false);
        declare(ServerConfig.defaults().withSecurity(asks), reached);
        run("INSERT INTO ads.ctr SELECT" + ROWS);
        assertThat(scores()).doesNotContainNull();

        String created = text("SHOW CREATE TABLE ads.ctr");
        assertThat(created)
                .contains("'catalog-tls-trust' = '" + keys.authorityFile() + "'")
                .contains("'catalog-token-file' = '" + keys.path("ads.token") + "'")
                .doesNotContain(secret);
        sql.executeSql("CREATE TABLE default_catalog.default_database.same LIKE ads.ctr");
        String first = newest();
        run("INSERT INTO default_catalog.default_database.same SELECT" + ROWS);
        assertThat(newest()).isNotEqualTo(first);
        assertThat(text("EXPLAIN INSERT INTO ads.ctr SELECT" + ROWS)).doesNotContain(secret);
        String compiled = sql.compilePlanSql("INSERT INTO ads.ctr SELECT" + ROWS).asJsonString();
        assertThat(compiled).doesNotContain(secret);
        String last = newest();
        ModelTables.await(sql.loadPlan(PlanReference.fromJsonString(compiled)).execute());
        assertThat(newest()).isNotEqualTo(last);
        String trains = "SELECT PS_TRAIN('ads.ctr', clicked, price, site) FROM clicks";
        assertThat(text("EXPLAIN " + trains)).doesNotContain(secret);
        last = newest();
        assertThat(text(trains)).contains("+U[+I[4, "); // rows of the group
        assertThat(newest()).isNotEqualTo(last);

        createCatalog("keyless", "");
        assertThatThrownBy(() -> run("INSERT INTO keyless.ads.ctr SELECT" + ROWS))
                .hasStackTraceContaining("speaks TLS only; set tls-trust");
        sql.getConfig().set("flink-ps.tls-trust", keys.authorityFile());
        sql.getConfig().set("flink-ps.token-file", keys.path("ads.token"));
        createCatalog("configured", "");
        String second = newest();
        run("INSERT INTO configured.ads.ctr SELECT" + ROWS);
        assertThat(newest()).isNotEqualTo(second);
    }

    private String text(String statement) {
        return CollectionUtil.iteratorToList(sql.executeSql(statement).collect()).toString();
    }

    @Test
    void aModelOfTheSameNameStartsFromNothing() throws Exception {
        run("INSERT INTO ads.ctr SELECT" + ROWS);
        assertThat(scores()).doesNotContainNull();
        sql.executeSql("DROP TABLE ads.ctr");
        createModel();
        assertThatThrownBy(this::scores)
                .hasStackTraceContaining("ads.ctr cannot predict: it has no version yet");
    }
}
