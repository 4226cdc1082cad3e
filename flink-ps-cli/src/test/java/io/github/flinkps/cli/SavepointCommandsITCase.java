package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.PsException;
import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.TrainingJob;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutPaths;
import io.github.flinkps.model.cut.CutSummary;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.Folders;
import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.util.TestStreamEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code model export} and {@code model remove} of what Flink has saved of a job, with no job
 * running.
 */
@Timeout(180)
@ExtendWith(SharedFlink.class)
class SavepointCommandsITCase {
    private static final int ROWS = 32;
    private static final int KEYS = 4;
    private static final long LIMIT_SECONDS = 60;

    @TempDir private Path folder;

    /** Rows without an end: keys 1 and 2 say yes, 3 and 4 no. */
    private static DataStream<RowBatch> rows(StreamExecutionEnvironment env) {
        return env.fromSequence(0, Long.MAX_VALUE - 1)
                .setParallelism(1)
                .map(SavepointCommandsITCase::batch)
                .returns(RowBatchTypeInfo.INSTANCE)
                .setParallelism(1);
    }

    private static RowBatch batch(long number) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(1);
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int row = 0; row < ROWS; row++) {
            builder.add(1 + row % KEYS);
            builder.endRow(row % KEYS < 2 ? 1 : 0);
        }
        return builder.position(number, 0).build();
    }

    private Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, 1000);
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                folder.resolve("checkpoints").toUri().toString());
        configuration.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        return configuration;
    }

    private StreamExecutionEnvironment environment() {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration());
        env.setParallelism(2);
        env.enableCheckpointing(100);
        return env;
    }

    private TrainingJob<RowBatch> training(StreamExecutionEnvironment env, String name) {
        return FlinkPs.train(rows(env), LogisticRegression.builder().build())
                .set(PsOptions.MODEL_NAME, name)
                .set(PsOptions.MODEL_ROOT, folder.resolve("root").toString())
                .set(PsOptions.BATCH_SIZE, ROWS)
                .set(PsOptions.WORKERS, 2);
    }

    private static void start(TrainingJob<RowBatch> job) {
        job.start().reports().sinkTo(new DiscardingSink<>());
    }

    /** A checkpoint that Flink has not removed yet, or null. */
    private Path checkpoint() {
        return Folders.find(folder.resolve("checkpoints"), path -> path.endsWith("_metadata"))
                .stream()
                .map(Path::getParent)
                .findFirst()
                .orElse(null);
    }

    /** Waits for a checkpoint at which all keys of these models have been trained. */
    private void awaitCheckpoint(String... models) throws Exception {
        for (String model : models) {
            Polling.await(
                    "no checkpoint of a trained " + model,
                    () -> {
                        Path checkpoint = checkpoint();
                        return checkpoint != null && number(checkpoint) >= firstTrained(model);
                    });
        }
    }

    private static long number(Path checkpoint) {
        return Long.parseLong(checkpoint.getFileName().toString().substring("chk-".length()));
    }

    /** Number of the first cut that is there of all rows of a model. */
    private long firstTrained(String model) {
        Path directory = folder.resolve("root").resolve("default").resolve(model);
        CutCatalog catalog =
                new CutCatalog(new LocalModelStorage(), LocalModelStorage.path(directory));
        try {
            return catalog.runs().stream()
                    .flatMap(run -> catalog.list(run).cuts().stream())
                    .filter(cut -> cut.rows() > KEYS)
                    .mapToLong(cut -> cut.id().number())
                    .min()
                    .orElse(Long.MAX_VALUE);
        } catch (PsException removedMeanwhile) {
            return Long.MAX_VALUE;
        }
    }

    private String savepoint(JobClient job, SavepointFormatType format) throws Exception {
        return job.triggerSavepoint(folder.resolve("savepoints").toString(), format)
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Takes a savepoint once all tasks run, before which Flink takes none. */
    private String awaitSavepoint(JobClient job) throws Exception {
        AtomicReference<String> taken = new AtomicReference<>();
        Polling.await(
                "no savepoint",
                () -> {
                    try {
                        taken.set(savepoint(job, SavepointFormatType.CANONICAL));
                        return true;
                    } catch (ExecutionException notYet) {
                        return false;
                    }
                });
        return taken.get();
    }

    private Map<String, float[]> values(Path model) {
        Map<String, float[]> rows = new TreeMap<>();
        ModelStorage storage = new LocalModelStorage();
        try (BufferAllocator allocator = new RootAllocator();
                ModelReader reader =
                        ModelReader.open(storage, LocalModelStorage.path(model), allocator)) {
            for (String table : List.of("weights", "bias")) {
                reader.read(
                        table,
                        block -> {
                            for (int i = 0; i < block.rows(); i++) {
                                rows.put(
                                        table + block.keys()[i],
                                        Arrays.copyOfRange(block.values(), i, i + 1));
                            }
                        });
            }
        }
        return rows;
    }

    private Path export(String savepoint, String... more) {
        Path model = folder.resolve("exported-" + System.nanoTime());
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "model",
                                "export",
                                "--savepoint",
                                savepoint,
                                "--model",
                                model.toString()));
        arguments.addAll(List.of(more));
        TestingCommand.succeeds(arguments.toArray(String[]::new));
        return model;
    }

    private void predicts(Path model) throws IOException {
        Path rows = Files.writeString(folder.resolve("rows.libsvm"), "0 1:1\n0 4:1\n");
        Path predictions = folder.resolve("predictions");
        TestingCommand.succeeds(
                "predict",
                "--model",
                model.toString(),
                "--input",
                rows.toString(),
                "--output",
                predictions.toString(),
                "--servers",
                "1");
        List<Double> scores =
                Files.readAllLines(predictions).stream()
                        .skip(1)
                        .map(line -> Double.parseDouble(line.substring(line.indexOf(',') + 1)))
                        .toList();
        assertThat(scores).hasSize(2);
        assertThat(scores.get(0)).isGreaterThan(.5);
        assertThat(scores.get(1)).isLessThan(.5);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatFlinkHasSavedPredicts(boolean remote) throws Exception {
        try (ParameterServer server =
                ParameterServer.start(ServerConfig.defaults(), new LocalModelStorage())) {
            StreamExecutionEnvironment env = environment();
            Path saved = folder.resolve("saved");
            TrainingJob<RowBatch> training =
                    training(env, "clicks").set(PsOptions.MODEL_OUTPUT, saved.toString());
            if (remote) {
                training.set(PsOptions.REMOTE, List.of(server.address().toString()));
            }
            start(training);
            JobClient job = env.executeAsync();
            awaitCheckpoint("clicks");
            String canonical = savepoint(job, SavepointFormatType.CANONICAL);
            String drained =
                    job.stopWithSavepoint(
                                    true,
                                    folder.resolve("savepoints").toString(),
                                    SavepointFormatType.NATIVE)
                            .get(LIMIT_SECONDS, TimeUnit.SECONDS);
            job.getJobExecutionResult().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            predicts(export(canonical));
            Path from = Path.of(java.net.URI.create(drained));
            Path moved = Files.move(from, folder.resolve("moved"));
            assertThat(values(export(moved.toString())))
                    .usingRecursiveComparison()
                    .isEqualTo(values(saved));
        }
    }

    @Test
    void ofSeveralModelsOneIsNamed() throws Exception {
        StreamExecutionEnvironment env = environment();
        start(training(env, "left"));
        start(training(env, "right"));
        JobClient job = env.executeAsync();
        awaitCheckpoint("left", "right");
        String savepoint = savepoint(job, SavepointFormatType.NATIVE);
        job.cancel().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        Polling.await("the job goes on", () -> job.getJobStatus().get().isGloballyTerminalState());
        String checkpoint = checkpoint().toString();
        predicts(export(checkpoint, "--operator", "right"));
        Path left = export(savepoint, "--operator", "flink-ps-train-left");
        assertThat(Files.readString(left.resolve("manifest.json"))).contains("\"left\"");
        String target = folder.resolve("refused").toString();
        for (String operator : new String[] {null, "middle"}) {
            List<String> arguments =
                    new ArrayList<>(
                            List.of(
                                    "model",
                                    "export",
                                    "--model",
                                    target,
                                    "--savepoint",
                                    savepoint));
            if (operator != null) {
                arguments.addAll(List.of("--operator", operator));
            }
            TestingCommand refused = TestingCommand.run(arguments.toArray(String[]::new));
            assertThat(refused.exitCode()).isNotZero();
            assertThat(refused.err())
                    .contains("--operator", "flink-ps-train-left", "flink-ps-train-right");
        }
    }

    /**
     * Removes them also while the job goes on, whose own cuts stay; and all of it when the job has
     * ended.
     */
    @Test
    void ownersRemoveWhatSavepointsNeed() throws Exception {
        StreamExecutionEnvironment env = environment();
        start(training(env, "clicks").set(PsOptions.KEEP_CUTS, 1000));
        JobClient job = env.executeAsync();
        awaitCheckpoint("clicks");
        String savepoint = savepoint(job, SavepointFormatType.CANONICAL);
        Path manifest = cut(savepoint);
        CutPaths.Location cut = CutPaths.cutAt(manifest.toString()).orElseThrow();
        CutCatalog catalog = new CutCatalog(new LocalModelStorage(), cut.model());
        awaitCompleteBehind(cut.id(), catalog);
        CutId complete = complete(cut.id().run(), catalog);
        String kept = CutPaths.manifest(cut.model(), complete);
        assertThat(TestingCommand.run("model", "remove", "--cut", kept).err())
                .containsAnyOf(
                        kept + " is of a checkpoint of a job that trains the model now",
                        kept + " is needed by"); // a next one may add to it by then
        String run = CutPaths.run(cut.model(), cut.id().run());
        assertThat(TestingCommand.run("model", "remove", "--run", run).err())
                .contains(run + " is of a job that trains the model now");
        assertThat(TestingCommand.succeeds("model", "remove", "--cut", manifest.toString()).out())
                .contains("removed " + manifest, "1 cut, ");
        assertThat(manifest.getParent()).doesNotExist();
        refused(savepoint, "there is no manifest " + manifest, "is gone");
        awaitCompleteBehind(complete, catalog);

        job.cancel().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        Polling.await("the job goes on", () -> job.getJobStatus().get().isGloballyTerminalState());
        String checkpoint = checkpoint().toString();
        predicts(export(checkpoint));
        Polling.await(
                "the run seems to go on",
                () -> TestingCommand.run("model", "remove", "--run", run).exitCode() == 0);
        assertThat(Path.of(run)).doesNotExist();
        refused(checkpoint, "there is no manifest", "is gone");
    }

    private static CutId complete(String run, CutCatalog catalog) {
        List<CutId> all = catalog.marked(run, CutSummary.Status.COMPLETE);
        return all.get(all.size() - 1);
    }

    private static void awaitCompleteBehind(CutId cut, CutCatalog catalog) throws Exception {
        Polling.await(
                "no checkpoint behind " + cut,
                () -> complete(cut.run(), catalog).number() > cut.number());
    }

    @Test
    void saysWhatIsMissingOrDamaged() throws Exception {
        StreamExecutionEnvironment env = environment();
        start(training(env, "clicks"));
        JobClient job = env.executeAsync();
        awaitCheckpoint("clicks");
        String savepoint = savepoint(job, SavepointFormatType.CANONICAL);
        job.cancel().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        Path manifest = cut(savepoint);
        Path data;
        try (Stream<Path> files = Files.list(manifest.resolveSibling("data"))) {
            data = files.findFirst().orElseThrow();
        }
        byte[] before = Files.readAllBytes(data);
        Files.write(data, Arrays.copyOf(before, before.length - 1));
        refused(savepoint, data.toString());
        Files.writeString(manifest, Files.readString(manifest).replaceFirst("clicks", "klicks"));
        refused(savepoint, manifest.toString(), "altered");
        Files.delete(manifest);
        refused(savepoint, "there is no manifest " + manifest, "is gone");

        refused(folder.resolve("nowhere").toString(), "nowhere");
        refused(folder.toString(), folder.toString());
        StreamExecutionEnvironment other = environment();
        rows(other).sinkTo(new DiscardingSink<>());
        JobClient plain = other.executeAsync();
        String nothing = awaitSavepoint(plain);
        plain.cancel().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        refused(nothing, "no operator in " + nothing, "training had finished", "--cut");
    }

    @Test
    void saysThatASavepointIsDamaged() throws Exception {
        StreamExecutionEnvironment env = environment();
        start(training(env, "clicks"));
        JobClient job = env.executeAsync();
        awaitCheckpoint("clicks");
        String savepoint = savepoint(job, SavepointFormatType.CANONICAL);
        job.cancel().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        Path directory = Path.of(java.net.URI.create(savepoint));
        Path metadata = directory.resolve("_metadata");
        byte[] whole = Files.readAllBytes(metadata);
        String damaged = "the savepoint " + directory + " is damaged or incomplete: ";
        for (int length : new int[] {0, 5, whole.length / 2, whole.length - 1}) {
            Files.write(metadata, Arrays.copyOf(whole, length));
            refused(directory.toString(), damaged + "file:" + metadata + ": it ends early");
        }
        flippedBitsAreExplained(directory, whole);
    }

    @Test
    void namesTheFileOfASavepointThatIsMissing() throws Exception {
        Configuration inFiles = new Configuration();
        inFiles.set(CheckpointingOptions.FS_SMALL_FILE_THRESHOLD, MemorySize.ZERO);
        MiniClusterConfiguration.Builder builder =
                new MiniClusterConfiguration.Builder()
                        .setConfiguration(inFiles)
                        .setNumSlotsPerTaskManager(4)
                        .withRandomPorts();
        String savepoint;
        try (MiniCluster cluster = new MiniCluster(builder.build())) {
            cluster.start();
            StreamExecutionEnvironment env =
                    new TestStreamEnvironment(cluster, configuration(), 2, List.of(), List.of());
            env.enableCheckpointing(100);
            start(training(env, "clicks"));
            JobClient job = env.executeAsync();
            awaitCheckpoint("clicks");
            savepoint = savepoint(job, SavepointFormatType.CANONICAL);
            job.cancel().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
        Path directory = Path.of(java.net.URI.create(savepoint));
        List<Path> states;
        try (Stream<Path> all = Files.list(directory)) {
            states = all.filter(file -> !file.endsWith("_metadata")).toList();
        }
        String damaged = "the savepoint " + directory + " is damaged or incomplete: ";
        for (Path state : states) {
            Files.write(state, new byte[0]);
        }
        refused(directory.toString(), damaged + "file:" + directory + "/", ": it ends early");
        for (Path state : states) {
            Files.delete(state);
        }
        refused(directory.toString(), damaged, directory + "/", "No such file");
    }

    private void flippedBitsAreExplained(Path savepoint, byte[] whole) throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            byte[] altered = whole.clone();
            int at = random.nextInt(altered.length);
            altered[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(savepoint.resolve("_metadata"), altered);
            String target = folder.resolve("flipped-" + i).toString();
            TestingCommand export =
                    TestingCommand.run(
                            "model",
                            "export",
                            "--savepoint",
                            savepoint.toString(),
                            "--model",
                            target);
            if (export.exitCode() != ExitCodes.OK) {
                assertThat(export.err())
                        .as("byte %d, seed %d", at, seed)
                        .startsWith("flink-ps: ")
                        .doesNotContain("unexpected failure");
            }
        }
    }

    /** The manifest of the cut that a savepoint refers to, as the export says. */
    private Path cut(String savepoint) throws IOException {
        String made = Files.readString(export(savepoint).resolve("manifest.json"));
        String number = made.replaceAll("(?s).*\"cut\" ?: ?\"([^\"]*)\".*", "$1");
        String run = made.replaceAll("(?s).*\"run\" ?: ?\"([^\"]*)\".*", "$1");
        Path manifest = Path.of(run, "cuts", number, "manifest.json");
        return Folders.find(folder.resolve("root"), path -> path.endsWith(manifest)).get(0);
    }

    private void refused(String savepoint, String... says) {
        Path target = folder.resolve("refused");
        TestingCommand refused =
                TestingCommand.run(
                        "model", "export", "--savepoint", savepoint, "--model", target.toString());
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.err()).startsWith("flink-ps: --savepoint: ").contains(says);
        assertThat(target).doesNotExist();
    }
}
