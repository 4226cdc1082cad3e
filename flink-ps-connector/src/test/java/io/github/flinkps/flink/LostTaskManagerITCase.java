package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.testing.LocalCluster;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A TaskManager goes, with its worker, its server and its share of the model; another comes. */
@Timeout(180)
class LostTaskManagerITCase {
    @TempDir Path root;

    @ParameterizedTest
    @CsvSource({"BSP,0", "ASP,1"})
    void theJobGoesOnElsewhere(ConsistencySpec.Kind kind, int lost) throws Exception {
        try (LocalCluster cluster = new LocalCluster(new Configuration(), 2, 1)) {
            StreamExecutionEnvironment env = CountingJob.failing(cluster.environment(2), 100);
            CountingJob job =
                    new CountingJob(env, root, kind, new CountingJob.Input(1000, false, 1), 0);
            job.failures.trickle();
            String model = root.resolve("model").toString();
            try (CountingJob.Running running = job.launch(env, Path.of(model))) {
                job.awaitCheckpoints(2);
                cluster.replaceTaskManager(lost);
                job.awaitCheckpoints(2);
                job.failures.flow();
                job.check(running.end(), model);
            }
            assertThat(job.failures.restored()).isNotEmpty();
        }
    }
}
