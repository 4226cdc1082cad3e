package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.TestingCuts;
import io.github.flinkps.flink.testing.TestingObjectStore;
import io.github.flinkps.flink.testing.TestingParameterService;
import io.github.flinkps.flink.training.WorkerReport;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that fail at random and go on: every row counts once a pass. */
@Timeout(180)
class CountingITCase {
    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;

    @ParameterizedTest
    @CsvSource({"BSP,false,1", "ASP,false,1", "BSP,true,4", "SSP,true,3"})
    void overAServiceInMemory(ConsistencySpec.Kind kind, boolean bounded, int epochs)
            throws Exception {
        try (TestingParameterService service =
                TestingParameterService.create("counting-" + System.nanoTime())) {
            service.delayMillis = 1;
            StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 50);
            CountingJob job =
                    new CountingJob(
                            env, root, kind, new CountingJob.Input(300, bounded, epochs), 3);
            job.job
                    .backend(service.backend())
                    .archive(service.archive())
                    .cutPublisher(TestingCuts.publisher());
            List<WorkerReport> reports = LocalCluster.collect(job.job.start().reports());
            job.check(reports, service.rows("own"), service.rows("shared"), service.rows("total"));
            assertThat(job.failures.happened()).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BSP,false,1",
        "SSP,false,1",
        "ASP,false,1",
        "BSP,true,1",
        "BSP,true,4",
        "SSP,true,3",
        "ASP,true,3"
    })
    void overEmbeddedServers(ConsistencySpec.Kind kind, boolean bounded, int epochs)
            throws Exception {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 50);
        CountingJob job =
                new CountingJob(env, root, kind, new CountingJob.Input(1000, bounded, epochs), 3);
        String directory = root.resolve("model").toString();
        job.job.set(PsOptions.MODEL_OUTPUT, directory);
        List<WorkerReport> reports = LocalCluster.collect(job.job.start().reports());
        job.check(reports, directory);
        assertThat(job.failures.happened()).isPositive();
    }

    /** Runs over a storage that has a file when it is closed, and renames none. */
    @Test
    void overAnObjectStore() throws Exception {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 50);
        CountingJob job =
                new CountingJob(
                        env,
                        root,
                        ConsistencySpec.Kind.BSP,
                        new CountingJob.Input(600, false, 1),
                        3);
        job.job.set(PsOptions.MODEL_ROOT, TestingObjectStore.SCHEME + "://" + root);
        job.runAndCheck(root.resolve("model"));
        assertThat(job.failures.happened()).isPositive();
    }
}
