package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.cut.CutCatalog;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.TestingCuts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code model list}, {@code model export} and {@code model remove}, of cuts that a server has
 * taken.
 */
class CutCommandsITCase {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final TableSpec TABLE =
            TableSpec.sparse("weights", 1, UpdateSpec.of("adagrad")).withPartitions(4);

    private final ModelStorage storage = new LocalModelStorage();
    private final List<ManifestRef> cuts = new ArrayList<>();
    @TempDir private Path folder;

    private Path model() {
        return folder.resolve("model");
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(30, TimeUnit.SECONDS);
    }

    /** Three rows, a cut, a fourth row, a cut that adds to the first. */
    @BeforeEach
    void takeTwoCuts() throws Exception {
        String directory = LocalModelStorage.path(model());
        ConsistencySpec asp = ConsistencySpec.asp();
        try (ParameterServer server = ParameterServer.start(ServerConfig.defaults(), storage);
                ParameterClient client =
                        ParameterClients.create(
                                List.of(server.address()), ClientConfig.defaults());
                TestingCuts manifests = new TestingCuts(storage, directory, asp, 1)) {
            ModelSession worker =
                    get(client.open(new SessionSpec("m", "run", 1, 0, 1, asp, TIMEOUT)));
            get(worker.createTable(TABLE));
            get(worker.beginCuts(directory, null, TIMEOUT));
            push(worker, 1, 2, 3);
            for (int cut = 1; cut <= 2; cut++) {
                get(worker.marker(cut, cut - 1));
                cuts.add(manifests.write(1, cut, get(worker.awaitCut(cut, TIMEOUT))));
                push(worker, 4);
            }
        }
    }

    private static void push(ModelSession worker, long... keys) throws Exception {
        float[] ones = new float[keys.length];
        java.util.Arrays.fill(ones, 1);
        get(
                worker.exchange()
                        .push(worker.keys("weights", keys, 0, keys.length), ones, 1)
                        .clock()
                        .send());
    }

