package io.github.flinkps.flink;

import static io.github.flinkps.flink.testing.LocalCluster.collect;
import static io.github.flinkps.flink.testing.LocalCluster.collectRows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.ModelValues;
import io.github.flinkps.testing.Polling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole jobs in a MiniCluster over real parameter servers. */
@Timeout(120)
class RealServersITCase {
    private static final int KEYS = 200;
    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;
    private final TrainingModel model = LogisticRegression.builder().build();

    private static DataStream<RowBatch> rows(StreamExecutionEnvironment env, int sources) {
        return env.fromSequence(0, 39)
                .setParallelism(sources)
                .map(number -> TestingRows.batch(number, 50, KEYS))
                .returns(RowBatchTypeInfo.INSTANCE)
                .setParallelism(sources);
    }

    private TrainingJob<RowBatch> job(DataStream<RowBatch> rows, int workers) {
        return FlinkPs.train(rows, model)
                .set(PsOptions.MODEL_NAME, "clicks")
                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                .set(PsOptions.WORKERS, workers)
                .set(PsOptions.EPOCHS, 4)
                .set(PsOptions.TIMEOUT, Duration.ofSeconds(30));
    }

    /** The weights, and the bias under key -1. */
    private static Map<Long, Float> weights(String directory) {
        ModelValues values = ModelValues.read(Path.of(directory));
        Map<Long, Float> weights = new TreeMap<>(values.table("weights"));
        weights.put(-1L, values.get("bias", 0));
        return weights;
    }

    private void checkReports(List<WorkerReport> reports, int workers) {
        assertThat(reports).hasSize(workers);
        assertThat(reports.stream().mapToLong(WorkerReport::rows).sum()).isEqualTo(2000);
        double first = reports.stream().mapToDouble(each -> each.lossSums()[0]).sum();
        double last = reports.stream().mapToDouble(each -> each.lossSums()[3]).sum();
        assertThat(last).isLessThan(first / 1.5);
        assertThat(reports)
                .allSatisfy(
                        each -> {
                            assertThat(each.bytesSent()).isPositive();
                            assertThat(each.bytesReceived()).isPositive();
                        });
    }

