package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.ServerStats;
import io.github.flinkps.flink.data.RowRecipe;
import io.github.flinkps.flink.data.TableRecipe;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.Polling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.ExplainDetail;
import org.apache.flink.table.api.StatementSet;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;
import org.apache.flink.util.CollectionUtil;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InsertITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final int ROWS = 160;

    @TempDir Path root;
    private StreamExecutionEnvironment environment;
    private ModelTables tables;

    @BeforeEach
    void declare() {
        environment = CLUSTER.environment(1);
        tables = new ModelTables(environment, root, false);
        tables.boundedRows("clicks", ROWS);
        tables.model("ctr", "ads.ctr", "");
    }

    @Test
    void aQueryTrainsAVersionThatKnowsItsColumns() throws Exception {
        tables.run("INSERT INTO ctr SELECT y, c, x FROM clicks");
        assertThat(tables.versions("ads.ctr")).hasSize(1);
        ModelManifest manifest = ModelTables.manifest(tables.newest("ads.ctr"));
        assertThat(manifest.header().model()).isEqualTo("ads.ctr");
        assertThat(manifest.header().algorithm()).isEqualTo("logistic-regression");
        RowRecipe recipe = RowRecipe.fromJson(manifest.header().input());
        assertThat(recipe).isInstanceOf(TableRecipe.class);
        ModelDefinition definition = ModelDefinition.of((TableRecipe) recipe);
        assertThat(definition.columns())
                .extracting(ModelColumn::type)
                .containsExactly("BOOLEAN", "VARCHAR(2147483647)", "DOUBLE");
        assertThat(definition.options()).isEqualTo(Map.of("label", "y"));
        assertThat(ModelSpec.of("again", definition).model().tables())
                .isEqualTo(manifest.header().tables());
        assertThat(ModelTables.bits(tables.newest("ads.ctr"))).hasSize(5 + 1 + 1);
    }

    /** Model roots are paths of Flink's, in which nothing is escaped. */
    @ParameterizedTest
    @ValueSource(strings = {"file://", "file:", ""})
    void charactersOfAModelRootStandForThemselves(String scheme) throws Exception {
        Path odd = Files.createDirectory(root.resolve("a%20b c#d"));
        String there = "'model-root'='" + scheme + odd + "'";
        tables.sql.executeSql("CREATE CATALOG odd WITH ('type'='flink-ps', " + there + ")");
        tables.sql.executeSql("LOAD MODULE ps WITH (" + there + ")");
        tables.sql.executeSql(
                "CREATE TABLE odd.`default`.ctr (y BOOLEAN, c STRING, x DOUBLE) WITH"
                        + " ('label'='y', 'batch-size'='16')");
        tables.run("INSERT INTO odd.`default`.ctr SELECT y, c, x FROM clicks");
        assertThat(new ModelRoot(odd.toString()).versions("default", "ctr")).hasSize(1);
        try (var rows =
                tables.sql
                        .executeSql("SELECT PS_PREDICT('ctr', c, x) FROM clicks WHERE n < 3")
                        .collect()) {
            assertThat(rows).toIterable().hasSize(3);
        }
        try (var all = Files.list(root)) {
            assertThat(all).containsExactly(odd);
        }
    }

    @Test
    void theNextInsertGoesOnAsIfTheFirstHadNotEnded() throws Exception {
        String half = " SELECT y, c, x FROM clicks WHERE n ";
        tables.run("INSERT INTO ctr" + half + "< 80");
        tables.run("INSERT INTO ctr" + half + ">= 80");
        assertThat(tables.versions("ads.ctr")).hasSize(2);
        tables.model("whole", "ads.whole", "");
        tables.run("INSERT INTO whole SELECT y, c, x FROM clicks");
        assertThat(ModelTables.bits(tables.newest("ads.ctr")))
                .isEqualTo(ModelTables.bits(tables.newest("ads.whole")))
                .isNotEqualTo(ModelTables.bits(tables.versions("ads.ctr").get(0)));
    }

    @Test
    void overwritingAndTruncatingBeginFromScratch() throws Exception {
        String insert = "INSERT INTO ctr SELECT y, c, x FROM clicks";
        tables.run(insert);
        Map<String, List<Integer>> once = ModelTables.bits(tables.newest("ads.ctr"));
        tables.run(insert);
        assertThat(ModelTables.bits(tables.newest("ads.ctr"))).isNotEqualTo(once);
        tables.run("INSERT OVERWRITE ctr SELECT y, c, x FROM clicks");
        assertThat(tables.versions("ads.ctr")).hasSize(3);
        assertThat(ModelTables.bits(tables.newest("ads.ctr"))).isEqualTo(once);
        assertThatThrownBy(() -> tables.run("TRUNCATE TABLE ctr"))
                .hasMessageContaining("not supported in streaming mode");
        ModelTables batch = new ModelTables(CLUSTER.environment(1), root, true);
        batch.model("ctr", "ads.ctr", "");
        batch.run("TRUNCATE TABLE ctr");
        assertThat(tables.versions("ads.ctr")).hasSize(3);
        tables.run(insert);
        assertThat(ModelTables.bits(tables.newest("ads.ctr"))).isEqualTo(once);
        tables.run(insert);
        assertThat(ModelTables.bits(tables.newest("ads.ctr"))).isNotEqualTo(once);
    }

    @Test
    void severalModelsTrainInOneJobForSeveralEpochs() throws Exception {
        tables.model("slow", "slow", ", 'epochs'='3', 'servers'='2'");
        StatementSet both = tables.sql.createStatementSet();
        both.addInsertSql("INSERT INTO ctr SELECT y, c, x FROM clicks");
        both.addInsertSql("INSERT INTO slow SELECT y, c, x FROM clicks");
        ModelTables.await(both.execute());
        tables.model("three", "ads.three", ", 'servers'='2'");
        tables.run("INSERT INTO three /*+ OPTIONS('epochs'='3') */ SELECT y, c, x FROM clicks");
        assertThat(tables.versions("ads.ctr")).hasSize(1);
        assertThat(ModelTables.bits(tables.newest("default.slow")))
                .isEqualTo(ModelTables.bits(tables.newest("ads.three")))
                .isNotEqualTo(ModelTables.bits(tables.newest("ads.ctr")));
    }

    @Test
    void oneModelIsNotTrainedTwiceInAJob() {
        tables.model("same", "ads.ctr", "");
        StatementSet twice = tables.sql.createStatementSet();
        twice.addInsertSql("INSERT INTO ctr SELECT y, c, x FROM clicks");
        twice.addInsertSql("INSERT INTO same SELECT y, c, x FROM clicks WHERE n > 3");
        for (ThrowingCallable planned :
                List.<ThrowingCallable>of(
                        () -> twice.explain(ExplainDetail.JSON_EXECUTION_PLAN), twice::execute)) {
            assertThatThrownBy(planned)
                    .isInstanceOf(ValidationException.class)
                    .hasMessageContaining("same: another INSERT of this job trains the same model")
                    .hasMessageContaining("UNION ALL");
        }
    }

    @Test
    void explainingShowsTheWorkerAndChangesNothing() {
        String insert = "INSERT INTO ctr SELECT y, c, x FROM clicks";
        for (int time = 0; time < 2; time++) {
            assertThat(tables.sql.explainSql(insert, ExplainDetail.JSON_EXECUTION_PLAN))
                    .contains("train ads.ctr", "parameter servers of ads.ctr");
        }
        assertThat(root).isEmptyDirectory();
        assertThatThrownBy(environment::execute).hasMessageContaining("No operators defined");
    }

    @Test
    void whatCannotTrainIsRefusedByName() {
        refused(
                "INSERT INTO ctr SELECT true, c, SUM(x) FROM clicks GROUP BY c",
                "rows can only be inserted into table default_catalog.default_database.ctr");
        tables.rows("endless", 1000, "");
        refused(
                "INSERT INTO ctr /*+ OPTIONS('epochs'='2') */ SELECT y, c, x FROM endless",
                "INSERT INTO default_catalog.default_database.ctr: epochs must be 1");
        refused("INSERT OVERWRITE ctr SELECT y, c, x FROM endless", "TRUNCATE the table");
        String into = "INSERT INTO ctr /*+ OPTIONS(%s) */ SELECT y, c, x FROM clicks";
        refused(into.formatted("'batch-size'='0'"), "batch-size must be at least 1");
        refused(into.formatted("'keep-cuts'='2'"), "keep-cuts needs checkpoints");
        refused(into.formatted("'model'='a.b.c d'"), "the name of a model must be");
        refused(into.formatted("'model'='a b.c'"), "the name of a database must be");
        refused(into.formatted("'lable'='y'"), "there is no option 'lable'");
        tables.sql.executeSql(
                "CREATE TEMPORARY TABLE homeless (y BOOLEAN) WITH ('connector'='flink-ps')");
        refused("INSERT INTO homeless SELECT y FROM clicks", "needs the option 'model-root'");
        assertThat(root).isEmptyDirectory();
    }

    private void refused(String statement, String message) {
        assertThatThrownBy(() -> tables.sql.explainSql(statement)).hasStackTraceContaining(message);
    }

    @Test
    void modelsOfACatalogAreTrainedWhereTheyLie() throws Exception {
        tables.sql.executeSql(
                "CREATE CATALOG ps WITH ('type'='flink-ps', 'model-root'='" + root.toUri() + "')");
        tables.sql.executeSql("CREATE DATABASE ps.ads");
        tables.sql.executeSql("CREATE TABLE ps.ads.cvr (y BOOLEAN, c STRING) WITH ('label'='y')");
        tables.run("INSERT INTO ps.ads.cvr SELECT y, c FROM clicks");
        tables.run("INSERT INTO ps.ads.cvr /*+ OPTIONS('epochs'='2') */ SELECT y, c FROM clicks");
        assertThat(tables.versions("ads.cvr")).hasSize(2);
        assertThat(ModelTables.manifest(tables.newest("ads.cvr")).header().model())
                .isEqualTo("ads.cvr");
    }

    @Test
    void serversOfTheCatalogTrainItsModels() throws Exception {
        try (ParameterServer one = ParameterServer.start(ServerConfig.defaults());
                ParameterServer two = ParameterServer.start(ServerConfig.defaults());
                ParameterClient client =
                        ParameterClients.create(
                                List.of(one.address(), two.address()), ClientConfig.defaults())) {
            tables.sql.executeSql(
                    ("CREATE CATALOG far WITH ('type'='flink-ps', 'model-root'='%s',"
                                    + " 'remote'='%s, %s')")
                            .formatted(root.toUri(), one.address(), two.address()));
            tables.sql.executeSql("CREATE DATABASE far.ads");
            String columns =
                    " (y BOOLEAN, c STRING, x DOUBLE) WITH ('label'='y', 'batch-size'='16'";
            tables.sql.executeSql("CREATE TABLE far.ads.ctr" + columns + ")");
            tables.sql.executeSql("CREATE TABLE far.ads.near" + columns + ", 'servers'='2')");
            tables.run("INSERT INTO far.ads.ctr SELECT y, c, x FROM clicks");
            tables.run("INSERT INTO far.ads.near SELECT y, c, x FROM clicks");
            assertThat(client.stats(Duration.ofSeconds(60)).get())
                    .extracting(ServerStats::models)
                    .containsExactly(1, 1);
            assertThat(ModelTables.bits(tables.newest("ads.ctr")))
                    .isEqualTo(ModelTables.bits(tables.newest("ads.near")));
        }
    }

    @Test
    void anotherAlgorithmDoesNotGoOn() throws Exception {
        tables.run("INSERT INTO ctr SELECT y, c, x FROM clicks");
        tables.model("svm", "ads.ctr", ", 'algorithm'='linear-svm'");
        refused(
                "INSERT INTO svm SELECT y, c, x FROM clicks",
                "was trained by the algorithm logistic-regression, not by");
    }

    @Test
    void whatRowsMeanDoesNotChangeOnTheWay() throws Exception {
        tables.run("INSERT INTO ctr SELECT y, c, x FROM clicks");
        String into = "INSERT %s ctr /*+ OPTIONS('numeric'='none', 'epochs'='2') */";
        String rows = " SELECT y, c, x FROM clicks";
        refused(into.formatted("INTO") + rows, "option 'numeric' cannot be changed");
        tables.run(into.formatted("OVERWRITE") + rows);
        tables.run("INSERT INTO ctr /*+ OPTIONS('numeric'='none', 'learning-rate'='1') */" + rows);
        assertThat(tables.versions("ads.ctr")).hasSize(3);
        refused("INSERT INTO ctr" + rows, "option 'numeric' cannot be changed");
    }

    @Test
    void aRowWithoutALabelFailsTheJobOrIsLeftOut() throws Exception {
        String insert =
                "INSERT INTO ctr %s SELECT CASE WHEN n = 3 THEN CAST(NULL AS BOOLEAN) ELSE y END,"
                        + " c, x FROM clicks";
        assertThatThrownBy(() -> tables.run(insert.formatted("")))
                .hasStackTraceContaining("label column 'y': NULL is no label");
        assertThat(tables.versions("ads.ctr")).isEmpty();
        tables.run(insert.formatted("/*+ OPTIONS('on-bad-row'='skip') */"));
        assertThat(tables.versions("ads.ctr")).hasSize(1);
    }

    /** A model that has a version shows nothing of what fails halfway. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOverwriteThatFailsHalfwayLeavesTheVersionBefore(boolean batch) throws Exception {
        ModelTables session = new ModelTables(CLUSTER.environment(1), root, batch);
        session.boundedRows("clicks", ROWS);
        session.sql.executeSql(
                "CREATE CATALOG ps WITH ('type'='flink-ps', 'model-root'='" + root.toUri() + "')");
        session.sql.executeSql("LOAD MODULE ps WITH ('model-root'='" + root.toUri() + "')");
        session.sql.executeSql("CREATE DATABASE ps.ads");
        session.sql.executeSql(
                "CREATE TABLE ps.ads.ctr (y BOOLEAN, c STRING, x DOUBLE) WITH ('label'='y',"
                        + " 'batch-size'='8', 'epochs'='2', 'save-interval'='1 ms')");
        session.run("INSERT INTO ps.ads.ctr SELECT y, c, x FROM clicks");
        List<ModelVersion> before = tables.versions("ads.ctr");
        List<Row> predicted = predictions(session);

        assertThatThrownBy(
                        () ->
                                session.run(
                                        "INSERT OVERWRITE ps.ads.ctr SELECT CASE WHEN n = 120 THEN"
                                                + " CAST(NULL AS BOOLEAN) ELSE NOT y END, c, x"
                                                + " FROM clicks"))
                .hasStackTraceContaining("label column 'y': NULL is no label");
        assertThat(tables.versions("ads.ctr")).isEqualTo(before);
        try (var left = Files.list(root.resolve("ads/ctr/versions"))) {
            assertThat(left).hasSize(before.size());
        }
        Path registry = root.resolve("ads/ctr/registry");
        Polling.await("servers are left", () -> registry.toFile().list().length == 0);
        assertThat(predictions(session)).isEqualTo(predicted);
        session.run("INSERT OVERWRITE ps.ads.ctr SELECT NOT y, c, x FROM clicks");
        assertThat(predictions(session)).isNotEqualTo(predicted);
    }

    private static List<Row> predictions(ModelTables session) {
        return CollectionUtil.iteratorToList(
                session.sql
                        .executeSql(
                                "SELECT PS_PREDICT('ads.ctr', c, x) FROM (VALUES ('c0', 0.5e0),"
                                        + " ('c1', 0.1e0)) AS t (c, x)")
                        .collect());
    }
}
