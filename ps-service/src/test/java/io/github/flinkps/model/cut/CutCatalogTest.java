package io.github.flinkps.model.cut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.JsonFields;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.TestingModelStorage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CutCatalogTest {
    @TempDir Path folder;

    private final ModelStorage storage = new TestingModelStorage();
    private final List<ManifestRef> refs = new ArrayList<>();
    private TestingCuts cuts;
    private CutCatalog catalog;

    /** Cut 0 (all rows), 1 to 3 (increments), 4 (all rows, of another attempt), 5 (increment). */
    @BeforeEach
    void write(BufferAllocator allocator) {
        String model = LocalModelStorage.path(folder.resolve("model"));
        cuts = new TestingCuts(storage, model, 1);
        catalog = new CutCatalog(storage, model + "/");
        for (int n = 0; n <= 5; n++) {
            cuts.train(3);
            cuts.fence = n < 4 ? 7 : 8;
            Optional<CutBase> base =
                    n % 4 == 0 ? Optional.empty() : Optional.of(cuts.base(n - 1, refs.get(n - 1)));
            refs.add(cuts.cut(n, base, allocator));
        }
    }

    private CutId id(int number) {
        return new CutId(TestingCuts.RUN, number < 4 ? 7 : 8, number);
    }

    private List<CutId> listed() {
        return catalog.list(TestingCuts.RUN).cuts().stream().map(CutSummary::id).toList();
    }

    private Path directory(CutId id) {
        return Path.of(CutPaths.directory(cuts.model, id));
    }

    /** The last of cuts 6 to 8, where all workers had finished, has no manifest. */
    @Test
    void behindTheEndTheFirstCutStandsForAll(BufferAllocator allocator) throws IOException {
        assertThat(catalog.firstAlike(id(5))).isEmpty();
        cuts.finished = true;
        for (int n = 6; n <= 8; n++) {
            refs.add(cuts.cut(n, Optional.of(cuts.base(n - 1, refs.get(n - 1))), allocator));
        }
        Files.delete(directory(id(8)).resolve("manifest.json"));
        assertThat(catalog.firstAlike(id(5))).isEmpty();
        for (int n = 6; n <= 9; n++) {
            assertThat(catalog.firstAlike(id(n)).map(CutSummary::ref)).contains(refs.get(6));
        }
        assertThat(catalog.firstAlike(id(3))).isEmpty();
        assertThat(catalog.firstAlike(new CutId(TestingCuts.RUN, 9, 9))).isEmpty();
        assertThat(catalog.standIns(TestingCuts.RUN)).containsExactly(id(6));
        assertThat(catalog.copies(TestingCuts.RUN)).containsExactly(id(7));
        catalog.markAborted(TestingCuts.RUN, Set.of(6L));
        assertThat(catalog.standIns(TestingCuts.RUN)).containsExactly(id(7));
        assertThat(catalog.copies(TestingCuts.RUN)).isEmpty();
    }

    private static long bytesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.map(Path::toFile).filter(File::isFile).mapToLong(File::length).sum();
        }
    }

    @Test
    void lists() throws IOException {
        assertThat(catalog.runs()).containsExactly(TestingCuts.RUN);
        assertThat(listed()).containsExactly(id(0), id(1), id(2), id(3), id(4), id(5));
        CutSummary last = catalog.list(TestingCuts.RUN).cuts().get(5);
        assertThat(last.ref()).isEqualTo(refs.get(5));
        assertThat(last.time()).isEqualTo(cuts.time);
        assertThat(last.base()).contains(cuts.base(4, refs.get(4)));
        assertThat(last.rows())
                .isEqualTo(cuts.content().values().stream().mapToLong(List::size).sum());
        assertThat(catalog.list("none").cuts()).isEmpty();
        assertThat(new CutCatalog(storage, folder.resolve("none").toString()).runs()).isEmpty();
        Files.writeString(directory(id(2)).resolve("manifest.json"), "{");
        Files.createDirectories(directory(id(2)).resolveSibling("notes"));
        assertThat(listed()).doesNotContain(id(2)).hasSize(5);
        assertThat(catalog.list(TestingCuts.RUN).damaged())
                .containsOnlyKeys(id(2))
                .hasEntrySatisfying(id(2), why -> assertThat(why).contains("is not JSON"));
    }

    @Test
    void findsThePreviousOne() throws IOException {
        assertThat(catalog.previous(id(5)).map(CutSummary::id)).contains(id(4));
        assertThat(catalog.previous(id(4)).map(CutSummary::id)).contains(id(3));
        assertThat(catalog.previous(id(0))).isEmpty();
        assertThat(catalog.previous(new CutId(TestingCuts.RUN, 9, CutId.FINAL)))
                .hasValueSatisfying(found -> assertThat(found.id()).isEqualTo(id(5)));
        assertThat(catalog.newest(TestingCuts.RUN).map(CutSummary::id)).contains(id(5));
        Files.delete(directory(id(1)).resolve("manifest.json"));
        assertThat(catalog.previous(id(4)).map(CutSummary::id)).contains(id(0));
    }

    @Test
    void aFileUnderTheNameOfAnotherWorkerDoesNotCount() throws IOException {
        for (int worker = 0; worker < 2; worker++) {
            catalog.noteProgress(id(5), new CutProgress(worker, 2, 10, 3, 4));
        }
        Map<String, String> facts = catalog.facts(id(5));
        assertThat(facts).containsEntry("trained-rows", "20");
        Path first = directory(id(5)).resolve("progress-00000.json");
        Files.copy(first, directory(id(5)).resolve("progress-00002.json"));
        assertThat(catalog.facts(id(5))).isEqualTo(facts);
        Files.writeString(first, Files.readString(first).replace("10", "11"));
        assertThat(catalog.facts(id(5))).isEmpty();
        Files.delete(first);
        assertThat(catalog.facts(id(5))).isEmpty();
    }

    @Test
    void tellsWhatIsNoCut() throws IOException {
        assertThat(catalog.remains(TestingCuts.RUN).isEmpty()).isTrue();
        Path unfinished = directory(id(5));
        Files.delete(unfinished.resolve("manifest.json"));
        CutCatalog.Remains remains = catalog.remains(TestingCuts.RUN);
        assertThat(remains.unfinished()).containsExactly(id(5));
        assertThat(remains.unfinishedBytes()).isEqualTo(bytesIn(unfinished)).isPositive();
        Path rows = Files.createDirectory(unfinished.getParent().resolveSibling("rows"));
        Files.write(rows.resolve("file"), new byte[7]);
        assertThat(catalog.remains(TestingCuts.RUN).rowBytes()).isEqualTo(7);
    }

    @Test
    void knowsWhatBecameOfTheCheckpoints() {
        assertThat(catalog.marked(TestingCuts.RUN, CutSummary.Status.COMPLETE)).isEmpty();
        catalog.markComplete(id(3));
        catalog.markComplete(id(3));
        catalog.markComplete(TestingCuts.RUN, Set.of(1L, 9L));
        catalog.markComplete(new CutId(TestingCuts.RUN, 9, 9)); // not there
        catalog.markAborted(TestingCuts.RUN, Set.of(2L, 3L, 4L, 9L));
        catalog.markAborted("none", Set.of(2L));
        assertThat(catalog.marked(TestingCuts.RUN, CutSummary.Status.COMPLETE))
                .containsExactly(id(1), id(3));
        assertThat(catalog.marked(TestingCuts.RUN, CutSummary.Status.ABORTED))
                .containsExactly(id(2), id(4));
        assertThat(catalog.list(TestingCuts.RUN).cuts())
                .extracting(CutSummary::status)
                .containsExactly(
                        CutSummary.Status.UNKNOWN,
                        CutSummary.Status.COMPLETE,
                        CutSummary.Status.ABORTED,
                        CutSummary.Status.COMPLETE,
                        CutSummary.Status.ABORTED,
                        CutSummary.Status.UNKNOWN);
        assertThat(directory(new CutId(TestingCuts.RUN, 9, 9))).doesNotExist();
    }

    /**
     * Cut 3 is not told of and no savepoint's, 6 is a savepoint's, 7 does not say what it is, 8 is
     * damaged, 9 is of the attempt itself.
     */
    @Test
    void whatCameAfterTheCutThatIsGoneBackToWasGivenUp(BufferAllocator allocator)
            throws IOException {
        catalog.markComplete(id(1));
        catalog.markComplete(id(4));
        for (int n = 6; n <= 8; n++) {
            cuts.savepoint = n == 6;
            cuts.cut(n, Optional.empty(), allocator);
        }
        cuts.fence = 9;
        cuts.cut(9, Optional.empty(), allocator);
        Path manifest = directory(id(7)).resolve("manifest.json");
        ObjectNode json = (ObjectNode) new ObjectMapper().readTree(manifest.toFile());
        json.remove(List.of("savepoint", JsonFields.CHECKSUM));
        Files.write(manifest, JsonFields.seal(json));
        Files.writeString(directory(id(8)).resolve("manifest.json"), "{");

        catalog.markAbandoned(TestingCuts.RUN, 9, Optional.of(id(4)));
        assertThat(catalog.marked(TestingCuts.RUN, CutSummary.Status.ABORTED))
                .containsExactly(id(5));
        assertThat(catalog.unnoted(TestingCuts.RUN, 9)).containsExactly(id(2), id(3));
        catalog.markAbandoned(TestingCuts.RUN, 8, Optional.empty());
        assertThat(catalog.marked(TestingCuts.RUN, CutSummary.Status.ABORTED))
                .containsExactly(id(2), id(3), id(5));
        assertThat(catalog.marked(TestingCuts.RUN, CutSummary.Status.COMPLETE))
                .containsExactly(id(1), id(4));
    }

    /** The savepoint is one that a job is stopped with. */
    @Test
    void aCutOfASavepointIsNoneOfACheckpointThatIsComplete(BufferAllocator allocator)
            throws IOException {
        cuts.savepoint = true;
        cuts.cut(6, Optional.empty(), allocator);
        catalog.markComplete(TestingCuts.RUN, Set.of(5L, 6L));
        assertThat(catalog.marked(TestingCuts.RUN, CutSummary.Status.COMPLETE))
                .containsExactly(id(5));
    }

    @Test
    void removesButNoBase() throws IOException {
        assertThatThrownBy(() -> catalog.remove(id(1)))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("later cuts add to it, " + id(2) + " first");
        assertThat(catalog.dependents(id(1)).stream().map(CutSummary::id))
                .containsExactly(id(2), id(3));
        assertThat(catalog.dependents(id(3))).isEmpty();
        long bytes = bytesIn(directory(id(3)));
        assertThat(catalog.remove(id(3))).isEqualTo(bytes).isPositive();
        assertThat(catalog.remove(id(3))).isZero();
        assertThat(directory(id(3))).doesNotExist();
        assertThat(catalog.removeUnneeded(TestingCuts.RUN, List.of(id(0), id(1), id(4)))).isEmpty();
        assertThat(catalog.removeUnneeded(TestingCuts.RUN, List.of(id(0), id(2), id(5))))
                .containsExactly(id(5), id(2));
        assertThat(catalog.removeUnneeded(TestingCuts.RUN, List.of(id(0), id(1))))
                .containsExactly(id(1), id(0));
        assertThat(listed()).containsExactly(id(4));
    }

    /** The cuts that it needs cannot be told. */
    @Test
    void nothingGoesBesideACutOfANewerFormat() throws IOException {
        Path manifest = directory(id(3)).resolve("manifest.json");
        String json = Files.readString(manifest);
        Files.writeString(manifest, json.replace("\"formatVersion\" : 2", "\"formatVersion\" : 3"));
        String newer = manifest + ": format 3, written by a newer flink-ps; this one reads up to 2";
        assertThat(catalog.list(TestingCuts.RUN).damaged()).containsEntry(id(3), newer);
        List<Runnable> removals =
                List.of(
                        () -> catalog.remove(id(2)),
                        () -> catalog.removeUnneeded(TestingCuts.RUN, Set.of(id(2))),
                        () -> catalog.sweep(TestingCuts.RUN, 9));
        for (Runnable removal : removals) {
            assertThatThrownBy(removal::run).hasMessage(newer);
        }
        assertThat(directory(id(2)).resolve("manifest.json")).exists();
    }

    /** The cut cannot be looked at, though nobody says that it is damaged. */
    @Test
    void nothingGoesBesideACutThatCannotBeLookedAt() throws IOException {
        Path manifest = directory(id(3)).resolve("manifest.json");
        Path moved = Files.move(manifest, folder.resolve("moved"));
        Files.createSymbolicLink(manifest, manifest);
        assertThatThrownBy(() -> catalog.removeUnneeded(TestingCuts.RUN, Set.of(id(2))))
                .isInstanceOf(PsException.class)
                .hasMessageContaining("cannot read " + manifest);
        Files.move(moved, manifest, StandardCopyOption.REPLACE_EXISTING);
        assertThat(catalog.removeUnneeded(TestingCuts.RUN, Set.of(id(2)))).isEmpty();
    }

    /** A file that cannot be removed ends it; what is left can still be told to be given up. */
    @Test
    void aRemovalThatEndsHalfwayCanBeGoneOnWith() throws IOException {
        catalog.markAborted(TestingCuts.RUN, Set.of(3L, 5L));
        Set<Path> stuck = new HashSet<>(Set.of(directory(id(5)).resolve("data")));
        CutCatalog failing =
                new CutCatalog(
                        new TestingModelStorage() {
                            @Override
                            public void delete(String path) throws IOException {
                                if (stuck.contains(Path.of(path))) {
                                    throw new IOException("stuck");
                                }
                                super.delete(path);
                            }
                        },
                        cuts.model);
        assertThatThrownBy(() -> failing.removeUnneeded(TestingCuts.RUN, Set.of(id(5))))
                .hasMessageContaining("stuck");
        assertThat(directory(id(5)).resolve("manifest.json")).doesNotExist();
        assertThat(catalog.halfRemoved(TestingCuts.RUN)).containsExactly(id(5));
        stuck.clear();
        assertThat(failing.removeUnneeded(TestingCuts.RUN, Set.of(id(5)))).containsExactly(id(5));
        assertThat(directory(id(5))).doesNotExist();
    }

    @Test
    void removesARunWithAllThatIsKeptOfIt() throws IOException {
        Path run = directory(id(0)).getParent().getParent();
        Path rows = Files.createDirectories(run.resolve("rows"));
        Files.writeString(rows.resolve("some"), "rows");
        Path other = Files.createDirectories(run.resolveSibling("other"));
        long bytes = bytesIn(run);
        assertThat(catalog.removeRun(TestingCuts.RUN)).isEqualTo(bytes);
        assertThat(run).doesNotExist();
        assertThat(other).exists();
        assertThat(catalog.removeRun(TestingCuts.RUN)).isZero();
    }

    @Test
    void pathsSayWhichCutIsMeant() {
        for (CutId id : List.of(id(2), new CutId("r.1", 3, CutId.FINAL))) {
            CutPaths.Location place = new CutPaths.Location("file:///m/x", id);
            String manifest = CutPaths.manifest("file:///m/x", id);
            assertThat(CutPaths.cutAt(manifest)).contains(place);
            assertThat(CutPaths.cutAt(manifest.replaceFirst("/manifest.json$", "/")))
                    .contains(place);
            assertThat(CutPaths.runAt(CutPaths.run("/m", id.run())))
                    .contains(new CutPaths.Run("/m", id.run()));
        }
        assertThat(CutPaths.cutAt("/m/runs/r/cuts/x-1")).isEmpty();
        assertThat(CutPaths.cutAt("/m/runs/r/rows/1-1")).isEmpty();
        assertThat(CutPaths.runAt("/m/runs/..")).isEmpty();
        assertThat(CutPaths.runAt("/m/runs")).isEmpty();
    }

    /** A cut whose removal failed in between is no cut: the manifest goes first. */
    @Test
    void theManifestGoesFirst() throws IOException {
        List<String> deleted = new ArrayList<>();
        ModelStorage failing =
                new TestingModelStorage() {
                    @Override
                    public void delete(String path) throws IOException {
                        deleted.add(path);
                        if (deleted.size() == 2) {
                            throw new IOException("failed as asked");
                        }
                        super.delete(path);
                    }
                };
        assertThatThrownBy(() -> new CutCatalog(failing, cuts.model).remove(id(5)))
                .hasMessageContaining("failed as asked");
        assertThat(directory(id(5))).exists();
        assertThat(listed()).doesNotContain(id(5));
        assertThat(catalog.sweep(TestingCuts.RUN, 9)).containsExactly(id(5));
        assertThat(directory(id(5))).doesNotExist();
    }

    @Test
    void sweepsWhatOldAttemptsLeft(BufferAllocator allocator) throws IOException {
        cuts.fence = 6;
        cuts.parts(2, true, allocator);
        cuts.fence = 8;
        cuts.parts(6, true, allocator);
        CutId left = new CutId(TestingCuts.RUN, 6, 2);
        Files.delete(directory(id(2)).resolve("manifest.json"));
        assertThat(catalog.sweep(TestingCuts.RUN, 6)).isEmpty();
        assertThat(catalog.sweep(TestingCuts.RUN, 8)).containsExactly(left);
        assertThat(directory(left)).doesNotExist();
        // cut 2 lacks its manifest, but cut 3 names it
        assertThat(directory(id(2))).exists();
        assertThat(directory(new CutId(TestingCuts.RUN, 8, 6))).exists();
        assertThat(listed()).containsExactly(id(0), id(1), id(3), id(4), id(5));
        assertThat(catalog.sweep(TestingCuts.RUN, 8)).isEmpty();
    }

    /** Publishes late, like a process that was stopped and goes on when its job has begun anew. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasRemovedMeanwhileIsNotPublished(boolean baseOnly, BufferAllocator allocator) {
        cuts.train(3);
        List<CutPart> parts = cuts.parts(6, false, allocator);
        if (baseOnly) {
            catalog.remove(id(5));
        } else {
            assertThat(catalog.sweep(TestingCuts.RUN, 9)).containsExactly(id(6));
        }
        Optional<CutBase> base = Optional.of(cuts.base(5, refs.get(5)));
        assertThatThrownBy(() -> cuts.publish(6, base, parts))
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED))
                .hasMessageContaining("cut 6 of run run-1 (fence 8) came too late");
        assertThat(directory(id(6))).doesNotExist();
        assertThat(catalog.list(TestingCuts.RUN).damaged()).isEmpty();
    }

    @Test
    void twoMayRemoveAtOnce() throws Exception {
        ExecutorService two = Executors.newFixedThreadPool(2);
        try {
            CyclicBarrier start = new CyclicBarrier(2);
            Callable<Void> remover =
                    () -> {
                        for (int n = 5; n >= 0; n--) {
                            start.await(10, TimeUnit.SECONDS);
                            catalog.remove(id(n));
                            catalog.list(TestingCuts.RUN);
                        }
                        return null;
                    };
            List<Future<Void>> both = List.of(two.submit(remover), two.submit(remover));
            for (Future<Void> one : both) {
                one.get(60, TimeUnit.SECONDS);
            }
        } finally {
            two.shutdownNow();
        }
        assertThat(listed()).isEmpty();
        assertThat(directory(id(0)).getParent()).isEmptyDirectory();
    }
}
