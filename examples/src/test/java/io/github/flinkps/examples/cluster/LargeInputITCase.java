package io.github.flinkps.examples.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.testing.ModelValues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two workers and two servers in one TaskManager whose memory their rows exceed, with the defaults
 * of every option, and with checkpoints: 2 million rows and a small TaskManager; with {@code
 * -Dlong} 20 million rows and a TaskManager of 2 GiB.
 */
@EnabledIfSystemProperty(
        named = "packaged",
        matches = "true",
        disabledReason = "runs after packaging, with mvn verify")
@Timeout(3600)
class LargeInputITCase {
    private static final boolean LONG = System.getProperty("long") != null;
    private static final int ROWS = LONG ? 20_000_000 : 2_000_000;
    private static final int VALUES = LONG ? 1 << 17 : 1 << 14;
    private static final int TEST_ROWS = 50_000;
    private static final Duration LIMIT = Duration.ofMinutes(LONG ? 50 : 9);

    private static final Pattern JOB = Pattern.compile("JobID (\\w{32})");
    private static final String CHECKPOINTS =
            "-Dexecution.checkpointing.interval=3s"
                    + " -Dexecution.checkpointing.dir=file://CHECKPOINTS"
                    + " -Dexecution.checkpointing.tolerable-failed-checkpoints=9 ";

    /** The most by which the loss may exceed the best one there can be. */
    private static final double MARGIN = .03;

    @TempDir private Path folder;

    @Test
    void trainsOnMoreRowsThanATaskManagerHolds() throws Exception {
        Path home =
                TestingFlinkCluster.home(new FlinkDistribution().home(), folder.resolve("flink"));
        Map<String, String> memory =
                LONG
                        ? Map.of("taskmanager.memory.process.size", "2048m")
                        : TestingFlinkCluster.SMALL_TASK_MANAGER;
        ClusterPage page = new ClusterPage();
        WideRows rows = new WideRows(VALUES);
        Path input = rows.write(folder.resolve("rows.libsvm"), ROWS);
        Path model = folder.resolve("model");
        try (TestingFlinkCluster cluster =
                new TestingFlinkCluster(home, folder.resolve("cluster"), memory)) {
            cluster.run("cp", page.command("cp ", "/flink-sql-connector-ps-")).awaitExit(LIMIT);
            cluster.startJobManager();
            ChildProcess taskManager = cluster.startTaskManager(2);
            cluster.awaitTaskManagers(1);
            String command =
                    page.command("bin/flink run", "--servers")
                            .replace("/data/train.libsvm", input.toString())
                            .replace("/data/model", model.toString())
                            .replace("--epochs 3", "--epochs 2")
                            .replace("/flink run ", "/flink run " + CHECKPOINTS)
                            .replace("CHECKPOINTS", folder.resolve("checkpoints").toString());
            ChildProcess run = cluster.run("client", command);
            int code = run.awaitExit(LIMIT);
            assertThat(code).withFailMessage(cluster::logs).isZero();
            assertThat(cluster.rest().completedCheckpoints(run.await(JOB, LIMIT))).isPositive();
            assertThat(taskManager.output()).contains("are kept in").contains("Rows beyond");
            long most = taskManager.mostMemory();
            System.out.printf("%,d rows, a TaskManager of at most %,d MB%n", ROWS, most >> 20);
            String size = memory.get("taskmanager.memory.process.size");
            assertThat(most).isLessThanOrEqualTo(MemorySize.parse(size).getBytes());
        }
        double loss = rows.logloss(ModelValues.read(model), TEST_ROWS);
        assertThat(loss).isLessThan(rows.leastLogloss() + MARGIN);
    }
}
