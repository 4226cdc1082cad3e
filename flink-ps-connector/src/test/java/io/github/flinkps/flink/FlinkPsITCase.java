package io.github.flinkps.flink;

import static io.github.flinkps.flink.testing.LocalCluster.collect;
import static io.github.flinkps.flink.testing.LocalCluster.collectRows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.EndlessNumbers;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.TestingModelArchive;
import io.github.flinkps.flink.testing.TestingParameterService;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import io.github.flinkps.testing.Folders;
import io.github.flinkps.testing.Polling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole jobs in a MiniCluster, over a parameter service in memory. */
@Timeout(120)
class FlinkPsITCase {
    private static final int KEYS = 100;

    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;
    private TestingParameterService service;
    private final LogisticRegression model =
            LogisticRegression.builder().optimizer(UpdateSpec.sgd(0.5)).build();

    @BeforeEach
    void start() {
        service = TestingParameterService.create("it-" + System.nanoTime());
    }

    @AfterEach
    void stop() throws Exception {
        // A job may end a moment before its tasks and its coordinator are closed.
        Polling.await("clients are open", () -> service.openClients.get() == 0);
        Polling.await("sessions are open", () -> service.openSessions.get() == 0);
        Polling.await("servers run", () -> service.openServers.get() == 0);
        Polling.await("the registry has entries", () -> registryEntries() == 0);
        service.close();
    }

    private long registryEntries() {
        return Folders.find(root, Files::isRegularFile).size();
    }

    private static DataStream<RowBatch> rows(
            StreamExecutionEnvironment env, int batches, int rows, int sources) {
        return env.fromSequence(0, batches - 1)
                .setParallelism(sources)
                .map(number -> TestingRows.batch(number, rows, KEYS))
                .returns(RowBatchTypeInfo.INSTANCE)
                .setParallelism(sources);
    }

    private TrainingJob<RowBatch> job(DataStream<RowBatch> rows, int workers, int servers) {
        return FlinkPs.train(rows, model)
                .backend(service.backend())
                .archive(service.archive())
                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                .set(PsOptions.WORKERS, workers)
                .set(PsOptions.SERVERS, servers)
                .set(PsOptions.BATCH_SIZE, 16)
                .set(PsOptions.TIMEOUT, Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @CsvSource({"1,1,1", "2,1,2", "4,3,1", "2,3,4", "4,1,4"})
    void trainsAndSavesBeforeTheServersGo(int workers, int servers, int sources) throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        String directory = root + "/model-" + workers + servers + sources;
        Training training =
                job(rows(env, 20, 50, sources), workers, servers)
                        .set(PsOptions.EPOCHS, 4)
                        .set(PsOptions.MODEL_OUTPUT, directory)
                        .start();
        List<WorkerReport> reports = collect(training.reports());
        assertThat(reports).hasSize(workers);
        assertThat(reports.stream().mapToLong(WorkerReport::rows).sum()).isEqualTo(1000);
        double first = reports.stream().mapToDouble(each -> each.lossSums()[0]).sum();
        double last = reports.stream().mapToDouble(each -> each.lossSums()[3]).sum();
        assertThat(last).isLessThan(first / 2);
        assertThat(service.calls())
                .containsOnlyOnce("save " + directory + " with " + servers + " servers");
        assertThat(service.calls().stream().filter(call -> call.startsWith("deregister")))
                .hasSize(workers);
        assertThat(TestingModelArchive.SAVED).containsKey(directory);
    }

    @Test
    void moreWorkersThanRowsAndSomeWithoutAny() throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        Training training = job(rows(env, 1, 3, 1), 4, 1).set(PsOptions.EPOCHS, 5).start();
        List<WorkerReport> reports = collect(training.reports());
        assertThat(reports).hasSize(4);
        assertThat(reports.stream().filter(each -> each.rows() == 0)).hasSize(3);
        assertThat(reports.stream().mapToLong(WorkerReport::batches).sum()).isEqualTo(5);
    }

