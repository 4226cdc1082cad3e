package io.github.flinkps.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.flinkps.examples.TrainOnFile;
import io.github.flinkps.testing.ModelValues;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The very jars of {@link RealClusterITCase} in clusters of other versions of Flink, by the same
 * commands of {@code docs/cluster.md}. A version that is not there yet is installed with {@code
 * -Dlong} only.
 */
@EnabledIfSystemProperty(
        named = "packaged",
        matches = "true",
        disabledReason = "runs after packaging, with mvn verify")
@Timeout(300)
class OtherVersionsITCase {
    private static final boolean LONG = System.getProperty("long") != null;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Pattern JOB = Pattern.compile("JobID (\\w{32})");
    private static final Pattern LISTENING = Pattern.compile("listening on (\\S+)");

    @TempDir private Path folder;

    private static ChildProcess succeeds(TestingFlinkCluster cluster, String command)
            throws Exception {
        ChildProcess process = cluster.run("client", command);
        int code = process.awaitExit(LIMIT);
        assertThat(code).withFailMessage(() -> process.tail(60) + "\n" + cluster.logs()).isZero();
        return process;
    }

    /** Checkpoints while it trains, on workers in two processes; then SQL. */
    @ParameterizedTest
    @ValueSource(strings = {"2.2.0", "2.3.0"})
    void trainsAndPredictsTheSame(String version) throws Exception {
        FlinkDistribution flink = new FlinkDistribution(version);
        assumeThat(LONG || flink.isThere())
                .as("Flink %s, which only -Dlong installs, is there", version)
                .isTrue();
        Path rows = TestingRows.write(folder.resolve("rows.libsvm"));
        Path model = folder.resolve("model");
        ClusterPage page = new ClusterPage();
        String embedded =
                on(page.command("bin/flink run", "--servers"), rows, model)
                        .replace("/flink run", "/flink run" + checkpoints());
        Path home = TestingFlinkCluster.home(flink.home(), folder.resolve("flink"));
        TestingFlinkCluster.addSqlGateway(home, version);
        try (TestingFlinkCluster cluster =
                new TestingFlinkCluster(home, folder.resolve("cluster"))) {
            succeeds(cluster, page.command("cp ", "/flink-sql-connector-ps-"));
            succeeds(cluster, page.command("cp ", "/flink-ps-connector-flink2-"));
            cluster.startJobManager();
            cluster.startTaskManager(1);
            cluster.startTaskManager(1);
            ModelValues local = trainedHere(rows);
            cluster.awaitTaskManagers(2);
            String job = succeeds(cluster, embedded).await(JOB, LIMIT);
            assertThat(ModelValues.read(model)).isEqualTo(local);
            assertThat(cluster.rest().placesOfWorkers(job)).hasSize(2);
            assertThat(cluster.rest().completedCheckpoints(job)).isPositive();

            String start = page.command("bin/flink-ps server", "--port 7070");
            ChildProcess server = cluster.run("server", start.replace("7070", "0"));
            Path other = folder.resolve("other");
            succeeds(
                    cluster,
                    on(page.command("bin/flink run", "--remote"), rows, other)
                            .replaceFirst("localhost:\\S+", server.await(LISTENING, LIMIT)));
            assertThat(ModelValues.read(other)).isEqualTo(local);
            UserFiles files = new UserFiles(Files.createDirectory(folder.resolve("sql")));
            String sql = page.command("sql-client.sh -f", "clicks.sql");
            assertThat(succeeds(cluster, files.sql(sql, Map.of())).output())
                    .doesNotContain("[ERROR]")
                    .contains(RealClusterITCase.CLICKS_OF_NEWS, RealClusterITCase.CLICKS);
            assertThat(succeeds(cluster, files.page(sql, "docs/ml-predict.md")).output())
                    .containsPattern("\\| \\+I \\| +site-2 \\| +0\\.7 \\|")
                    .contains("column 'cost' is none of the features [site, price]");
        }
    }

    private String checkpoints() {
        return " -Dexecution.checkpointing.interval=200ms -Dexecution.checkpointing.dir="
                + folder.resolve("checkpoints").toUri();
    }

    /** A command with paths of ours. */
    private static String on(String command, Path input, Path model) {
        return command.replace("/data/train.libsvm", input.toString())
                .replace("/data/model", model.toString());
    }

    /** Returns the model that the Flink we are built with trains, in this process. */
    private ModelValues trainedHere(Path rows) throws Exception {
        Path model = folder.resolve("local");
        TrainOnFile.main(
                ("--input " + rows + " --model " + model + " --servers 2 --workers 2 --epochs 3")
                        .split(" "));
        return ModelValues.read(model);
    }
}
