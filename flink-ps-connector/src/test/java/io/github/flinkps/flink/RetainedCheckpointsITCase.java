package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.training.cut.SavedCut;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.testing.Folders;
import io.github.flinkps.testing.Polling;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Checks that the cluster says how many checkpoints are kept; the job says nothing of it. */
@Timeout(180)
class RetainedCheckpointsITCase {
    private static final int RETAINED = 5;

    @RegisterExtension
    private static final SharedCluster CLUSTER = new SharedCluster(retaining(RETAINED));

    /** Outlives the cluster: Flink cleans up there, after a job is cancelled. */
    @TempDir private static Path root;

    private static Configuration retaining(int checkpoints) {
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, checkpoints);
        return configuration;
    }

    private StreamExecutionEnvironment environment() {
        Configuration kept = new Configuration();
        kept.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                root.resolve("checkpoints").toUri().toString());
        kept.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 50);
        env.configure(kept);
        return env;
    }

    private List<Path> checkpoints() {
        return Folders.find(root.resolve("checkpoints"), path -> path.endsWith("_metadata"))
                .stream()
                .map(Path::getParent)
                .toList();
    }

    private int cuts() {
        CutCatalog catalog =
                new CutCatalog(new LocalModelStorage(), root.resolve("default/model").toString());
        return catalog.list(catalog.runs().get(0)).cuts().size();
    }

    @Test
    void theirCutsAreThere() throws Exception {
        StreamExecutionEnvironment env = environment();
        CountingJob job =
                new CountingJob(
                        env,
                        root,
                        ConsistencySpec.Kind.ASP,
                        new CountingJob.Input(100_000, false, 1),
                        0);
        job.failures.trickle();
        try (CountingJob.Running running = job.launch(env, null)) {
            job.awaitCheckpoints(4 * RETAINED);
            Polling.await("no cut is removed", () -> cuts() < job.failures.completed().size() - 5);
            LocalCluster.cancel(running.client());
        }
        assertThat(checkpoints()).hasSizeGreaterThanOrEqualTo(RETAINED);
        for (Path checkpoint : checkpoints()) {
            assertThat(SavedCut.of(checkpoint.toString()))
                    .hasSize(1)
                    .allSatisfy(
                            cut -> assertThat(Path.of(URI.create(cut.manifest().path()))).exists());
        }
    }
}
