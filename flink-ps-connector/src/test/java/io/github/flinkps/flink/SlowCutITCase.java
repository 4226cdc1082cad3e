package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.SkewedWorkers;
import io.github.flinkps.flink.testing.SlowMap;
import io.github.flinkps.flink.testing.TestingCuts;
import io.github.flinkps.flink.testing.TestingParameterService;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.testing.Polling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checkpoints under skew, of cuts that take too long, and after some workers are done. */
@Timeout(180)
class SlowCutITCase {
    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;

    private void check(CountingJob job, String directory) throws Exception {
        job.job.set(PsOptions.MODEL_OUTPUT, directory);
        List<WorkerReport> reports = LocalCluster.collect(job.job.start().reports());
        job.check(reports, directory);
    }

    /** A worker's barrier lies behind rows it has no room for; another is deferred at its own. */
    @ParameterizedTest
    @CsvSource({"BSP,0", "SSP,0", "BSP,2"})
    void oneInputMuchSlower(ConsistencySpec.Kind kind, int failures) throws Exception {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 300);
        CountingJob job =
                new CountingJob(
                        env,
                        root,
                        kind,
                        new CountingJob.Input(4000, true, 1),
                        failures,
                        rows -> rows.map(new SlowMap(1)).returns(RowBatchTypeInfo.INSTANCE));
        job.job.set(PsOptions.BUFFER_ROWS, 20);
        check(job, root.resolve("model").toString());
        assertThat(job.failures.completed()).hasSizeGreaterThan(3);
    }

    /**
     * One worker is 100 times slower than the other. Neither waits for the other for ever, at a
     * barrier or for its clock, and checkpoints go on to complete. The fast one is never further
     * ahead than the staleness lets it. It does come as far, but for the mini-batch the slow one is
     * at. Over several passes, as input that is dealt in turn comes to the fast one no faster.
     */
    @ParameterizedTest
    @CsvSource({"BSP,0", "SSP,2"})
    void aWorkerAHundredTimesSlowerThanTheOther(ConsistencySpec.Kind kind, int staleness)
            throws Exception {
        int measured = 100;
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 50);
        CountingJob job =
                new CountingJob(
                        env,
                        root,
                        kind,
                        new CountingJob.Input(60, true, 8),
                        0,
                        DataStream::rebalance);
        SkewedWorkers skew = new SkewedWorkers(measured);
        job.failures.atTraining(skew);
        Path directory = root.resolve("model");
        try (CountingJob.Running running = job.launch(env, directory)) {
            Polling.await(
                    "no checkpoints while it trains",
                    () -> CLUSTER.cluster().checkpoints(running.client().getJobID()).size() >= 4);
            job.check(running.end(), directory.toString());
        }
        assertThat(skew.begun(0)).isGreaterThan(measured);
        assertThat(skew.begun(1)).isGreaterThan(measured);
        assertThat(skew.lead()).isBetween(Math.max(0, staleness - 1), staleness);
        assertThat(job.failures.restored()).isEmpty();
    }

    /**
     * A worker without rows is not waited for once it is idle, and comes to its barriers all the
     * same.
     */
    @ParameterizedTest
    @CsvSource({"BSP,0", "SSP,3"})
    void oneInputWithoutRows(ConsistencySpec.Kind kind, int failures) throws Exception {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 50);
        CountingJob job =
                new CountingJob(
                        env,
                        root,
                        kind,
                        new CountingJob.Input(600, false, 1),
                        failures,
                        rows -> rows.partitionCustom((block, workers) -> 0, RowBatch::block));
        job.job.set(PsOptions.IDLE_TIMEOUT, Duration.ofMillis(100));
        check(job, root.resolve("model").toString());
        assertThat(job.failures.completed()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"BSP,0", "ASP,3"})
    void someWorkersAreDoneLongBeforeOthers(ConsistencySpec.Kind kind, int failures)
            throws Exception {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 20);
        CountingJob job =
                new CountingJob(
                        env,
                        root,
                        kind,
                        new CountingJob.Input(600, true, 6),
                        failures,
                        rows ->
                                rows.partitionCustom(
                                        (block, workers) -> block % 20 == 0 ? 0 : 1,
                                        RowBatch::block));
        check(job, root.resolve("model").toString());
    }

    @Test
    void aCheckpointWhoseCutTakesTooLongIsGivenUpAndTheNextCompletes() throws Exception {
        try (TestingParameterService service =
                TestingParameterService.create("slow-" + System.nanoTime())) {
            service.delayMillis = 1;
            service.cuts.unwritten = cut -> cut == 2;
            StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 100);
            env.getCheckpointConfig().setCheckpointTimeout(Duration.ofSeconds(1).toMillis());
            CountingJob job =
                    new CountingJob(
                            env,
                            root,
                            ConsistencySpec.Kind.BSP,
                            new CountingJob.Input(600, false, 1),
                            0);
            job.job
                    .backend(service.backend())
                    .archive(service.archive())
                    .cutPublisher(TestingCuts.publisher());
            List<WorkerReport> reports = LocalCluster.collect(job.job.start().reports());
            job.check(reports, service.rows("own"), service.rows("shared"), service.rows("total"));
            assertThat(job.failures.completed()).doesNotContain(2L).contains(1L, 3L);
            assertThat(job.failures.restored()).isEmpty();
            assertThat(service.calls()).contains("abort 2 of 0", "abort 2 of 1");
        }
    }

    /** Long before the time of its checkpoint is over: nothing waits for the cut any more. */
    @Test
    void aJobIsCancelledWhileItsCutIsWritten() throws Exception {
        try (TestingParameterService service =
                TestingParameterService.create("cancelled-" + System.nanoTime())) {
            service.cuts.unwritten = cut -> true;
            StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 50);
            CountingJob job =
                    new CountingJob(
                            env,
                            root,
                            ConsistencySpec.Kind.BSP,
                            new CountingJob.Input(100_000, false, 1),
                            0);
            job.job
                    .backend(service.backend())
                    .archive(service.archive())
                    .cutPublisher(TestingCuts.publisher());
            try (CountingJob.Running running = job.launch(env, null)) {
                Polling.await(
                        "no cut",
                        () ->
                                service.calls()
                                        .containsAll(List.of("marker 1 of 0", "marker 1 of 1")));
                LocalCluster.cancel(running.client());
            }
            assertThat(job.failures.completed()).isEmpty();
        }
    }
}
