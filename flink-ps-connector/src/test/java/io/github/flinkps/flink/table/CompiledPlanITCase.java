package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.testing.SharedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Plans of statements about a catalog's models, compiled in one session and run in another. */
@Timeout(180)
class CompiledPlanITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final int ROWS = 160;
    private static final String TRAINED = " SELECT y, c, x FROM clicks";

    @TempDir Path root;
    @TempDir Path files;
    private ModelTables first;

    @BeforeEach
    void declare() {
        first = session();
        first.sql.executeSql("CREATE DATABASE ps.ads");
        for (String model : List.of("ctr", "twin", "other")) {
            first.sql.executeSql(
                    "CREATE TABLE ps.ads."
                            + model
                            + " (y BOOLEAN, c STRING, x DOUBLE) WITH ('label'='y',"
                            + " 'batch-size'='16')");
        }
    }

    /** Plans have no temporary tables. */
    private ModelTables session() {
        ModelTables made = new ModelTables(CLUSTER.environment(1), root, false);
        made.sql.executeSql(
                "CREATE CATALOG ps WITH ('type'='flink-ps', 'model-root'='" + root.toUri() + "')");
        made.sql.executeSql("LOAD MODULE ps WITH ('model-root'='" + root.toUri() + "')");
        made.boundedRows("clicks", ROWS);
        made.model("ctr", "ads.ctr", "");
        made.model("other", "ads.other", "");
        for (String name : List.of("lines1", "lines2")) {
            made.sql.executeSql(
                    "CREATE TEMPORARY TABLE "
                            + name
                            + " (line STRING) WITH ('connector'='filesystem', 'format'='raw',"
                            + " 'path'='"
                            + files.resolve(name).toUri()
                            + "')");
        }
        return made;
    }

    private String compile(String name, String statement) {
        Path plan = files.resolve(name + ".json");
        first.sql.executeSql("COMPILE PLAN '" + plan + "' FOR " + statement);
        return "EXECUTE PLAN '" + plan + "'";
    }

    private Map<String, List<Integer>> newest(String model) {
        return ModelTables.bits(first.newest(model));
    }

    @Test
    void trainsFromTheVersionThatIsTheNewestWhenItRuns() throws Exception {
        String insert = compile("insert", "INSERT INTO ctr" + TRAINED);
        String overwrite = compile("overwrite", "INSERT OVERWRITE ctr" + TRAINED);
        assertThat(first.versions("ads.ctr")).isEmpty();
        for (int time = 0; time < 2; time++) {
            session().run(insert);
            first.run("INSERT INTO ps.ads.twin" + TRAINED);
            assertThat(first.versions("ads.ctr")).hasSize(time + 1);
            assertThat(newest("ads.ctr")).isEqualTo(newest("ads.twin"));
        }
        session().run(overwrite);
        assertThat(newest("ads.ctr"))
                .isEqualTo(ModelTables.bits(first.versions("ads.ctr").get(0)))
                .isNotEqualTo(newest("ads.twin"));
    }

    @Test
    void trainsSeveralModels() throws Exception {
        String both =
                compile(
                        "both",
                        "STATEMENT SET BEGIN INSERT INTO ctr"
                                + TRAINED
                                + "; INSERT INTO other"
                                + TRAINED
                                + " WHERE n < 80; END");
        session().run(both);
        first.run("INSERT INTO ps.ads.twin" + TRAINED);
        assertThat(newest("ads.ctr"))
                .isEqualTo(newest("ads.twin"))
                .isNotEqualTo(newest("ads.other"));
        assertThat(first.versions("ads.other")).hasSize(1);
    }

    /** The plan says itself where the model is; Flink asks no catalog for what a plan writes. */
    @Test
    void trainsAModelOfACatalogAlsoWhereThereIsNone() throws Exception {
        String named = compile("named", "INSERT INTO ps.ads.ctr" + TRAINED);
        session().run(named);
        first.run("INSERT INTO ps.ads.twin" + TRAINED);
        assertThat(newest("ads.ctr")).isEqualTo(newest("ads.twin"));
        ModelTables without = new ModelTables(CLUSTER.environment(1), root, false);
        without.boundedRows("clicks", ROWS);
        without.run(named);
        first.run("INSERT INTO ps.ads.twin" + TRAINED);
        assertThat(newest("ads.ctr")).isEqualTo(newest("ads.twin"));
        first.sql.executeSql("CREATE TABLE default_catalog.default_database.same LIKE ps.ads.ctr");
        first.run("INSERT INTO default_catalog.default_database.same" + TRAINED);
        assertThat(first.versions("ads.ctr")).hasSize(3);
    }

    @Test
    void aPlanKeepsTheServersOfTheCatalog() throws Exception {
        first.sql.executeSql(
                "CREATE CATALOG remote WITH ('type'='flink-ps', 'remote'='localhost:1',"
                        + " 'model-root'='"
                        + root.toUri()
                        + "')");
        first.sql.executeSql("CREATE TABLE remote.ads.far WITH ('timeout'='2 s') LIKE ps.ads.ctr");
        String plan = compile("far", "INSERT INTO remote.ads.far" + TRAINED);
        assertThatThrownBy(() -> session().run(plan)).hasStackTraceContaining("localhost:1");
        assertThat(first.versions("ads.far")).isEmpty();
    }

    @Test
    void hintsAreLeftOutAsThePageSays() throws Exception {
        String hint = " /*+ OPTIONS('epochs'='3') */";
        session().run(compile("hinted", "INSERT INTO ctr" + hint + TRAINED));
        first.run("INSERT INTO ps.ads.twin" + TRAINED);
        assertThat(newest("ads.ctr")).isEqualTo(newest("ads.twin"));
    }

    private List<String> lines(String name) throws IOException {
        List<String> lines = new ArrayList<>();
        try (var written = Files.list(files.resolve(name))) {
            for (Path file : written.filter(Files::isRegularFile).sorted().toList()) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }

    @Test
    void predictsByTheVersionThatIsTheNewestWhenItRuns() throws Exception {
        first.run("INSERT INTO ps.ads.ctr" + TRAINED);
        first.sql.executeSql(
                "CREATE TEMPORARY VIEW asked AS SELECT c, x, PROCTIME() AS proc FROM clicks"
                        + " WHERE n < 20");
        String plan =
                compile(
                        "predicted",
                        "INSERT INTO lines1 SELECT CONCAT_WS(' ', CAST(p.score AS STRING),"
                            + " CAST(PS_PREDICT('ads.ctr', a.c, a.x) AS STRING)) FROM asked AS a"
                            + " JOIN ps.ads.`ctr$predictions` /*+ OPTIONS('cache-rows'='7') */ FOR"
                            + " SYSTEM_TIME AS OF a.proc AS p ON p.c = a.c AND p.x = a.x");
        String waiting =
                compile(
                        "waiting",
                        "INSERT INTO lines2 SELECT CAST(PS_PREDICT_ASYNC('ads.ctr', c, x) AS"
                                + " STRING) FROM asked");
        first.run("INSERT INTO ps.ads.ctr" + TRAINED);
        session().run(plan);
        session().run(waiting);
        List<String> scores = new ArrayList<>();
        try (var rows =
                first.sql
                        .executeSql("SELECT CAST(PS_PREDICT('ads.ctr', c, x) AS STRING) FROM asked")
                        .collect()) {
            rows.forEachRemaining(row -> scores.add((String) row.getField(0)));
        }
        assertThat(scores).hasSize(20);
        assertThat(lines("lines2")).isEqualTo(scores);
        assertThat(lines("lines1"))
                .isEqualTo(scores.stream().map(score -> score + " " + score).toList());
    }

    @Test
    void readsParameters() throws Exception {
        first.run("INSERT INTO ps.ads.ctr" + TRAINED);
        String plan =
                compile(
                        "parameters",
                        "INSERT INTO lines1 SELECT CAST(`values`[1] AS STRING) FROM"
                                + " ps.ads.`ctr$params`");
        String versions =
                compile("versions", "INSERT INTO lines2 SELECT version FROM ps.ads.`ctr$versions`");
        first.run("INSERT INTO ps.ads.ctr" + TRAINED);
        session().run(plan);
        session().run(versions);
        assertThat(lines("lines2"))
                .isEqualTo(first.versions("ads.ctr").stream().map(ModelVersion::id).toList());
        assertThat(lines("lines1"))
                .containsExactlyInAnyOrderElementsOf(
                        newest("ads.ctr").values().stream()
                                .map(row -> Float.toString(Float.intBitsToFloat(row.get(0))))
                                .toList());
    }

    @Test
    void aModelThatIsGoneIsRefusedWhenThePlanIsLoaded() throws Exception {
        first.run("INSERT INTO ps.ads.ctr" + TRAINED);
        String predict =
                compile(
                        "predict",
                        "INSERT INTO lines1 SELECT CAST(PS_PREDICT('ads.ctr', c, x) AS STRING) FROM"
                                + " clicks");
        first.sql.executeSql("DROP TABLE ps.ads.ctr");
        assertThatThrownBy(() -> session().run(predict))
                .hasStackTraceContaining("there is no model ads.ctr in");
    }
}