    @Test
    void listsCutsAndMakesModelsOfThem() throws Exception {
        TestingCommand listed = TestingCommand.run("model", "list", model().toString());
        assertThat(listed.exitCode()).isZero();
        List<String> lines = listed.out().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0))
                .startsWith(cuts.get(0).path())
                .contains("3 rows", "full", "maybe of a savepoint");
        assertThat(lines.get(1))
                .startsWith(cuts.get(1).path())
                .contains("4 rows", "adds to cut 1 of run run (fence 1)");
        for (int cut = 0; cut < 2; cut++) {
            Path target = folder.resolve("exported-" + cut);
            TestingCommand exported =
                    TestingCommand.run(
                            "model",
                            "export",
                            "--cut",
                            cuts.get(cut).path(),
                            "--model",
                            target.toString());
            assertThat(exported.err()).isEmpty();
            assertThat(exported.exitCode()).isZero();
            assertThat(exported.out()).contains(3 + cut + " parameters of " + (cut + 1) + "-1");
            assertThat(rows(target)).isEqualTo(3 + cut);
        }
    }

    @Test
    void takesUris() throws Exception {
        String uri = "file://" + model();
        List<String> lines =
                TestingCommand.succeeds("model", "list", uri + "/").out().lines().toList();
        assertThat(lines).hasSize(2).allMatch(line -> line.startsWith(uri + "/runs/run/cuts/"));
        String cut = lines.get(1).split(" ", 2)[0];
        Path target = folder.resolve("exported");
        TestingCommand.succeeds("model", "export", "--cut", cut, "--model", target.toString());
        assertThat(rows(target)).isEqualTo(4);
        assertThat(remove("--cut", cut).out()).contains("removed " + cut);
        assertThat(directory(1)).doesNotExist();
        assertThat(TestingCommand.run("model", "list", "file://" + folder).err())
                .contains("give one of those below, " + uri);
        assertThat(TestingCommand.run("model", "list", uri + "-other").err())
                .isEqualToIgnoringNewLines("flink-ps: there is no directory " + uri + "-other");
        assertThat(TestingCommand.run("model", "list", "plugged://" + model()).err())
                .contains("cannot read plugged://" + model(), "scheme 'plugged'");
    }

    @Test
    void readsByFlinksPlugIns() throws Exception {
        PluggedFiles.install(folder.resolve("plugins"));
        String uri = PluggedFiles.SCHEME + "://" + model();
        Map<String, String> environment =
                Map.of("FLINK_PLUGINS_DIR", folder.resolve("plugins").toString());
        try (TestingProcess list = TestingProcess.start(environment, "model", "list", uri)) {
            assertThat(list.awaitExit()).as("%s", list.err()).isZero();
            assertThat(list.out()).hasSize(2).allMatch(line -> line.startsWith(uri));
        }
    }

    @Test
    void readsAsFlinksConfigurationSays() throws Exception {
        Path configured = Files.createDirectory(folder.resolve("conf"));
        Files.writeString(
                configured.resolve("config.yaml"),
                "fs.default-scheme: " + PluggedFiles.SCHEME + ":///\n");
        Map<String, String> environment = Map.of("FLINK_CONF_DIR", configured.toString());
        try (TestingProcess list =
                TestingProcess.start(environment, "model", "list", model().toString())) {
            assertThat(list.awaitExit()).isEqualTo(ExitCodes.FAILED);
            assertThat(list.err()).anyMatch(line -> line.contains("scheme 'plugged'"));
        }
        Files.delete(configured.resolve("config.yaml"));
        Files.delete(configured);
        try (TestingProcess list =
                TestingProcess.start(environment, "model", "list", model().toString())) {
            assertThat(list.awaitExit()).isEqualTo(ExitCodes.FAILED);
            assertThat(list.err()).anyMatch(line -> line.startsWith("flink-ps: FLINK_CONF_DIR: "));
        }
    }

    private long rows(Path directory) {
        try (BufferAllocator allocator = new RootAllocator();
                ModelReader reader =
                        ModelReader.open(storage, LocalModelStorage.path(directory), allocator)) {
            reader.verify();
            return reader.manifest().parameters();
        }
    }

    @Test
    void saysWhatIsMissingOrDamaged() throws Exception {
        String target = folder.resolve("exported").toString();
        TestingCommand missing =
                TestingCommand.run(
                        "model", "export", "--cut", folder.toString(), "--model", target);
        assertThat(missing.exitCode()).isNotZero();
        assertThat(missing.err()).contains("--cut", "manifest.json");
        assertThat(TestingCommand.run("model", "list", folder.toString()).err())
                .contains(
                        "no cuts are kept in "
                                + folder
                                + ", which is not a model's directory: give one of those below, "
                                + model());
        Path run = model().resolve("runs/run");
        for (Path part :
                List.of(run.getParent(), run, run.resolve("cuts"), run.resolve("cuts/1-1"))) {
            assertThat(TestingCommand.run("model", "list", part.toString()).err())
                    .contains("is part of a model: give the model's directory, " + model());
        }
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertThat(TestingCommand.run("model", "list", empty.toString()).err())
                .isEqualToIgnoringNewLines("flink-ps: no cuts are kept in " + empty);
        Path data = Path.of(cuts.get(1).path()).resolveSibling("data");
        try (var files = Files.list(data)) {
            Files.write(files.findFirst().orElseThrow(), new byte[] {1, 2, 3});
        }
        TestingCommand torn = exported(Path.of(cuts.get(1).path()));
        assertThat(torn.exitCode()).isNotZero();
        assertThat(torn.err()).contains(data.toString(), cuts.get(0).path());
        assertThat(Path.of(target)).doesNotExist();
    }

    @Test
    void namesTheCutBeforeOneWhoseManifestIsDamaged() throws Exception {
        Path manifest = Path.of(cuts.get(1).path());
        Files.writeString(manifest, Files.readString(manifest).replace("\"m\"", "\"n\""));
        TestingCommand altered = exported(manifest);
        assertThat(altered.exitCode()).isNotZero();
        assertThat(altered.err())
                .contains(manifest + " is damaged", "instead: " + cuts.get(0).path());
    }

    private Path directory(int cut) {
        return Path.of(cuts.get(cut).path()).getParent();
    }

    private static TestingCommand remove(String option, Object... paths) {
        return TestingCommand.run(
                "model",
                "remove",
                option,
                Stream.of(paths).map(Object::toString).collect(Collectors.joining(",")));
    }

    @Test
    void removesCutsButNoneThatAnotherAddsTo() {
        TestingCommand needed = remove("--cut", cuts.get(0).path());
        assertThat(needed.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(needed.err())
                .contains(
                        "--cut: "
                                + cuts.get(0).path()
                                + " is needed by cuts that add to it, "
                                + cuts.get(1).path());
        long bytes = FileUtils.sizeOfDirectory(directory(1).toFile());
        assertThat(remove("--cut", cuts.get(1).path()).out().lines())
                .containsExactly(
                        "removed %s, %,d bytes".formatted(cuts.get(1).path(), bytes),
                        "1 cut, %,d bytes".formatted(bytes));
        assertThat(directory(1)).doesNotExist();
        assertThat(TestingCommand.succeeds("model", "list", model().toString()).out().lines())
                .singleElement()
                .asString()
                .startsWith(cuts.get(0).path());
        assertThat(remove("--cut", directory(0)).exitCode()).isZero();
        assertThat(directory(0).getParent()).isEmptyDirectory();
    }

    /** Removes cuts in any order, and twice, as after a removal that was killed. */
    @Test
    void removesCutsTogether() throws Exception {
        Files.delete(Path.of(cuts.get(1).path()));
        TestingCommand removed = remove("--cut", directory(0), cuts.get(1).path());
        assertThat(removed.err()).isEmpty();
        List<String> lines = removed.out().lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).startsWith("removed " + cuts.get(1).path());
        assertThat(lines.get(1)).startsWith("removed " + cuts.get(0).path());
        assertThat(lines.get(2)).startsWith("2 cuts, ");
        assertThat(directory(0).getParent()).isEmptyDirectory();
        TestingCommand again = remove("--cut", directory(0), cuts.get(1).path());
        assertThat(again.exitCode()).isZero();
        assertThat(again.out()).isEqualToIgnoringNewLines("nothing of it is there");
    }

    @Test
    void removesRuns() {
        Path run = model().resolve("runs/run");
        long bytes = FileUtils.sizeOfDirectory(run.toFile());
        assertThat(remove("--run", run).out().lines())
                .containsExactly(
                        "removed %s, %,d bytes".formatted(run, bytes),
                        "1 run, %,d bytes".formatted(bytes));
        assertThat(run).doesNotExist();
        assertThat(remove("--run", run).out()).isEqualToIgnoringNewLines("nothing of it is there");
    }

    private void trains(String run) throws Exception {
        trains(run, System.currentTimeMillis() + TIMEOUT.toMillis());
    }

    private void trains(String run, long expiry) throws Exception {
        new ServiceRegistry(LocalModelStorage.path(model()), run)
                .publish(new ServiceAddress(run, 1, List.of("localhost:1"), expiry));
    }

    @Test
    void removesNothingOfAJobWhoseMachineHasAClockThatIsBehind() throws Exception {
        long then = System.currentTimeMillis() - Duration.ofMinutes(2).toMillis();
        trains("run", then);
        ScheduledExecutorService renewal = Executors.newSingleThreadScheduledExecutor();
        try {
            renewal.schedule(
                    () -> {
                        trains("run", then + 20_000);
                        return null;
                    },
                    2,
                    TimeUnit.SECONDS);
            assertThat(remove("--run", model().resolve("runs/run")).err())
                    .contains("runs/run is of a job that trains the model now");
        } finally {
            renewal.shutdownNow();
        }
    }

    @Test
    void removesNothingThatAJobMayNeed() throws Exception {
        CutCatalog catalog = new CutCatalog(storage, LocalModelStorage.path(model()));
        String cut = cuts.get(1).path();
        trains("run");
        assertThat(remove("--cut", cut).err())
                .contains(
                        cut
                                + " may be of a checkpoint that is just being completed: run run"
                                + " trains the model now",
                        "--force removes it all the same");
        catalog.markComplete(new CutId("run", 1, 2));
        assertThat(remove("--cut", cut).err())
                .contains(cut + " is of a checkpoint of a job that trains the model now, run run");
        assertThat(remove("--run", model().resolve("runs/run")).err())
                .contains("runs/run is of a job that trains the model now");

        Files.delete(model().resolve("registry/run.json"));
        trains("next");
        for (String[] named : new String[][] {{"--cut", cut}, {"--run", model() + "/runs/run"}}) {
            assertThat(remove(named[0], named[1]).err())
                    .contains(named[1] + " may be what run next goes on from");
        }
        assertThat(remove("--cut", cut, cuts.get(0).path()).exitCode()).isNotZero();
        Path begun = model().resolve("runs/next/cuts/7-1");
        FileUtils.copyDirectory(Path.of(cut).getParent().toFile(), begun.toFile());
        Path rows = Files.createDirectories(model().resolve("runs/run/rows")).resolve("0-1");
        Files.createFile(rows);
        for (String[] named : new String[][] {{"--cut", cut}, {"--run", model() + "/runs/run"}}) {
            assertThat(remove(named[0], named[1]).err())
                    .contains(named[1] + " may be what run next has gone on from")
                    .contains("the rows of several passes that run run has kept");
        }
        Files.delete(rows);
        assertThat(Path.of(cut)).exists();
        TestingCommand.succeeds("model", "remove", "--force", "--cut", cut);
        assertThat(Path.of(cut)).doesNotExist();
    }

    @Test
    void removesNothingElse() {
        for (String path : List.of("", "/..", "/run/cuts", "/run/cuts/1-1/data", "/run/rows")) {
            Path named = model().resolve("runs" + path);
            assertThat(remove("--cut", named).err())
                    .contains(named + " is not MODEL/runs/RUN/cuts/CUT, as model list shows it");
        }
        for (String path : List.of("", "/..", "/run/cuts")) {
            Path named = model().resolve("runs" + path);
            assertThat(remove("--run", named).err())
                    .contains(named + " is not MODEL/runs/RUN, as model list shows it");
        }
        Path nowhere = folder.resolve("nowhere/runs/run");
        assertThat(remove("--run", nowhere).err())
                .contains("--run: no run of a model was in " + folder.resolve("nowhere"));
        assertThat(TestingCommand.run("model", "remove").err())
                .contains("give either --cut or --run");
        assertThat(cuts).allSatisfy(cut -> assertThat(Path.of(cut.path())).exists());
    }

    @Test
    void saysThatACutIsGone() throws Exception {
        Path gone = Path.of(cuts.get(1).path());
        Files.delete(gone);
        assertThat(exported(gone).err())
                .contains(
                        "--cut: there is no manifest " + gone,
                        "cut 2 of run run (fence 1) is gone",
                        "raise keep-cuts",
                        "The newest of its run is cut 1 of run run (fence 1): "
                                + cuts.get(0).path());
        FileUtils.deleteDirectory(directory(0).toFile());
        assertThat(exported(gone).err()).contains("No cut of its run can be used");
    }

    private TestingCommand exported(Path cut) {
        String target = folder.resolve("exported").toString();
        return TestingCommand.run("model", "export", "--cut", cut.toString(), "--model", target);
    }

    @Test
    void listsWhatKilledJobsLeave() throws Exception {
        Path killed = model().resolve("runs/zombie");
        Files.createDirectories(killed.resolve("cuts/7-1/data"));
        Files.write(killed.resolve("cuts/7-1/data/part"), new byte[1200]);
        Path rows = model().resolve("runs/run/rows");
        Files.createDirectories(rows);
        Files.write(rows.resolve("0-0"), new byte[1500]);
        List<String> lines =
                TestingCommand.succeeds("model", "list", model().toString()).out().lines().toList();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0))
                .startsWith(killed + "  no cut that can be used; unfinished cuts 7-1, 1,200 bytes")
                .contains("model remove --run " + killed);
        assertThat(lines.get(1)).startsWith(cuts.get(0).path());
        assertThat(lines.get(2)).startsWith(cuts.get(1).path());
        assertThat(lines.get(3))
                .startsWith(model() + "/runs/run  rows of several passes, 1,500 bytes");
        assertThat(remove("--run", killed).out()).contains("1 run, 1,200 bytes");
        FileUtils.deleteDirectory(model().resolve("runs/run/cuts").toFile());
        assertThat(TestingCommand.succeeds("model", "list", model().toString()).out())
                .startsWith(model() + "/runs/run  no cut that can be used; rows of several passes");
    }

    @Test
    @Timeout(60)
    void refusesAManifestThatIsAPipe() throws Exception {
        Path manifest = Path.of(cuts.get(1).path());
        Files.delete(manifest);
        Process made = new ProcessBuilder("mkfifo", manifest.toString()).start();
        assertThat(made.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(TestingCommand.succeeds("model", "list", model().toString()).out())
                .contains("cannot be read: " + manifest + " is damaged: it is no regular file");
        assertThat(exported(manifest).err())
                .contains("it is no regular file", "instead: " + cuts.get(0).path());
    }

    @Test
    void saysWhichCutCannotBeUsed() throws Exception {
        FileUtils.deleteDirectory(Path.of(cuts.get(0).path()).getParent().toFile());
        assertThat(TestingCommand.succeeds("model", "list", model().toString()).out())
                .contains(cuts.get(1).path(), "cannot be used: cut 1 of run run (fence 1) is gone");
    }
}
