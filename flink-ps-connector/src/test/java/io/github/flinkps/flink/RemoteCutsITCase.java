package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.Savepoints;
import io.github.flinkps.flink.testing.ServerProcess;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.Polling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.JobID;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs over servers of their own, which outlive attempts, or do not. */
@Timeout(240)
class RemoteCutsITCase {
    private static final int BATCHES = 1000;
    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;
    private final List<AutoCloseable> servers = new ArrayList<>();

    @AfterEach
    void endServers() throws Exception {
        for (AutoCloseable server : servers) {
            server.close();
        }
    }

    private String server() {
        ParameterServer server =
                ParameterServer.start(ServerConfig.defaults(), new LocalModelStorage());
        servers.add(server);
        return server.address();
    }

    private ServerProcess process(int port) throws Exception {
        ServerProcess server = ServerProcess.start(port);
        servers.add(server);
        return server;
    }

    private CountingJob job(
            StreamExecutionEnvironment env, ConsistencySpec.Kind kind, CountingJob.Input input) {
        return new CountingJob(env, root, kind, input, 3);
    }

    @ParameterizedTest
    @CsvSource({"BSP,false,1,true", "ASP,false,1,false", "SSP,true,3,true"})
    void failuresRollTheServersBack(
            ConsistencySpec.Kind kind, boolean bounded, int epochs, boolean uri) throws Exception {
        CountingJob job =
                job(
                                CountingJob.failing(CLUSTER.environment(2), 50),
                                kind,
                                new CountingJob.Input(BATCHES, bounded, epochs))
                        .over(List.of(server(), server()));
        job.job.set(PsOptions.MODEL_ROOT, uri ? root.toUri().toString() : root.toString());
        job.runAndCheck(root.resolve("model"));
        assertThat(job.failures.happened()).isPositive();
    }

    /** The job keeps trying while a server is down, and says why; then the server is empty. */
    @Test
    void aServerThatIsKilledGetsItsModelBack() throws Exception {
        ServerProcess lost = process(0);
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 100);
        CountingJob job =
                job(env, ConsistencySpec.Kind.BSP, new CountingJob.Input(BATCHES, false, 1))
                        .over(List.of(server(), lost.address()));
        job.job.set(PsOptions.TIMEOUT, Duration.ofSeconds(5));
        job.failures.trickle();
        try (CountingJob.Running running = job.launch(env, root.resolve("model"))) {
            job.awaitCheckpoints(2);
            lost.close();
            awaitFailure(running.client().getJobID(), "cannot take model 'counted' over");
            awaitFailure(running.client().getJobID(), lost.address());
            process(lost.port());
            job.awaitCheckpoints(2);
            job.failures.flow();
            job.check(running.end(), root.resolve("model").toString());
        }
        assertThat(job.failures.restored()).isNotEmpty();
    }

    private static void awaitFailure(JobID job, String part) throws Exception {
        String[] last = {""};
        Polling.await(
                Duration.ofMinutes(2),
                () -> {
                    last[0] = CLUSTER.cluster().lastFailure(job);
                    return last[0].contains(part);
                },
                () -> "not '" + part + "' but " + last[0]);
    }

    @Test
    void aServerThatStoodStillIsFollowedByARestart() throws Exception {
        ServerProcess still = process(0);
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 100);
        CountingJob job =
                job(env, ConsistencySpec.Kind.SSP, new CountingJob.Input(BATCHES, false, 1))
                        .over(List.of(still.address(), server()));
        job.job.set(PsOptions.TIMEOUT, Duration.ofSeconds(5));
        job.failures.trickle();
        try (CountingJob.Running running = job.launch(env, root.resolve("model"))) {
            job.awaitCheckpoints(2);
            String before = CLUSTER.cluster().lastFailure(running.client().getJobID());
            still.signal("STOP");
            Polling.await(
                    "the job does not fail",
                    () ->
                            !CLUSTER.cluster()
                                    .lastFailure(running.client().getJobID())
                                    .equals(before));
            still.signal("CONT");
            job.awaitCheckpoints(2);
            job.failures.flow();
            job.check(running.end(), root.resolve("model").toString());
        }
    }

    /** Stops a job after a while; the savepoint. */
    private String stop(CountingJob.Running running, CountingJob job) throws Exception {
        job.awaitCheckpoints(1);
        return Savepoints.stop(running.client(), false, root.resolve("savepoint"));
    }

    @ParameterizedTest
    @CsvSource({"BSP", "ASP"})
    void goesOnOverMoreAndFewerServersAndWorkers(ConsistencySpec.Kind kind) throws Exception {
        List<String> all = List.of(server(), server(), server());
        int[] workers = {2, 3, 1};
        List<List<String>> used = List.of(all.subList(0, 1), all, all.subList(1, 3));
        String savepoint = null;
        for (int step = 0; step < used.size(); step++) {
            boolean last = step == used.size() - 1;
            StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 100);
            if (savepoint != null) {
                Savepoints.goOnFrom(savepoint, env);
            }
            CountingJob job =
                    job(env, kind, new CountingJob.Input(BATCHES, false, 1)).over(used.get(step));
            job.job.set(PsOptions.WORKERS, workers[step]);
            if (!last) {
                job.failures.trickle();
            }
            Path model = root.resolve("model");
            try (CountingJob.Running running = job.launch(env, last ? model : null)) {
                if (last) {
                    job.check(running.end(), model.toString());
                } else {
                    savepoint = stop(running, job);
                }
            }
        }
    }
}
