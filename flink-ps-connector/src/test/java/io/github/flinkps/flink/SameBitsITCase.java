package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.FailingModel;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.NotedMap;
import io.github.flinkps.flink.testing.TestingFailures;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.server.update.UpdateFunctions;
import io.github.flinkps.testing.Folders;
import io.github.flinkps.testing.Polling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.RootAllocator;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shows that under BSP a job that fails and goes on trains the same model, bit for bit. */
@Timeout(180)
class SameBitsITCase {
    private static final int BATCHES = 60;
    private static final int ROWS = 10;
    private static final int KEYS = 100;

    @TempDir Path root;

    private Map<String, List<Integer>> train(
            LocalCluster cluster,
            UpdateSpec update,
            Shuffle shuffle,
            String filter,
            TestingFailures failures)
            throws Exception {
        StreamExecutionEnvironment env = cluster.environment(1);
        if (failures != null) {
            CountingJob.failing(env, 30);
        }
        TestingFailures calm =
                failures == null ? TestingFailures.some("calm" + root, 1, 0) : failures;
        DataStream<RowBatch> rows =
                env.fromSequence(0, BATCHES - 1)
                        .map(
                                new NotedMap<Long, RowBatch>(
                                        calm, number -> TestingRows.batch(number, ROWS, KEYS)))
                        .returns(RowBatchTypeInfo.INSTANCE)
                        .partitionCustom(
                                (block, workers) -> (int) (block % workers), RowBatch::block);
        LogisticRegression model =
                LogisticRegression.builder().optimizer(update).partitions(4).build();
        String directory = root.resolve(failures == null ? "calm" : "failing").toString();
        TrainingJob<RowBatch> job = FlinkPs.train(rows, new FailingModel(model, calm));
        for (String option : filter == null ? new String[0] : filter.split("&")) {
            String[] parts = option.split("=");
            Configuration one = Configuration.fromMap(Map.of(parts[0], parts[1]));
            copy(PsOptions.SIGNIFICANCE_THRESHOLD, one, job);
            copy(PsOptions.PUSH_SHARE, one, job);
            copy(PsOptions.PUSH_CHOICE, one, job);
        }
        LocalCluster.collect(
                job.set(PsOptions.MODEL_ROOT, root.toUri().toString())
                        .set(PsOptions.WORKERS, 2)
                        .set(PsOptions.SERVERS, failures == null ? 1 : 2)
                        .set(PsOptions.BATCH_SIZE, ROWS + 3)
                        .set(PsOptions.EPOCHS, 30)
                        .set(PsOptions.ROW_MEMORY, MemorySize.parse("6k"))
                        .set(PsOptions.SHUFFLE, shuffle)
                        .set(PsOptions.MODEL_OUTPUT, directory)
                        .set(PsOptions.SAVE_SLOTS, true)
                        .set(PsOptions.TIMEOUT, Duration.ofSeconds(20))
                        .start()
                        .reports());
        return bits(directory);
    }

    private static <T> void copy(
            ConfigOption<T> option, Configuration from, TrainingJob<RowBatch> job) {
        from.getOptional(option).ifPresent(value -> job.set(option, value));
    }

    private static Map<String, List<Integer>> bits(String directory) {
        Map<String, List<Integer>> bits = new TreeMap<>();
        try (RootAllocator memory = new RootAllocator();
                ModelReader reader = ModelReader.open(new LocalModelStorage(), directory, memory)) {
            for (String table : List.of("weights", "bias")) {
                reader.read(
                        table,
                        block -> {
                            for (int i = 0; i < block.rows(); i++) {
                                List<Integer> row = new ArrayList<>();
                                row.add(Float.floatToRawIntBits(block.values()[i]));
                                for (float[] slot : block.slots()) {
                                    row.add(Float.floatToRawIntBits(slot[i]));
                                }
                                bits.put(table + block.keys()[i], row);
                            }
                        });
            }
        }
        return bits;
    }

    /** Returns what there is but the models and the cuts of the last checkpoints. */
    private List<Path> leftovers() {
        return Folders.find(root, path -> path.endsWith("rows") || isIncompleteCut(path));
    }

    private static boolean isIncompleteCut(Path path) {
        return path.getParent().endsWith("cuts") && Files.notExists(path.resolve("complete"));
    }

    @ParameterizedTest
    @CsvSource({
        "adagrad,BATCHES,",
        "ftrl,BATCHES,",
        "ftrl,ROWS,",
        "sgd,BATCHES,significance-threshold=.05&push-share=.5",
        "adagrad,BATCHES,push-share=.3&push-choice=random"
    })
    void aJobThatFailsTrainsTheSameModel(String update, Shuffle shuffle, String filter)
            throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        TestingFailures failures = TestingFailures.some("bits" + seed, seed, 3);
        try (LocalCluster cluster = new LocalCluster()) {
            UpdateSpec spec = UpdateSpec.of(update);
            Map<String, List<Integer>> calm = train(cluster, spec, shuffle, filter, null);
            Map<String, List<Integer>> failing = train(cluster, spec, shuffle, filter, failures);
            System.out.println(failures.happened() + " failures, " + failures.restored());
            assertThat(calm).hasSize(KEYS + 1);
            assertThat(calm.get("weights0")).hasSize(1 + UpdateFunctions.create(spec).slots());
            assertThat(failing).isEqualTo(calm);
            assertThat(failures.happened()).isPositive();
            Polling.await(
                    Duration.ofSeconds(10), // the JobManager cleans up behind the job
                    () -> leftovers().isEmpty(),
                    () -> "left: " + leftovers());
        }
    }
}