    @Test
    void emptyInputEndsWithAnUntrainedModel() throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        DataStream<RowBatch> none = rows(env, 1, 3, 1).filter(batch -> false).setParallelism(1);
        assertThat(collect(job(none, 2, 1).set(PsOptions.EPOCHS, 5).start().reports()))
                .hasSize(2)
                .allSatisfy(report -> assertThat(report.batches()).isZero());
    }

    @Test
    void staleAndAsynchronousWorkersTrainToo() throws Exception {
        for (ConsistencySpec.Kind kind :
                List.of(ConsistencySpec.Kind.SSP, ConsistencySpec.Kind.ASP)) {
            StreamExecutionEnvironment env = CLUSTER.environment(1);
            TrainingJob<RowBatch> job =
                    job(rows(env, 20, 50, 2), 4, 2)
                            .set(PsOptions.CONSISTENCY, kind)
                            .set(PsOptions.PREFETCH, 2)
                            .set(PsOptions.EPOCHS, 3)
                            .set(PsOptions.MODEL_NAME, "m-" + kind);
            if (kind == ConsistencySpec.Kind.SSP) {
                job.set(PsOptions.STALENESS, 2);
            }
            List<WorkerReport> reports = collect(job.start().reports());
            assertThat(reports.stream().mapToLong(WorkerReport::rows).sum()).isEqualTo(1000);
        }
    }

    @Test
    void progressIsALossCurve() throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        Training training = job(rows(env, 20, 50, 1), 1, 1).set(PsOptions.EPOCHS, 3).start();
        List<TrainingProgress> progress = collect(training.progress());
        assertThat(progress.stream().filter(TrainingProgress::endOfEpoch))
                .hasSize(3)
                .isSortedAccordingTo(
                        Comparator.comparingDouble(each -> -each.lossSum() / each.weightSum()));
    }

    @Test
    void scoresWithASavedModelInTheOrderOfTheInput() throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        String directory = root + "/scored";
        collect(
                job(rows(env, 20, 50, 1), 1, 1)
                        .set(PsOptions.EPOCHS, 5)
                        .set(PsOptions.MODEL_OUTPUT, directory)
                        .start()
                        .reports());
        StreamExecutionEnvironment scoring = CLUSTER.environment(1);
        List<ScoredRow> scores =
                collectRows(
                        FlinkPs.score(rows(scoring, 10, 50, 2), model, directory)
                                .backend(service.backend())
                                .archive(service.archive())
                                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                                .set(PsOptions.WORKERS, 3)
                                .start());
        assertThat(scores).hasSize(500);
        for (int i = 0; i < 500; i++) {
            assertThat(scores.get(i).block()).isEqualTo(i / 50);
            assertThat(scores.get(i).row()).isEqualTo(i % 50);
            assertThat(scores.get(i).score() > 0.5f).isEqualTo(scores.get(i).label() > 0.5f);
        }
    }

    @Test
    void aLostServerFailsTheJobWithItsReason() throws Exception {
        service.broken = number -> number == 30;
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        Training training = job(rows(env, 20, 50, 1), 2, 1).set(PsOptions.EPOCHS, 9).start();
        assertThatThrownBy(() -> collect(training.reports()))
                .rootCause()
                .hasMessageContaining("server 0 is gone");
    }

    @Test
    void aServerThatCannotStartFailsTheJobWithItsReason() throws Exception {
        service.startable = false;
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        Training training = job(rows(env, 20, 50, 1), 2, 3).start();
        assertThatThrownBy(() -> collect(training.reports()))
                .rootCause()
                .hasMessageContaining("port 7000 is in use");
    }

    @Test
    void cancelledInTheMiddleOfAWaitItEndsAtOnce() throws Exception {
        service.silent = number -> number > 10;
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        job(rows(env, 400, 50, 1), 2, 2).set(PsOptions.BUFFER_ROWS, 100).start().reports().print();
        JobClient client = env.executeAsync();
        Polling.await("no worker waits", () -> service.exchanges.get() >= 11);
        LocalCluster.cancel(client);
    }

    @Test
    void anUnboundedStreamTrainsAsItComesAndLingeringRowsToo() throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        DataStream<RowBatch> endless =
                env.fromSource(new EndlessNumbers(100), WatermarkStrategy.noWatermarks(), "endless")
                        .map(number -> TestingRows.batch(number, 3, KEYS))
                        .returns(RowBatchTypeInfo.INSTANCE);
        job(endless, 2, 1)
                .set(PsOptions.BATCH_SIZE, 100_000)
                .set(PsOptions.LINGER, Duration.ofMillis(50))
                .set(PsOptions.CONSISTENCY, ConsistencySpec.Kind.ASP)
                .start()
                .progress()
                .print();
        JobClient client = env.executeAsync();
        Polling.await("nothing is pushed", () -> service.pushes.get() >= 5);
        LocalCluster.cancel(client);
    }

    @Test
    void whatCannotWorkIsRefusedBeforeTheJobRuns() {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        DataStream<RowBatch> rows = rows(env, 1, 1, 1);
        assertThatThrownBy(() -> job(rows.keyBy(RowBatch::rows), 2, 1).start())
                .hasMessageContaining("hash");
        assertThatThrownBy(() -> job(rows, 2, 0).start()).hasMessageContaining("servers");
        assertThatThrownBy(() -> job(rows, 2, 1).set(PsOptions.EPOCHS, 0).start())
                .hasMessageContaining("epochs must be at least 1, not 0");
        assertThatThrownBy(() -> job(rows, 2, 1).set(PsOptions.DATABASE, "a.b").start())
                .hasMessageContaining("database must be");
        assertThatThrownBy(() -> job(rows, 2, 1).set(PsOptions.MODEL_ROOT, "nix://m").start())
                .hasMessageContaining("option 'model-root': Could not find a file system");
        assertThatThrownBy(() -> job(rows, 2, 1).set(PsOptions.MODEL_NAME, "../x").start())
                .hasMessageContaining("model-name");
        assertThatThrownBy(
                        () ->
                                job(rows, 2, 1)
                                        .set(PsOptions.CONSISTENCY, ConsistencySpec.Kind.SSP)
                                        .start())
                .hasMessageContaining("staleness");
        assertThatThrownBy(() -> job(rows, 2, 1).set(PsOptions.SAVE_SLOTS, true).start())
                .hasMessageContaining("save-slots needs the option model");
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> job(rows, 2, 1).set(PsOptions.SAVE_INTERVAL, second).start())
                .hasMessageContaining("save-interval needs the option model");
        assertThatThrownBy(
                        () ->
                                FlinkPs.score(rows, LogisticRegression.builder().build(), "/model")
                                        .set(PsOptions.EPOCHS, 2)
                                        .start())
                .hasMessageContaining("epochs is an option of training");
        assertThatThrownBy(() -> job(rows, 2, 1).set(PsOptions.REMOTE, List.of("a:1")).start())
                .hasMessageContaining("remote needs the option model-name");
        assertThatThrownBy(
                        () ->
                                job(rows, 2, 1)
                                        .set(PsOptions.MODEL_NAME, "m")
                                        .set(PsOptions.REMOTE, List.of("a:1"))
                                        .start())
                .hasMessageContaining("either servers or remote");
        assertThatThrownBy(() -> job(rows, 2, 1).set(PsOptions.REMOTE, List.of()).start())
                .hasMessageContaining("remote must name at least one server");
        assertThatThrownBy(
                        () ->
                                FlinkPs.train(rows, model)
                                        .set(PsOptions.MODEL_OUTPUT, "hdfs://host/model")
                                        .start())
                .hasMessageContaining("hdfs://host/model cannot be reached: ");
        env.setRuntimeMode(RuntimeExecutionMode.BATCH);
        assertThatThrownBy(() -> job(rows, 2, 1).start()).hasMessageContaining("BATCH");
        env.setRuntimeMode(RuntimeExecutionMode.STREAMING);
        env.enableCheckpointing(1000);
        assertThatThrownBy(() -> job(rows, 2, 1).set(PsOptions.VALIDATION_SHARE, 0.1).start())
                .hasMessageContaining(
                        "validation-share and patience cannot be combined with checkpoints");
    }
}
