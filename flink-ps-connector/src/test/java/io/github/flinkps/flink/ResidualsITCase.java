package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.RetainingFilter;
import io.github.flinkps.flink.testing.Savepoints;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs whose workers retain updates: each row counts once a pass all the same. */
@Timeout(180)
class ResidualsITCase {
    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;

    private CountingJob job(
            StreamExecutionEnvironment env,
            ConsistencySpec.Kind kind,
            CountingJob.Input input,
            int failures,
            int every) {
        CountingJob job = new CountingJob(env, root, kind, input, failures);
        job.job.pushFilter(new RetainingFilter(every));
        return job;
    }

    /** Holds updates until the end (0), or for some mini-batches. */
    @ParameterizedTest
    @CsvSource({"BSP,false,1,0", "ASP,false,1,5", "BSP,true,3,0", "SSP,true,3,4"})
    void whatIsHeldIsNeitherLostNorDoubledByFailures(
            ConsistencySpec.Kind kind, boolean bounded, int epochs, int every) throws Exception {
        CountingJob job =
                job(
                        CountingJob.failing(CLUSTER.environment(2), 50),
                        kind,
                        new CountingJob.Input(600, bounded, epochs),
                        3,
                        every);
        job.failures.slowTraining(1); // so that there are checkpoints to fail after
        job.runAndCheck(root.resolve("model"));
        assertThat(job.failures.happened()).isPositive();
    }

    @Test
    void overServersThatOutliveFailures() throws Exception {
        try (ParameterServer server =
                ParameterServer.start(ServerConfig.defaults(), new LocalModelStorage())) {
            CountingJob.Input input = new CountingJob.Input(600, false, 1);
            StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 50);
            job(env, ConsistencySpec.Kind.SSP, input, 3, 0)
                    .over(List.of(server.address()))
                    .runAndCheck(root.resolve("model"));
        }
    }

    private StreamExecutionEnvironment environment(String savepoint) {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 200);
        if (savepoint != null) {
            Savepoints.goOnFrom(savepoint, env);
        }
        return env;
    }

    @ParameterizedTest
    @CsvSource({"BSP,2,4,1", "ASP,1,3,2"})
    void whatIsHeldGoesToAsManyWorkersAsThereAre(
            ConsistencySpec.Kind kind, int workers, int then, int last) throws Exception {
        CountingJob.Input input = new CountingJob.Input(600, false, 1);
        String savepoint = null;
        for (int each : new int[] {workers, then}) {
            StreamExecutionEnvironment env = environment(savepoint);
            CountingJob job = job(env, kind, input, 0, 0);
            job.job.set(PsOptions.WORKERS, each);
            job.failures.trickle();
            try (CountingJob.Running running = job.launch(env, null)) {
                job.awaitCheckpoints(3);
                savepoint =
                        Savepoints.stop(running.client(), false, root.resolve("savepoint" + each));
            }
        }
        StreamExecutionEnvironment env = environment(savepoint);
        CountingJob job = job(env, kind, input, 0, 0);
        job.job.set(PsOptions.WORKERS, last);
        Path model = root.resolve("model");
        try (CountingJob.Running running = job.launch(env, model)) {
            List<WorkerReport> reports = running.end();
            assertThat(reports).hasSize(last);
            assertThat(reports).allSatisfy(each -> assertThat(each.retainedRows()).isPositive());
            assertThat(job.failures.restored()).isNotEmpty();
            job.check(reports, model.toString());
        }
    }

    @Test
    void whatIsHeldIsInTheModelOfAJobThatIsDrained() throws Exception {
        StreamExecutionEnvironment env = environment(null);
        CountingJob.Input input = new CountingJob.Input(100_000, false, 1);
        CountingJob job = job(env, ConsistencySpec.Kind.BSP, input, 0, 0);
        Path model = root.resolve("model");
        try (CountingJob.Running running = job.launch(env, model)) {
            job.awaitCheckpoints(1);
            Savepoints.stop(running.client(), true, root.resolve("savepoint"));
            float rows = running.end().stream().mapToLong(WorkerReport::rows).sum();
            assertThat(rows).isPositive();
            Map<Long, float[]> total = CountingJob.table(model.toString(), "total", 1);
            assertThat(total.get(0L)).containsExactly(rows);
            assertThat(CountingJob.table(model.toString(), "own", 1)).hasSize((int) rows);
        }
    }

    @Test
    void wrongFiltersAreRefused() {
        CountingJob.Input input = new CountingJob.Input(1, true, 1);
        CountingJob job = job(environment(null), ConsistencySpec.Kind.ASP, input, 0, 0);
        job.job.set(PsOptions.SIGNIFICANCE_THRESHOLD, .01);
        assertThatThrownBy(() -> job.job.start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("either significance-threshold or a push filter");
        job.job.pushFilter(null).set(PsOptions.SIGNIFICANCE_THRESHOLD, -.5);
        assertThatThrownBy(() -> job.job.start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("significance-threshold must be a number of at least 0");
    }
}
