package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.Savepoints;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.CompiledPlan;
import org.apache.flink.table.api.PlanReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndlessInsertITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final String INSERT = "INSERT INTO ctr SELECT y, c, x FROM clicks";
    private static final int ROWS = 2400;

    @TempDir Path root;
    @TempDir Path savepoints;

    /** The rows come by and by, so that the job can be stopped on the way. */
    private ModelTables tables(String model, String options) {
        StreamExecutionEnvironment environment = CLUSTER.environment(1);
        environment.enableCheckpointing(100);
        environment.getCheckpointConfig().setTolerableCheckpointFailureNumber(100);
        ModelTables tables = new ModelTables(environment, root, false);
        tables.rows("clicks", ROWS, ", 'rows-per-second'='800'");
        tables.model("ctr", model, options);
        return tables;
    }

    @ParameterizedTest
    @ValueSource(strings = {"table", "plan", "catalog"})
    void whatIsStoppedGoesOnAsIfItHadNotBeen(String way) throws Exception {
        boolean compiled = way.equals("plan");
        String insert = way.equals("catalog") ? INSERT.replace("ctr", "ps.ads.ctr") : INSERT;
        ModelTables whole = tables("ads.whole", "");
        whole.sql.executeSql("DROP TEMPORARY VIEW clicks");
        whole.sql.executeSql("DROP TEMPORARY TABLE clicks_numbers");
        whole.boundedRows("clicks", ROWS);
        whole.run(INSERT);

        ModelTables first = tables("ads.ctr", "");
        catalog(first);
        first.sql.executeSql("CREATE DATABASE ps.ads");
        first.sql.executeSql(
                "CREATE TABLE ps.ads.ctr (y BOOLEAN, c STRING, x DOUBLE) WITH ('label'='y',"
                        + " 'batch-size'='16', 'linger'='0 s')");
        Path plan = savepoints.resolve("plan.json");
        JobClient job;
        if (compiled) {
            CompiledPlan compiledPlan = first.sql.compilePlanSql(INSERT);
            compiledPlan.writeToFile(plan);
            job = compiledPlan.execute().getJobClient().orElseThrow();
        } else {
            job = first.start(insert);
        }
        awaitCheckpoints(job);
        String savepoint = Savepoints.stop(job, false, savepoints);
        assertThat(first.versions("ads.ctr")).isEmpty();

        ModelTables second = tables("ads.ctr", "");
        catalog(second);
        second.sql.getConfig().set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        ModelTables.await(
                compiled
                        ? second.sql.loadPlan(PlanReference.fromFile(plan)).execute()
                        : second.sql.executeSql(insert));
        assertThat(second.versions("ads.ctr")).hasSize(1);
        assertThat(ModelTables.bits(second.newest("ads.ctr")))
                .isEqualTo(ModelTables.bits(second.newest("ads.whole")));
    }

    private void catalog(ModelTables tables) {
        tables.sql.executeSql(
                "CREATE CATALOG ps WITH ('type'='flink-ps', 'model-root'='" + root.toUri() + "')");
    }

    private static void awaitCheckpoints(JobClient job) throws Exception {
        Polling.await(
                "no checkpoints", () -> CLUSTER.cluster().checkpoints(job.getJobID()).size() >= 2);
    }

    @Test
    void versionsComeOnTheWayAndADrainedJobPublishesItsLast() throws Exception {
        ModelTables tables = tables("ads.ctr", ", 'save-interval'='200 ms'");
        JobClient job = tables.start(INSERT);
        Polling.await("no versions", () -> tables.versions("ads.ctr").size() >= 2);
        int before = tables.versions("ads.ctr").size();
        Savepoints.stop(job, true, savepoints);
        assertThat(tables.versions("ads.ctr").size()).isGreaterThan(before);
        ModelTables next = tables("ads.ctr", "");
        JobClient endless = next.start(INSERT);
        awaitCheckpoints(endless);
        LocalCluster.cancel(endless);
        Polling.await("servers are left", () -> runs().isEmpty());
        try (var left = Files.list(root.resolve("ads/ctr/versions"))) {
            assertThat(left).allMatch(each -> ModelVersion.isId(each.getFileName().toString()));
        }
    }

    /** The names of the runs whose servers are in the registry. */
    private List<String> runs() throws IOException {
        return ServiceRegistry.training(
                        root.resolve("ads/ctr").toUri().toString(), System.currentTimeMillis())
                .stream()
                .map(ServiceAddress::run)
                .toList();
    }

    private List<ServiceAddress> live() throws IOException {
        return ServiceRegistry.live(
                root.resolve("ads/ctr").toUri().toString(), System.currentTimeMillis());
    }

    @Test
    void whoBeginsFromScratchIsNotFoundByPredictions() throws Exception {
        ModelTables first = tables("ads.ctr", ", 'save-interval'='200 ms'");
        JobClient job = first.start(INSERT);
        Polling.await("no live servers", () -> !live().isEmpty());
        Polling.await("no version", () -> !first.versions("ads.ctr").isEmpty());
        LocalCluster.cancel(job);
        Polling.await("servers are left", () -> runs().isEmpty());
        new ModelRoot(root.toString()).reset("ads", "ctr", Instant.now());

        JobClient again = tables("ads.ctr", "").start(INSERT);
        Polling.await("no servers", () -> !runs().isEmpty());
        assertThat(runs()).allMatch(run -> run.startsWith(ServiceRegistry.PRIVATE_RUN));
        assertThat(live()).isEmpty();
        LocalCluster.cancel(again);
        Polling.await("servers are left", () -> runs().isEmpty());
    }
}
