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
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ManifestRef;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.TestingCuts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code model list} and {@code model export}, of cuts that a server has taken. */
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
            get(worker.beginCuts(directory, "", 0, TIMEOUT));
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
                .contains("no cuts are kept in " + folder);
        Path data = Path.of(cuts.get(1).path()).resolveSibling("data");
        try (var files = Files.list(data)) {
            Files.write(files.findFirst().orElseThrow(), new byte[] {1, 2, 3});
        }
        TestingCommand torn =
                TestingCommand.run(
                        "model", "export", "--cut", cuts.get(1).path(), "--model", target);
        assertThat(torn.exitCode()).isNotZero();
        assertThat(torn.err()).contains(data.toString(), cuts.get(0).path());
        assertThat(Path.of(target)).doesNotExist();
    }

    @Test
    void namesTheCutBeforeOneWhoseManifestIsDamaged() throws Exception {
        String target = folder.resolve("exported").toString();
        Path manifest = Path.of(cuts.get(1).path());
        Files.writeString(manifest, Files.readString(manifest).replace("\"m\"", "\"n\""));
        TestingCommand altered =
                TestingCommand.run(
                        "model", "export", "--cut", manifest.toString(), "--model", target);
        assertThat(altered.exitCode()).isNotZero();
        assertThat(altered.err())
                .contains(manifest + " is damaged", "instead: " + cuts.get(0).path());
    }

    @Test
    void saysWhichCutCannotBeUsed() throws Exception {
        FileUtils.deleteDirectory(Path.of(cuts.get(0).path()).getParent().toFile());
        assertThat(TestingCommand.succeeds("model", "list", model().toString()).out())
                .contains(cuts.get(1).path(), "cannot be used: cut 1 of run run (fence 1) is gone");
    }
}
