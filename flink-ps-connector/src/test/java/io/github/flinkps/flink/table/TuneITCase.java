package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.flink.testing.SharedCluster;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** INSERT with the option tune, which finds options by its rows. */
class TuneITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final int ROWS = 500;

    /** Numbers of 0 to 10,000 times 1 / 11, and the same number in every row. */
    private static final String SELECT =
            " SELECT y, c, 1000 * x AS wide, CAST(10.04 AS FLOAT) AS same FROM clicks";

    private static final String TUNE = "INSERT INTO ctr /*+ OPTIONS('tune' = 'true') */" + SELECT;

    @TempDir Path root;
    private ModelTables tables;

    private ModelTables tables(boolean batch, int parallelism) {
        ModelTables made = new ModelTables(CLUSTER.environment(parallelism), root, batch);
        made.boundedRows("clicks", ROWS);
        made.sql.executeSql(
                "CREATE CATALOG ps WITH ('type' = 'flink-ps', 'model-root' = '"
                        + root.toUri()
                        + "')");
        made.sql.executeSql("CREATE DATABASE IF NOT EXISTS ps.ads");
        made.sql.executeSql("CREATE TEMPORARY VIEW ps.ads.clicks AS SELECT * FROM clicks");
        made.sql.executeSql("USE ps.ads");
        return made;
    }

    @BeforeEach
    void declare() {
        tables = tables(true, 2);
        model("ctr", "");
    }

    private void model(String name, String options) {
        tables.sql.executeSql(
                "CREATE TABLE "
                        + name
                        + " (y BOOLEAN, c STRING, wide DOUBLE, same FLOAT) WITH ('label' = 'y'"
                        + options
                        + ")");
    }

    private Map<String, String> options() {
        return new ModelRoot(root.toString()).definition("ads", "ctr").orElseThrow().options();
    }

    private static double[] standard(String option) {
        assertThat(option).matches("standard\\(.*, .*\\)");
        String[] numbers = option.replaceAll("standard\\(|\\)", "").split(",");
        return new double[] {Double.parseDouble(numbers[0]), Double.parseDouble(numbers[1])};
    }

    @ParameterizedTest
    @CsvSource({"true, 1", "true, 2", "false, 2"})
    void findsScalesAndWhatLearns(boolean batch, int parallelism) throws Exception {
        tables = tables(batch, parallelism);
        tables.run(TUNE);
        assertThat(tables.versions("ads.ctr")).isEmpty();
        Map<String, String> found = options();
        double mean = 0;
        double squares = 0;
        for (int n = 0; n < ROWS; n++) {
            double wide = 1000 * (n % 11) / 11.0;
            mean += wide / ROWS;
            squares += wide * wide / ROWS;
        }
        double[] scale = standard(found.get("numeric.wide"));
        assertThat(scale[0]).isCloseTo(mean, within(1e-9));
        assertThat(scale[1]).isCloseTo(Math.sqrt(squares - mean * mean), within(1e-6));
        assertThat(standard(found.get("numeric.same"))).containsExactly(10.04f, 1);
        assertThat(found)
                .containsEntry("label", "y")
                .containsEntry("batch-size", parallelism == 1 ? "24" : "12")
                .containsEntry("shuffle", "ROWS")
                .containsKeys("epochs", "l2", "learning-rate", "cosine-steps", "initial-bias");
        // Two of five rows are clicks.
        assertThat(Double.parseDouble(found.get("initial-bias")))
                .isCloseTo(Math.log(2 / 3.0), within(1e-3));
        assertThat(found.get("tuned").split(";")).hasSize(found.size() - 2);
        tables.run("INSERT INTO ctr" + SELECT);
        ModelVersion trained = tables.newest("ads.ctr");
        assertThat(ModelTables.manifest(trained).header().parameters())
                .containsEntry("l2", Double.toString(Double.parseDouble(found.get("l2"))));
    }

    @Test
    void leavesWhatIsGivenAndFindsTheRestAnew() throws Exception {
        tables.sql.executeSql("ALTER TABLE ctr SET ('epochs' = '3', 'numeric.same' = 'log')");
        tables.run(TUNE);
        Map<String, String> first = options();
        assertThat(first).containsEntry("epochs", "3").containsEntry("numeric.same", "log");
        assertThat(first.get("tuned")).doesNotContain("epochs").doesNotContain("same");
        tables.run(TUNE.replace("1000 * x", "2000 * x"));
        assertThat(options().keySet()).isEqualTo(first.keySet());
        assertThat(standard(options().get("numeric.wide"))[0])
                .isCloseTo(2 * standard(first.get("numeric.wide"))[0], within(1e-6));
        tables.sql.executeSql("ALTER TABLE ctr SET ('numeric' = 'none')");
        tables.run(TUNE);
        assertThat(options()).doesNotContainKey("numeric.wide").containsEntry("numeric", "none");
    }

    @Test
    void rowsThatCannotBeUsedFailOrAreSkipped() throws Exception {
        String broken = TUNE.replace(" AS FLOAT) AS same", " AS FLOAT) / IF(n = 7, 0, 1) AS same");
        assertThatThrownBy(() -> tables.run(broken))
                .rootCause()
                .hasMessageContaining("column 'same'");
        assertThat(options()).doesNotContainKey("tuned");
        tables.sql.executeSql("ALTER TABLE ctr SET ('on-bad-row' = 'SKIP')");
        tables.run(broken);
        assertThat(standard(options().get("numeric.same"))).containsExactly(10.04f, 1);
    }

    /** Names of columns are what the user likes, marks of lists too. */
    @Test
    void columnsMayHaveAnyName() throws Exception {
        String odd = "it's; odd";
        tables.sql.executeSql("ALTER TABLE ctr RENAME wide TO `" + odd + "`");
        tables.run(TUNE);
        Map<String, String> first = options();
        assertThat(first).containsKeys("numeric." + odd, "numeric.same");
        tables.run(TUNE.replace("1000 * x", "2000 * x"));
        assertThat(options().keySet()).isEqualTo(first.keySet());
        assertThat(standard(options().get("numeric." + odd))[0])
                .isCloseTo(2 * standard(first.get("numeric." + odd))[0], within(1e-6));
    }

    @Test
    void anotherOptimizerHasItsNumbersScaled() throws Exception {
        tables.sql.executeSql("ALTER TABLE ctr SET ('optimizer' = 'ftrl')");
        tables.run(TUNE);
        assertThat(options().get("tuned")).isEqualTo("numeric.same;numeric.wide");
    }

    @Test
    void isForModelsOfACatalogThatAreNotTrainedAndForInputsThatEnd() throws Exception {
        tables.run("INSERT INTO ctr" + SELECT);
        refused(TUNE, "not trained yet", "reset_model('ads.ctr')");
        tables.sql.executeSql("CALL sys.reset_model('ads.ctr')").await();
        tables.run(TUNE);
        assertThat(options()).containsKey("tuned");
        refused(
                "CREATE TABLE other (y BOOLEAN, x DOUBLE) WITH ('label' = 'y', 'tune' = 'true')",
                "option 'tune' is one of an INSERT");
        tables.model("alone", "ads.alone", "");
        refused(
                "INSERT INTO alone /*+ OPTIONS('tune' = 'true') */ SELECT y, c, x FROM clicks",
                "for the models of a catalog");
        ModelTables endless = tables(false, 1);
        endless.sql.executeSql(
                "CREATE TEMPORARY TABLE numbers (x DOUBLE) WITH ('connector' = 'datagen')");
        tables = endless;
        model("endless", "");
        refused(
                "INSERT INTO endless /*+ OPTIONS('tune' = 'true') */"
                        + " SELECT x > 0, 'c', x, CAST(x AS FLOAT) FROM numbers",
                "for an input that ends");
    }

    private void refused(String statement, String... why) {
        assertThatThrownBy(() -> tables.run(statement))
                .satisfies(
                        refusal -> {
                            Throwable last = refusal;
                            while (last.getCause() != null) {
                                last = last.getCause();
                            }
                            assertThat(last)
                                    .isInstanceOf(ValidationException.class)
                                    .message()
                                    .contains(why);
                        });
    }
}
