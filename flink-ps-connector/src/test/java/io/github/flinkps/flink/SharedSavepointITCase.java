package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.model.CutCatalog;
import io.github.flinkps.model.LocalModelStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A savepoint outlives its job, and two others that go on from it at a time. */
@Timeout(180)
class SharedSavepointITCase {
    private static final int BATCHES = 1000;
    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;

    private CountingJob job(StreamExecutionEnvironment env, int failures) {
        return new CountingJob(
                env,
                root,
                ConsistencySpec.Kind.ASP,
                new CountingJob.Input(BATCHES, false, 1),
                failures);
    }

    private CutCatalog catalog() {
        return new CutCatalog(
                new LocalModelStorage(), root.resolve("default").resolve("model").toString());
    }

    @Test
    void twoJobsGoOnFromOneSavepoint() throws Exception {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 50);
        CountingJob first = job(env, 0);
        first.failures.trickle();
        String savepoint;
        String firstModel = root.resolve("first").toString();
        try (CountingJob.Running running = first.launch(env, Path.of(firstModel))) {
            first.awaitCheckpoints(2);
            savepoint =
                    running.client()
                            .triggerSavepoint(
                                    root.resolve("savepoint").toString(),
                                    SavepointFormatType.CANONICAL)
                            .get(60, TimeUnit.SECONDS);
            first.awaitCheckpoints(5); // many more than are kept
            first.failures.flow();
            first.check(running.end(), firstModel);
        }
        List<String> runs = catalog().runs();
        assertThat(runs).hasSize(1);
        CutCatalog.Listing left = catalog().list(runs.get(0));

        List<CountingJob> jobs = new ArrayList<>();
        List<CountingJob.Running> running = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            StreamExecutionEnvironment again = CountingJob.failing(CLUSTER.environment(2), 50);
            Configuration from = new Configuration();
            from.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
            again.configure(from);
            jobs.add(job(again, 2));
            running.add(jobs.get(i).launch(again, root.resolve("second-" + i)));
        }
        for (int i = 0; i < 2; i++) {
            try (CountingJob.Running each = running.get(i)) {
                jobs.get(i).check(each.end(), root.resolve("second-" + i).toString());
            }
        }
        assertThat(catalog().runs()).hasSize(3).contains(runs.get(0));
        assertThat(catalog().list(runs.get(0))).isEqualTo(left);
    }
}
