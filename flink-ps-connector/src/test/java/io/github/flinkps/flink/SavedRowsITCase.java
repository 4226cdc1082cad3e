package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.Savepoints;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutExport;
import io.github.flinkps.model.cut.CutReader;
import io.github.flinkps.model.cut.CutSummary;
import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that later passes need, in files, and how many were trained: after failures too. */
@Timeout(180)
class SavedRowsITCase {
    private static final int BATCHES = 300;

    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    private final LocalModelStorage storage = new LocalModelStorage();

    @TempDir Path root;

    private CountingJob job(
            StreamExecutionEnvironment env, ConsistencySpec.Kind kind, int epochs, int failures) {
        return new CountingJob(
                env, root, kind, new CountingJob.Input(BATCHES, true, epochs), failures);
    }

    private Path model() {
        return root.resolve("default").resolve("model");
    }

    private List<CutSummary> cuts() {
        CutCatalog catalog = new CutCatalog(storage, model().toString());
        return catalog.list(catalog.runs().get(0)).cuts();
    }

    /**
     * Returns how many rows are in a cut. Checks that it says so itself, unless its checkpoint was
     * given up: a worker has then no reason to note how far it was.
     */
    private int rowsOf(CutSummary cut) throws IOException {
        Path to = Files.createTempDirectory(root, "exported").resolve("model");
        Map<String, String> facts;
        try (RootAllocator memory = new RootAllocator();
                CutReader reader = CutReader.open(storage, cut.ref(), memory)) {
            facts =
                    CutExport.toModel(reader, storage, to.toString(), false, spec -> null, memory)
                            .facts();
        }
        float[] total = CountingJob.table(to.toString(), "total", 1).getOrDefault(0L, new float[1]);
        if (cut.status() == CutSummary.Status.COMPLETE || facts.containsKey("trained-rows")) {
            assertThat(facts).containsEntry("trained-rows", Long.toString((long) total[0]));
        }
        return (int) total[0];
    }

    @ParameterizedTest
    @CsvSource({"ASP,3", "SSP,1"})
    void rowsOfEachCutAreCountedOverFailures(ConsistencySpec.Kind kind, int epochs)
            throws Exception {
        CountingJob job = job(CountingJob.failing(CLUSTER.environment(2), 50), kind, epochs, 2);
        job.failures.pause(1);
        job.job.set(PsOptions.KEEP_CUTS, 1000);
        job.runAndCheck(root.resolve("saved"));
        int before = 0;
        int attempts = 0;
        long fence = -1;
        for (CutSummary cut : cuts()) {
            if (cut.status() == CutSummary.Status.COMPLETE) {
                int rows = rowsOf(cut);
                assertThat(rows).isGreaterThanOrEqualTo(before);
                before = rows;
                attempts += cut.id().fence() > fence ? 1 : 0;
                fence = cut.id().fence();
            }
        }
        assertThat(attempts).isGreaterThan(1);
        assertThat(before).isBetween(1, BATCHES * CountingJob.ROWS * epochs);
    }

    private List<Path> files() throws IOException {
        Path rows = model().resolve("runs").resolve(cuts().get(0).id().run()).resolve("rows");
        try (Stream<Path> all = Files.list(rows)) {
            return all.sorted().toList();
        }
    }

    /** Gives files the content of others; twice: gives it back. */
    private void exchange() throws IOException {
        List<Path> files = files();
        assertThat(files).hasSizeGreaterThan(1);
        for (int i = 0; i < files.size() / 2; i++) {
            Path one = files.get(i);
            Path other = files.get(files.size() - 1 - i);
            byte[] bytes = Files.readAllBytes(one);
            Files.write(one, Files.readAllBytes(other));
            Files.write(other, bytes);
        }
    }

    private void damage(boolean remove) throws IOException {
        for (Path file : files()) {
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length / 2] ^= 1;
            Files.write(file, bytes);
            if (remove) {
                Files.delete(file);
            }
        }
    }

    private String refusal(String savepoint) throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(2);
        env.enableCheckpointing(1000);
        Savepoints.goOnFrom(savepoint, env);
        CountingJob again = job(env, ConsistencySpec.Kind.SSP, 4, 0);
        Throwable[] thrown = new Throwable[1];
        assertThatThrownBy(() -> again.runAndCheck(root.resolve("never")))
                .satisfies(e -> thrown[0] = e);
        Throwable cause = thrown[0];
        while (cause.getMessage() == null || !cause.getMessage().startsWith("the rows of the")) {
            cause = cause.getCause();
            assertThat(cause).as(thrown[0].toString()).isNotNull();
        }
        return cause.getMessage();
    }

    private static int checkpoints(JobClient job) throws Exception {
        return CLUSTER.cluster().checkpoints(job.getJobID()).size();
    }

    @Test
    void aJobWhoseRowsAreLostSaysFromWhichCutsOneCanBegin() throws Exception {
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 100);
        CountingJob first = job(env, ConsistencySpec.Kind.SSP, 4, 0);
        first.failures.pause(1);
        String savepoint;
        try (CountingJob.Running running = first.launch(env, null)) {
            Polling.await("no second pass", () -> first.failures.calls() >= 2 * BATCHES);
            first.failures.pause(10);
            int more = checkpoints(running.client()) + 2;
            Polling.await("no checkpoints", () -> checkpoints(running.client()) >= more);
            savepoint = Savepoints.stop(running.client(), false, root.resolve("savepoint"));
        }
        List<CutSummary> cuts = cuts();
        CutSummary last = cuts.get(cuts.size() - 1);
        CutSummary before = cuts.get(cuts.size() - 2);

        exchange();
        assertThat(refusal(savepoint)).contains(" are lost: the ");
        exchange();
        damage(false);
        assertThat(refusal(savepoint))
                .contains(model() + "/runs/" + last.id().run() + "/rows/")
                .contains("are lost: the rows do not match their checksum")
                .contains("They belong to the checkpoint of " + last.id())
                .contains(last.ref().path() + ") or the one before: " + before.id())
                .endsWith(before.ref().path() + ")");
        damage(true);
        assertThat(refusal(savepoint)).contains("are lost: it is missing");

        int trained = rowsOf(before);
        CountingJob anew = job(CLUSTER.environment(2), ConsistencySpec.Kind.SSP, 1, 0);
        String directory = root.resolve("anew").toString();
        anew.job
                .set(PsOptions.START_CUT, before.ref().path())
                .set(PsOptions.MODEL_OUTPUT, directory);
        LocalCluster.collect(anew.job.start().reports());
        assertThat(CountingJob.table(directory, "total", 1).get(0L))
                .containsExactly(trained + BATCHES * CountingJob.ROWS);
    }
}
