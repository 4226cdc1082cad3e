package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.Savepoints;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutManifests;
import io.github.flinkps.model.cut.CutPaths;
import io.github.flinkps.model.cut.CutSummary;
import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A savepoint outlives its job, and two others that go on from it at a time. */
@Timeout(180)
class SharedSavepointITCase {
    private static final int BATCHES = 1000;

    /** Calls until the second of several passes: a batch is read, and trained by 13 rows each. */
    private static final int SECOND_PASS = 2 * BATCHES;

    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;

    private CountingJob job(StreamExecutionEnvironment env, int epochs, int failures) {
        return new CountingJob(
                env,
                root,
                ConsistencySpec.Kind.ASP,
                new CountingJob.Input(BATCHES, epochs > 1, epochs),
                failures);
    }

    private CutCatalog catalog() {
        return new CutCatalog(
                new LocalModelStorage(), root.resolve("default").resolve("model").toString());
    }

    /** The rows of a job that has several passes are in files that its checkpoints refer to. */
    @ParameterizedTest
    @CsvSource({"1,false", "3,false", "3,true"})
    void twoJobsGoOnFromOneSavepoint(int epochs, boolean cancelled) throws Exception {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 50);
        CountingJob first = job(env, epochs, 0);
        String savepoint;
        String firstModel = root.resolve("first").toString();
        try (CountingJob.Running running = launch(first, env, firstModel)) {
            awaitCheckpoints(running.client(), 2);
            savepoint =
                    running.client()
                            .triggerSavepoint(
                                    root.resolve("savepoint").toString(),
                                    SavepointFormatType.CANONICAL)
                            .get(60, TimeUnit.SECONDS);
            awaitCheckpoints(running.client(), 5); // many more than are kept
            first.failures.flow();
            first.failures.pause(0);
            if (cancelled) {
                LocalCluster.cancel(running.client());
            } else {
                first.check(running.end(), firstModel);
            }
        }
        List<String> runs = catalog().runs();
        assertThat(runs).hasSize(1);
        List<ManifestRef> left = cuts(runs.get(0));
        assertThat(left).filteredOn(SharedSavepointITCase::isOfSavepoint).hasSize(1);
        // Of no attempt whose end the JobManager may still be cleaning up behind.
        CutId givenUp = new CutId(runs.get(0), Long.MAX_VALUE, 1_000_000);
        leave(givenUp);

        trainTwo(savepoint, epochs);
        assertThat(catalog().runs()).hasSize(3).contains(runs.get(0));
        assertThat(cuts(runs.get(0))).isEqualTo(left);
        assertThat(directory(givenUp)).doesNotExist();
    }

    /** Two jobs go on from a savepoint, at a time, and fail now and then. */
    private void trainTwo(String savepoint, int epochs) throws Exception {
        List<CountingJob> jobs = new ArrayList<>();
        List<CountingJob.Running> running = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                StreamExecutionEnvironment again = CountingJob.failing(CLUSTER.environment(2), 50);
                Savepoints.goOnFrom(savepoint, again);
                jobs.add(job(again, epochs, 2));
                jobs.get(i).failures.trickle();
                jobs.get(i).failures.pause(200);
                running.add(jobs.get(i).launch(again, root.resolve("second-" + i)));
            }
            for (CountingJob.Running each : running) {
                awaitCheckpoints(each.client(), 1);
            }
            for (CountingJob.Running each : running) {
                assertThat(each.client().getJobStatus().get(60, TimeUnit.SECONDS))
                        .as("while both have work left")
                        .isNotEqualTo(JobStatus.FINISHED);
            }
            for (int i = 0; i < 2; i++) {
                jobs.get(i).failures.flow();
                jobs.get(i).failures.pause(0);
            }
            for (int i = 0; i < 2; i++) {
                jobs.get(i).check(running.get(i).end(), root.resolve("second-" + i).toString());
            }
        } finally {
            for (CountingJob.Running each : running) {
                each.close();
            }
        }
    }

    /**
     * Leaves a cut as if its removal had begun when the job ended, and so before any time of grace.
     */
    private void leave(CutId givenUp) throws IOException {
        Files.createDirectories(directory(givenUp).resolve("data"));
        Files.createFile(directory(givenUp).resolve("aborted"));
    }

    private Path directory(CutId cut) {
        return Path.of(CutPaths.directory(root.resolve("default/model").toString(), cut));
    }

    private List<ManifestRef> cuts(String run) {
        return catalog().list(run).cuts().stream().map(CutSummary::ref).toList();
    }

    private static boolean isOfSavepoint(ManifestRef cut) {
        return CutManifests.read(new LocalModelStorage(), cut).header().savepoint();
    }

    /** Waits until so many more are complete. */
    private static void awaitCheckpoints(JobClient job, int more) throws Exception {
        long wanted = newestCheckpoint(job) + more;
        Polling.await("no checkpoints", () -> newestCheckpoint(job) >= wanted);
    }

    private static long newestCheckpoint(JobClient job) throws Exception {
        return CLUSTER.cluster().checkpoints(job.getJobID()).stream()
                .mapToLong(AbstractCheckpointStats::getCheckpointId)
                .max()
                .orElse(0);
    }

    /**
     * Launches a job that has input left; one of several passes has read all rows and has passes
     * left.
     */
    private static CountingJob.Running launch(
            CountingJob job, StreamExecutionEnvironment env, String directory) throws Exception {
        if (job.epochs == 1) {
            job.failures.trickle();
            return job.launch(env, Path.of(directory));
        }
        job.failures.pause(1);
        CountingJob.Running running = job.launch(env, Path.of(directory));
        Polling.await("no second pass", () -> job.failures.calls() >= SECOND_PASS);
        job.failures.pause(10);
        return running;
    }
}