    @ParameterizedTest
    @CsvSource({"BSP,1,1", "BSP,4,3", "SSP,2,3", "SSP,4,1", "ASP,4,3"})
    void trainsWithEmbeddedServers(ConsistencySpec.Kind kind, int workers, int servers)
            throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        String directory = root.resolve("model").toString();
        TrainingJob<RowBatch> job =
                job(rows(env, 2), workers)
                        .set(PsOptions.SERVERS, servers)
                        .set(PsOptions.CONSISTENCY, kind)
                        .set(PsOptions.MODEL_OUTPUT, directory);
        if (kind != ConsistencySpec.Kind.BSP) {
            job.set(PsOptions.PREFETCH, 2);
        }
        if (kind == ConsistencySpec.Kind.SSP) {
            job.set(PsOptions.STALENESS, 4);
        }
        checkReports(collect(job.start().reports()), workers);
        Map<Long, Float> weights = weights(directory);
        assertThat(weights).hasSize(KEYS + 1);
        assertThat(weights.get(2L)).isPositive();
        assertThat(weights.get(3L)).isNegative();
    }

    @Test
    void trainsWithRemoteServersOverSockets() throws Exception {
        try (ParameterServer one = ParameterServer.start(ServerConfig.defaults());
                ParameterServer two = ParameterServer.start(ServerConfig.defaults())) {
            StreamExecutionEnvironment env = CLUSTER.environment(1);
            String directory = root.resolve("model").toString();
            Training training =
                    job(rows(env, 1), 2)
                            .set(PsOptions.REMOTE, List.of(one.address(), two.address()))
                            .set(PsOptions.MODEL_OUTPUT, directory)
                            .start();
            checkReports(collect(training.reports()), 2);
            assertThat(weights(directory)).hasSize(KEYS + 1);
        }
    }

    @Test
    void oneJobAfterTheOtherOnTheSameRemoteServers() throws Exception {
        try (ParameterServer server = ParameterServer.start(ServerConfig.defaults())) {
            for (int i = 0; i < 3; i++) {
                Training training =
                        job(rows(CLUSTER.environment(1), 1), 2)
                                .set(PsOptions.REMOTE, List.of(server.address()))
                                .set(PsOptions.MODEL_OUTPUT, root.resolve("model").toString())
                                .start();
                // Each begins anew: its first pass has all to learn.
                checkReports(collect(training.reports()), 2);
            }
            assertThat(
                            collectRows(
                                    FlinkPs.score(
                                                    rows(CLUSTER.environment(1), 1),
                                                    root.resolve("model").toString())
                                            .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                                            .set(PsOptions.REMOTE, List.of(server.address()))
                                            .start()))
                    .hasSize(2000);
            try (ParameterClient client =
                    ParameterClients.create(List.of(server.address()), ClientConfig.defaults())) {
                // The model that was trained; the one that scored is forgotten.
                assertThat(
                                client.stats(Duration.ofSeconds(10))
                                        .get(20, TimeUnit.SECONDS)
                                        .get(0)
                                        .models())
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void roundsGiveTheSameBitsWhateverTheServers() throws Exception {
        List<Map<Long, Float>> models = new ArrayList<>();
        for (int servers : new int[] {1, 3, 1}) {
            StreamExecutionEnvironment env = CLUSTER.environment(1);
            String directory = root.resolve("model-" + models.size()).toString();
            // Who trains what is the same in every run.
            DataStream<RowBatch> dealt =
                    rows(env, 1)
                            .partitionCustom(
                                    (block, count) -> (int) (block % count), RowBatch::block);
            collect(
                    job(dealt, 2)
                            .set(PsOptions.SERVERS, servers)
                            .set(PsOptions.MODEL_OUTPUT, directory)
                            .start()
                            .reports());
            models.add(weights(directory));
        }
        assertThat(models.get(1)).isEqualTo(models.get(0));
        assertThat(models.get(2)).isEqualTo(models.get(0));
    }

    @Test
    void aSavedModelScoresAndTrainsOn() throws Exception {
        String directory = root.resolve("model").toString();
        collect(
                job(rows(CLUSTER.environment(1), 1), 1)
                        .set(PsOptions.MODEL_OUTPUT, directory)
                        .set(PsOptions.SAVE_SLOTS, true)
                        .start()
                        .reports());
        List<ScoredRow> scores =
                collectRows(
                        FlinkPs.score(rows(CLUSTER.environment(1), 2), directory)
                                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                                .set(PsOptions.SERVERS, 2)
                                .set(PsOptions.WORKERS, 3)
                                .start());
        assertThat(scores).hasSize(2000);
        assertThat(scores.stream().filter(each -> (each.score() > .5f) == (each.label() > .5f)))
                .hasSizeGreaterThan(1990);
        String next = root.resolve("next").toString();
        List<WorkerReport> reports =
                collect(
                        job(rows(CLUSTER.environment(1), 1), 1)
                                .set(PsOptions.INITIAL_MODEL, directory)
                                .set(PsOptions.MODEL_OUTPUT, next)
                                .start()
                                .reports());
        WorkerReport report = reports.get(0);
        assertThat(report.lossSums()[0] / report.weightSums()[0]).isLessThan(0.2);
        assertThat(weights(next)).hasSize(KEYS + 1).isNotEqualTo(weights(directory));
    }

    @Test
    void aServerLostInTheMiddleFailsTheJob() throws Exception {
        ParameterServer one = ParameterServer.start(ServerConfig.defaults());
        try (ParameterServer two = ParameterServer.start(ServerConfig.defaults())) {
            StreamExecutionEnvironment env = CLUSTER.environment(1);
            job(rows(env, 1), 2)
                    .set(PsOptions.EPOCHS, 100_000)
                    .set(PsOptions.REMOTE, List.of(two.address(), one.address()))
                    .set(PsOptions.TIMEOUT, Duration.ofSeconds(5))
                    .set(PsOptions.MODEL_OUTPUT, root.resolve("model").toString())
                    .start()
                    .reports()
                    .print();
            JobClient client = env.executeAsync();
            awaitRows(two.address());
            one.close();
            assertThatThrownBy(() -> client.getJobExecutionResult().get(60, TimeUnit.SECONDS))
                    .hasStackTraceContaining("parameter servers");
            assertThat(root.resolve("model")).doesNotExist();
        } finally {
            one.close();
        }
    }

    @Test
    void anOutputThatIsNoModelIsRefusedBeforeTraining() throws Exception {
        Path directory = Files.createDirectories(root.resolve("precious"));
        Files.writeString(directory.resolve("letter.txt"), "dear");
        Training training =
                job(rows(CLUSTER.environment(1), 1), 1)
                        .set(PsOptions.EPOCHS, 100_000)
                        .set(PsOptions.MODEL_OUTPUT, directory.toString())
                        .start();
        assertThatThrownBy(() -> collect(training.reports()))
                .hasStackTraceContaining("is there and is not a model");
        assertThat(directory.resolve("letter.txt")).hasContent("dear");
    }

    /** Waits until workers have pushed. */
    private static void awaitRows(String address) throws Exception {
        Duration bound = Duration.ofSeconds(10);
        try (ParameterClient client =
                ParameterClients.create(List.of(address), ClientConfig.defaults())) {
            Polling.await(
                    "workers do not push",
                    () -> client.stats(bound).get(20, TimeUnit.SECONDS).get(0).rows() >= 50);
        }
    }

    @Test
    void cancelledWhileTrainingItLeavesNothing() throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        job(rows(env, 1), 3)
                .set(PsOptions.EPOCHS, 100_000)
                .set(PsOptions.SERVERS, 2)
                .set(PsOptions.MODEL_OUTPUT, root.resolve("model").toString())
                .start()
                .reports()
                .print();
        JobClient client = env.executeAsync();
        String model = root.resolve("default/clicks").toString();
        Polling.await(
                "no server has come up",
                () -> !ServiceRegistry.live(model, System.currentTimeMillis()).isEmpty());
        LocalCluster.cancel(client);
        Polling.await(
                "servers are left",
                () -> ServiceRegistry.training(model, System.currentTimeMillis()).isEmpty());
        assertThat(root.resolve("model")).doesNotExist();
    }
}
