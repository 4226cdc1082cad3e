package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.service.FlinkModelStorage;
import io.github.flinkps.flink.testing.CountingModel;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelTable;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutSummary;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.RootAllocator;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs whose model begins as a cut of an earlier job. */
@Timeout(180)
class StartCutITCase {
    private static final int BATCHES = 40;

    private static final int ROWS = 10;
    private static final int KEYS = 100;

    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;

    /** Cuts of all runs but those of one, oldest first within a run. */
    private List<CutSummary> cuts(String model, String leftOut) {
        CutCatalog catalog =
                new CutCatalog(
                        new FlinkModelStorage(), root.resolve("default").resolve(model).toString());
        List<CutSummary> cuts = new ArrayList<>();
        catalog.runs().stream()
                .filter(run -> !run.equals(leftOut))
                .forEach(run -> cuts.addAll(catalog.list(run).cuts()));
        return cuts;
    }

    private static CutSummary last(List<CutSummary> cuts) {
        return cuts.get(cuts.size() - 1);
    }

    @Test
    void aJobThatFailsCountsOnFromTheCut() throws Exception {
        CountingJob.Input input = new CountingJob.Input(BATCHES, true, 1);
        CountingJob first =
                new CountingJob(
                        CountingJob.failing(CLUSTER.environment(2), 50),
                        root,
                        ConsistencySpec.Kind.BSP,
                        input,
                        0);
        LocalCluster.collect(first.job.start().reports());
        CutSummary cut = last(cuts("model", ""));
        CountingJob second =
                new CountingJob(
                        CountingJob.failing(CLUSTER.environment(2), 50),
                        root,
                        ConsistencySpec.Kind.BSP,
                        input,
                        2);
        second.failures.pause(5);
        String directory = root.resolve("model").toString();
        second.job
                .set(PsOptions.START_CUT, Path.of(cut.ref().path()).getParent().toString())
                .set(PsOptions.WORKERS, 3)
                .set(PsOptions.SERVERS, 1)
                .set(PsOptions.MODEL_OUTPUT, directory);
        List<WorkerReport> reports = LocalCluster.collect(second.job.start().reports());
        float rows = BATCHES * CountingJob.ROWS;
        assertThat(reports.stream().mapToLong(WorkerReport::rows).sum()).isEqualTo((long) rows);
        assertThat(CountingJob.table(directory, "total", 1).get(0L)).containsExactly(2 * rows);
        Map<Long, float[]> own = CountingJob.table(directory, "own", 1);
        assertThat(own).hasSize((int) rows);
        assertThat(own.values()).allSatisfy(row -> assertThat(row).containsExactly(2));
        CutSummary after = last(cuts("model", cut.id().run()));
        assertThat(after.rows()).isEqualTo(cut.rows());
    }

    private TrainingJob<RowBatch> job(StreamExecutionEnvironment env, String directory) {
        DataStream<RowBatch> rows =
                env.fromSequence(0, BATCHES - 1)
                        .map(number -> TestingRows.batch(number, ROWS, KEYS))
                        .returns(RowBatchTypeInfo.INSTANCE)
                        .partitionCustom(
                                (block, workers) -> (int) (block % workers), RowBatch::block);
        return FlinkPs.train(rows, model(4))
                .set(PsOptions.MODEL_NAME, "slots")
                .set(PsOptions.MODEL_ROOT, root.toString())
                .set(PsOptions.WORKERS, 2)
                .set(PsOptions.BATCH_SIZE, ROWS)
                .set(PsOptions.SAVE_SLOTS, true)
                .set(PsOptions.MODEL_OUTPUT, directory);
    }

    private static LogisticRegression model(int partitions) {
        return LogisticRegression.builder()
                .optimizer(UpdateSpec.of("adagrad").with("inverse-sqrt-steps", 10))
                .partitions(partitions)
                .build();
    }

    /** Values and slots, and the steps of each partition. */
    private static Map<String, List<Number>> trained(TrainingJob<RowBatch> job, String directory)
            throws Exception {
        LocalCluster.collect(job.start().reports());
        Map<String, List<Number>> all = new TreeMap<>();
        try (RootAllocator memory = new RootAllocator();
                ModelReader reader = ModelReader.open(new LocalModelStorage(), directory, memory)) {
            for (ModelTable table : reader.manifest().tables()) {
                table.files()
                        .forEach(
                                file ->
                                        all.put(
                                                file.path().replaceAll(".*/", ""),
                                                List.of(
                                                        file.steps().steps(),
                                                        file.steps().rounds())));
                reader.read(
                        table.spec().name(),
                        block -> {
                            for (int i = 0; i < block.rows(); i++) {
                                all.put(
                                        table.spec().name() + block.keys()[i],
                                        List.of(block.values()[i], block.slots()[0][i]));
                            }
                        });
            }
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCutIsWhatASavedModelWithSlotsIs(boolean remote) throws Exception {
        String saved = root.resolve("saved").toString();
        Map<String, List<Number>> before =
                trained(job(CountingJob.failing(CLUSTER.environment(1), 50), saved), saved);
        CutSummary cut = last(cuts("slots", ""));
        String one = root.resolve("one").toString();
        Map<String, List<Number>> expected =
                trained(job(CLUSTER.environment(1), one).set(PsOptions.INITIAL_MODEL, saved), one);
        String other = root.resolve("other").toString();
        try (ParameterServer server =
                ParameterServer.start(ServerConfig.defaults(), new LocalModelStorage())) {
            StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(1), 50);
            TrainingJob<RowBatch> job = job(env, other).set(PsOptions.START_CUT, cut.ref().path());
            if (remote) {
                job.set(PsOptions.REMOTE, List.of(server.address().toString()));
            } else {
                job.set(PsOptions.SERVERS, 2);
            }
            assertThat(trained(job, other)).isEqualTo(expected).isNotEqualTo(before);
        }
        CutSummary first = cuts("slots", cut.id().run()).get(0);
        assertThat(first.base()).as("the first cut has all rows").isEmpty();
    }

    @Test
    void whatIsNoCutOfTheModelIsRefused() throws Exception {
        String saved = root.resolve("saved").toString();
        trained(job(CountingJob.failing(CLUSTER.environment(1), 50), saved), saved);
        String cut = last(cuts("slots", "")).ref().path();
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        assertThatThrownBy(
                        () ->
                                job(env, saved)
                                        .set(PsOptions.START_CUT, cut)
                                        .set(PsOptions.INITIAL_MODEL, saved)
                                        .start())
                .hasMessage(
                        "start-cut does not go with initial-model: give the one that the model"
                                + " begins as");
        assertThatThrownBy(() -> job(env, saved).set(PsOptions.START_CUT, saved + "x").start())
                .hasMessageContaining("start-cut: there is no cut " + saved + "x/manifest.json");
        DataStream<RowBatch> rows =
                env.fromSequence(0, 1)
                        .map(number -> TestingRows.batch(number, ROWS, KEYS))
                        .returns(RowBatchTypeInfo.INSTANCE);
        assertThatThrownBy(
                        () -> FlinkPs.train(rows, model(8)).set(PsOptions.START_CUT, cut).start())
                .hasMessageContaining("start-cut: " + cut + " is a cut of another model")
                .hasMessageContaining("table 'weights'");
        assertThatThrownBy(
                        () ->
                                FlinkPs.train(rows, new CountingModel(null))
                                        .set(PsOptions.START_CUT, cut)
                                        .start())
                .hasMessageContaining("has no table 'own'");
    }
}
