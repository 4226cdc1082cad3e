package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.testing.Polling;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiPredicate;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.streaming.api.environment.CheckpointConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checkpoints whose barriers overtake records, and several at a time, under backpressure. */
@Timeout(180)
class BarriersITCase {
    private static final int BATCHES = 2000;

    @RegisterExtension
    private static final SharedCluster CLUSTER = new SharedCluster(smallBuffers());

    @TempDir Path root;

    /** Buffers of few rows, which fill soon, and all checkpoints remembered. */
    private static Configuration smallBuffers() {
        Configuration configuration = new Configuration();
        configuration.set(TaskManagerOptions.MEMORY_SEGMENT_SIZE, MemorySize.parse("4kb"));
        configuration.set(WebOptions.CHECKPOINTS_HISTORY_SIZE, 1000);
        return configuration;
    }

    @ParameterizedTest
    @CsvSource({"BSP,true,1,1,2", "ASP,true,1,3,2", "SSP,false,3,1,2", "ASP,false,3,1,0"})
    void countsAreExact(
            ConsistencySpec.Kind kind, boolean unaligned, int atATime, int epochs, int failures)
            throws Exception {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 20);
        CheckpointConfig checkpoints = env.getCheckpointConfig();
        checkpoints.setMaxConcurrentCheckpoints(atATime);
        checkpoints.setMinPauseBetweenCheckpoints(0);
        checkpoints.enableUnalignedCheckpoints(unaligned);
        CountingJob job =
                new CountingJob(
                        env,
                        root,
                        kind,
                        new CountingJob.Input(BATCHES, true, epochs),
                        failures,
                        rows -> rows.rebalance());
        job.job.set(PsOptions.BUFFER_ROWS, 20);
        job.failures.slowTraining(1);
        String model = root.resolve("model").toString();
        try (CountingJob.Running running = job.launch(env, Path.of(model))) {
            // While it runs: of a job that ends Flink does not always keep them.
            if (unaligned) {
                awaitCheckpoint(running, (one, all) -> one.getPersistedData() > 0);
            }
            if (atATime > 1) {
                awaitCheckpoint(running, BarriersITCase::overlaps);
            }
            job.check(running.end(), model);
        }
        assertThat(job.failures.happened() > 0).isEqualTo(failures > 0);
    }

    private static void awaitCheckpoint(
            CountingJob.Running running,
            BiPredicate<CompletedCheckpointStats, List<CompletedCheckpointStats>> wanted)
            throws Exception {
        JobID job = running.client().getJobID();
        Polling.await(
                "no such checkpoint",
                () -> {
                    List<CompletedCheckpointStats> all = CLUSTER.cluster().checkpoints(job);
                    return all.stream().anyMatch(each -> wanted.test(each, all));
                });
    }

    /** Returns whether another checkpoint was triggered before this one was complete. */
    private static boolean overlaps(
            CompletedCheckpointStats one, List<CompletedCheckpointStats> all) {
        return all.stream()
                .anyMatch(
                        other ->
                                other.getCheckpointId() > one.getCheckpointId()
                                        && other.getTriggerTimestamp()
                                                < one.getLatestAckTimestamp());
    }
}
