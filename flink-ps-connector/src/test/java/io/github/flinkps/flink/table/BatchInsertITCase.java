package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.ExplainDetail;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** INSERT in batch runtime mode. */
class BatchInsertITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final int ROWS = 160;
    private static final String INSERT = "INSERT INTO ctr SELECT y, c, x FROM clicks";

    @TempDir Path root;
    private ModelTables tables;

    private ModelTables tables(boolean batch, int parallelism) {
        ModelTables made = new ModelTables(CLUSTER.environment(parallelism), root, batch);
        made.boundedRows("clicks", ROWS);
        return made;
    }

    @BeforeEach
    void declare() {
        tables = tables(true, 1);
        tables.model("ctr", "ads.ctr", ", 'epochs'='3'");
    }

    private Map<String, List<Integer>> streamed(String options) throws Exception {
        ModelTables streaming = tables(false, 1);
        streaming.model("streamed", "ads.streamed", ", 'epochs'='3'" + options);
        streaming.run("INSERT OVERWRITE streamed SELECT y, c, x FROM clicks");
        return ModelTables.bits(streaming.newest("ads.streamed"));
    }

    @Test
    void trainsTheModelThatOneWorkerTrainsInStreamingMode() throws Exception {
        tables.run(INSERT);
        assertThat(tables.versions("ads.ctr")).hasSize(1);
        assertThat(ModelTables.bits(tables.newest("ads.ctr"))).isEqualTo(streamed(""));
        try (var left = Files.list(root.resolve("ads/ctr/versions"))) {
            assertThat(left).hasSize(1);
        }
        assertThat(root.resolve("ads/ctr/registry")).isEmptyDirectory();
    }

    @Test
    void theQueryMayBeParallelAndServersMany() throws Exception {
        ModelTables parallel = tables(true, 2);
        parallel.model("ctr", "ads.ctr", ", 'servers'='3', 'save-interval'='1 ms'");
        parallel.run("INSERT INTO ctr SELECT y, c, x FROM clicks ORDER BY n");
        assertThat(parallel.versions("ads.ctr")).hasSize(1);
        tables.run("INSERT OVERWRITE ctr /*+ OPTIONS('epochs'='1') */ SELECT y, c, x FROM clicks");
        assertThat(ModelTables.bits(tables.versions("ads.ctr").get(0)))
                .isEqualTo(ModelTables.bits(tables.newest("ads.ctr")));
    }

    @Test
    void goesOnFromTheNewestVersionOrBeginsFromScratch() throws Exception {
        tables.run(INSERT);
        Map<String, List<Integer>> once = ModelTables.bits(tables.newest("ads.ctr"));
        tables.run(INSERT);
        assertThat(ModelTables.bits(tables.newest("ads.ctr"))).isNotEqualTo(once);
        tables.run("INSERT OVERWRITE ctr SELECT y, c, x FROM clicks");
        assertThat(ModelTables.bits(tables.newest("ads.ctr"))).isEqualTo(once);
        tables.run("TRUNCATE TABLE ctr");
        tables.run(INSERT);
        assertThat(ModelTables.bits(tables.newest("ads.ctr"))).isEqualTo(once);
        assertThat(tables.versions("ads.ctr")).hasSize(4);
    }

    @Test
    void severalModelsTrainInAJobEachOnce() throws Exception {
        tables.model("best", "ads.best", ", 'epochs'='4', 'validation-share'='0.2'");
        tables.model("same", "ads.ctr", "");
        StatementSet both = tables.sql.createStatementSet();
        both.addInsertSql(INSERT);
        both.addInsertSql("INSERT INTO best SELECT y, c, x FROM clicks");
        assertThat(both.explain(ExplainDetail.JSON_EXECUTION_PLAN))
                .contains("train ads.ctr", "train ads.best");
        assertThat(root).isEmptyDirectory();
        ModelTables.await(both.execute());
        assertThat(tables.versions("ads.ctr")).hasSize(1);
        assertThat(tables.versions("ads.best")).hasSize(1);
        StatementSet twice = tables.sql.createStatementSet();
        twice.addInsertSql(INSERT);
        twice.addInsertSql("INSERT INTO same SELECT y, c, x FROM clicks");
        assertThatThrownBy(twice::execute)
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("another INSERT of this job trains the same model");
    }

    @Test
    void remoteServersTrainToo() throws Exception {
        try (ParameterServer one = ParameterServer.start(ServerConfig.defaults());
                ParameterServer two = ParameterServer.start(ServerConfig.defaults())) {
            tables.run(
                    "INSERT INTO ctr /*+ OPTIONS('remote'='%s;%s') */ SELECT y, c, x FROM clicks"
                            .formatted(one.address(), two.address()));
        }
        assertThat(ModelTables.bits(tables.newest("ads.ctr"))).isEqualTo(streamed(""));
    }

    @Test
    void whatFailsPublishesNothing() throws Exception {
        String address;
        try (ParameterServer gone = ParameterServer.start(ServerConfig.defaults())) {
            address = gone.address();
        }
        assertThatThrownBy(
                        () ->
                                tables.run(
                                        "INSERT INTO ctr /*+ OPTIONS('timeout'='2 s', 'remote'='"
                                                + address
                                                + "') */ SELECT y, c, x FROM clicks"))
                .hasStackTraceContaining("cannot reach server " + address);
        assertThatThrownBy(
                        () ->
                                tables.run(
                                        "INSERT INTO ctr SELECT CAST(NULL AS BOOLEAN), c, x FROM"
                                                + " clicks"))
                .hasStackTraceContaining("label column 'y': NULL is no label");
        assertThat(tables.versions("ads.ctr")).isEmpty();
        try (var left = Files.walk(root)) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void whatNeedsStreamingModeIsRefused() {
        assertThatThrownBy(
                        () ->
                                tables.sql.explainSql(
                                        "INSERT INTO ctr /*+ OPTIONS('workers'='2') */ SELECT y, c,"
                                                + " x FROM clicks"))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("ctr: workers must be 1 with execution.runtime-mode BATCH")
                .hasMessageContaining("use STREAMING to train bounded inputs in parallel");
    }
}
