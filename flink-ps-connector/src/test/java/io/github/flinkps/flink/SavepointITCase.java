package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.service.EmbeddedServer;
import io.github.flinkps.flink.service.LocalServerBackend;
import io.github.flinkps.flink.service.ServiceBackend;
import io.github.flinkps.flink.service.TaskHost;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.Savepoints;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.TestingFailures;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.testing.Polling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that are stopped with a savepoint, and what goes on from it. */
@Timeout(180)
class SavepointITCase {
    private static final int BATCHES = 600;
    private static final int BOUNDED_BATCHES = 3000;

    /** Calls until the second of several passes: a batch is read, and trained by 13 rows each. */
    private static final int SECOND_PASS = BOUNDED_BATCHES * 2;

    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;

    /**
     * Stops a job once it has a checkpoint, and has counted.
     *
     * @param calls of {@link TestingFailures#before} to wait for
     */
    private String stop(StreamExecutionEnvironment env, CountingJob job, int calls, boolean drain)
            throws Exception {
        JobClient client = env.executeAsync();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (job.failures.completed().isEmpty() || job.failures.calls() < calls) {
            assertThat(System.nanoTime()).as("waited in vain").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return Savepoints.stop(client, drain, root.resolve("savepoint"));
    }

    /** Servers that start when a savepoint was asked for. */
    private static final class LateServers implements ServiceBackend {
        private static final long serialVersionUID = 1L;
        private static final LocalServerBackend SERVERS = new LocalServerBackend();
        private static CountDownLatch starting;
        private static CountDownLatch asked;

        @Override
        public EmbeddedServer startServer(int index, long fence, TaskHost host) throws Exception {
            starting.countDown();
            asked.await();
            return SERVERS.startServer(index, fence, host);
        }

        @Override
        public ParameterClient connect(List<String> addresses, Duration timeout) throws Exception {
            return SERVERS.connect(addresses, timeout);
        }
    }

    /**
     * Flink no longer polls sources then, while workers wait for the servers to answer barriers.
     */
    @Test
    void whatIsStoppedBeforeItsServersAreThereGivesASavepoint() throws Exception {
        LateServers.starting = new CountDownLatch(1);
        LateServers.asked = new CountDownLatch(1);
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 600_000);
        CountingJob.Input input = new CountingJob.Input(100_000, false, 1);
        CountingJob job = new CountingJob(env, root, ConsistencySpec.Kind.BSP, input, 0);
        job.job.backend(new LateServers()).start().reports().print();
        JobClient client = env.executeAsync();
        LateServers.starting.await();
        CompletableFuture<String> savepoint =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return Savepoints.stop(client, false, root.resolve("savepoint"));
                            } catch (Exception e) {
                                throw new CompletionException(e);
                            }
                        });
        Polling.await(
                "no savepoint is under way",
                () -> CLUSTER.cluster().pendingCheckpoints(client.getJobID()) > 0);
        LateServers.asked.countDown();
        assertThat(savepoint)
                .succeedsWithin(Duration.ofSeconds(90))
                .asString()
                .contains("savepoint");
        assertThat(CLUSTER.cluster().lastFailure(client.getJobID())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "BSP,false,1,2,2",
        "ASP,false,1,2,2",
        "BSP,true,4,2,2",
        "BSP,false,1,2,3",
        "ASP,false,1,2,1",
    })
    void whatIsStoppedGoesOn(
            ConsistencySpec.Kind kind, boolean bounded, int epochs, int workers, int then)
            throws Exception {
        goOn(kind, bounded, epochs, workers, then, epochs == 1 ? 0 : SECOND_PASS);
    }

    @ParameterizedTest
    @CsvSource({"BSP,2,3,true", "SSP,2,1,true", "BSP,1,4,true", "ASP,2,3,false"})
    void severalPassesGoOnWithAnotherNumberOfWorkers(
            ConsistencySpec.Kind kind, int workers, int then, boolean laterPass) throws Exception {
        goOn(kind, true, 4, workers, then, laterPass ? SECOND_PASS : BOUNDED_BATCHES / 2);
    }

    private void goOn(
            ConsistencySpec.Kind kind,
            boolean bounded,
            int epochs,
            int workers,
            int then,
            int calls)
            throws Exception {
        CountingJob.Input input =
                new CountingJob.Input(bounded ? BOUNDED_BATCHES : BATCHES, bounded, epochs);
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 200);
        CountingJob first = new CountingJob(env, root, kind, input, 0);
        first.failures.pause(bounded ? 1 : 20);
        first.job.set(PsOptions.WORKERS, workers).start().reports().print();
        String savepoint = stop(env, first, calls, false);

        StreamExecutionEnvironment again = CountingJob.failing(CLUSTER.environment(2), 200);
        Configuration from = new Configuration();
        from.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        again.configure(from);
        CountingJob second = new CountingJob(again, root, kind, input, 0);
        String directory = root.resolve("model").toString();
        second.job.set(PsOptions.MODEL_OUTPUT, directory).set(PsOptions.WORKERS, then);
        List<WorkerReport> reports = LocalCluster.collect(second.job.start().reports());
        assertThat(reports).hasSize(then);
        if (!bounded) { // else what reads may have finished before, and nothing of it is restored
            assertThat(second.failures.restored()).isNotEmpty();
        }
        second.check(reports, directory);
    }

    @Test
    void whatIsDrainedIsSavedAsItIs() throws Exception {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 200);
        CountingJob job =
                new CountingJob(
                        env,
                        root,
                        ConsistencySpec.Kind.BSP,
                        new CountingJob.Input(100_000, false, 1),
                        0);
        String directory = root.resolve("model").toString();
        Training training = job.job.set(PsOptions.MODEL_OUTPUT, directory).start();
        List<WorkerReport> reports = new ArrayList<>();
        try (CloseableIterator<WorkerReport> all = training.reports().collectAsync()) {
            stop(env, job, 0, true);
            all.forEachRemaining(reports::add);
        }
        float rows = reports.stream().mapToLong(WorkerReport::rows).sum();
        assertThat(rows).isPositive();
        Map<Long, float[]> total = CountingJob.table(directory, "total", 1);
        assertThat(total.get(0L)).containsExactly(rows);
        assertThat(CountingJob.table(directory, "own", 1)).hasSize((int) rows);
    }
}
