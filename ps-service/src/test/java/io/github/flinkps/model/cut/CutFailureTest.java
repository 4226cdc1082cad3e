package io.github.flinkps.model.cut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.TestingModel;
import io.github.flinkps.model.TestingModelStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writing fails: there is no cut, and with the cut before all is well. */
class CutFailureTest {
    @TempDir Path folder;

    private final ModelStorage storage = new TestingModelStorage();

    private String model() {
        return LocalModelStorage.path(folder.resolve("model"));
    }

    /** The same cut, whatever the storage. */
    private TestingCuts cuts(ModelStorage on) {
        TestingCuts cuts = new TestingCuts(on, model(), 3);
        cuts.train(20);
        cuts.pushes = cuts.somePushes(10);
        return cuts;
    }

    private List<CutSummary> listed() {
        return new CutCatalog(storage, model()).list(TestingCuts.RUN).cuts();
    }

    private List<Path> filesOf(CutId cut) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(CutPaths.directory(model(), cut)))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private static void assertFails(TestingCuts cuts, BufferAllocator allocator) {
        assertThatThrownBy(() -> cuts.cut(2, Optional.empty(), allocator))
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO))
                .hasMessageContaining("cuts/2-7");
        assertThat(allocator.getAllocatedMemory()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFullDiskLeavesNoCut(boolean renames, BufferAllocator allocator) throws IOException {
        TestingCuts whole = cuts(storage);
        whole.cut(1, Optional.empty(), allocator);
        long bytes = listed().get(0).bytes();
        long manifest = Files.size(Path.of(listed().get(0).ref().path()));
        for (long space = 0; space < bytes + manifest; space += (bytes + manifest) / 23 + 1) {
            TestingModelStorage full = TestingModelStorage.withSpace(space);
            assertFails(cuts(renames ? full : full.withoutRenames()), allocator);
            assertThat(listed()).extracting(CutSummary::id).containsExactly(whole.id(1));
        }
        new CutCatalog(storage, model()).sweep(TestingCuts.RUN, 8);
        assertThat(Path.of(CutPaths.directory(model(), whole.id(2)))).doesNotExist();
        try (CutReader reader = CutReader.open(storage, listed().get(0).ref(), allocator)) {
            assertThat(TestingCuts.content(reader)).isEqualTo(whole.content());
        }
    }

    /** Every operation fails once: the writer at work removes what it wrote. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anyFailureLeavesNoCut(boolean renames, BufferAllocator allocator) throws IOException {
        TestingModelStorage counting = new TestingModelStorage();
        TestingCuts counted = cuts(renames ? counting : counting.withoutRenames());
        ManifestRef ref = counted.cut(2, Optional.empty(), allocator);
        assertThat(counting.operations()).isGreaterThan(50);
        try (CutReader reader = CutReader.open(counting, ref, allocator)) {
            assertThat(TestingCuts.content(reader)).isEqualTo(counted.content());
            reader.verify();
        }
        storage.delete(model());
        for (int i = 0; i < counting.operations(); i++) {
            TestingModelStorage failing = TestingModelStorage.failingAt(i);
            TestingCuts cuts = cuts(renames ? failing : failing.withoutRenames());
            assertFails(cuts, allocator);
            assertThat(listed()).isEmpty();
            // What is left are whole files of the writer that was done before.
            if (storage.exists(CutPaths.directory(model(), cuts.id(2)))) {
                assertThat(filesOf(cuts.id(2)))
                        .allMatch(file -> !file.toString().contains("manifest"))
                        .hasSizeLessThan(19);
            }
            storage.delete(model());
        }
    }

    @Test
    void aWriterThatGivesUpRemovesItsFilesOnly(BufferAllocator allocator) throws IOException {
        TestingCuts cuts = cuts(storage);
        cuts.parts(2, true, allocator);
        List<Path> before = filesOf(cuts.id(2));
        String directory = CutPaths.directory(model(), cuts.id(2));
        try (CutPartWriter writer =
                CutPartWriter.open(storage, directory, "1-0", cuts.layouts, allocator)) {
            writer.begin(1, 0);
            writer.append(new long[2], new float[6], new float[0][], new int[2], 2);
            writer.append(cuts.pushes.get(0));
            writer.abort();
            assertThatThrownBy(() -> writer.begin(0, 1))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
        }
        assertThat(filesOf(cuts.id(2))).isEqualTo(before);
    }

    @Test
    void aCutIsPublishedOnce(BufferAllocator allocator) {
        TestingCuts cuts = cuts(storage);
        List<CutPart> parts = cuts.parts(2, true, allocator);
        ManifestRef ref = cuts.publish(2, Optional.empty(), parts);
        assertThat(cuts.publish(2, Optional.empty(), parts)).isEqualTo(ref);
        CutHeader header = cuts.header(2, Optional.empty());
        CutManifest other =
                CutManifest.merge(
                        new CutHeader(
                                header.model(),
                                header.id(),
                                header.time().plusSeconds(1),
                                header.savepoint(),
                                header.consistency(),
                                header.workers(),
                                header.base()),
                        cuts.layouts,
                        parts);
        assertThatThrownBy(() -> CutManifests.publish(storage, model(), other))
                .hasMessageContaining("cut 2 of run run-1 (fence 7) is there");
        assertThat(listed()).hasSize(1);
    }

    @Test
    void modelsAreWrittenWithoutRenames(BufferAllocator allocator) throws IOException {
        String directory = LocalModelStorage.path(folder.resolve("saved"));
        TestingModel first = new TestingModel(1, false, 100);
        TestingModel second = new TestingModel(2, true, 100);
        TestingModelStorage counting = new TestingModelStorage().withoutRenames();
        second.write(counting, directory, allocator);
        for (int i = 0; i < counting.operations() - 1; i++) {
            storage.delete(directory);
            first.write(new TestingModelStorage().withoutRenames(), directory, allocator);
            TestingModelStorage failing = TestingModelStorage.failingAt(i).withoutRenames();
            assertThatThrownBy(() -> second.write(failing, directory, allocator))
                    .isInstanceOf(PsException.class);
            try (ModelReader reader = ModelReader.open(storage, directory, allocator)) {
                assertThat(TestingModel.content(reader)).isEqualTo(first.content());
            }
            try (Stream<Path> names = Files.list(Path.of(directory))) {
                assertThat(names).hasSize(2);
            }
        }
        second.write(new TestingModelStorage().withoutRenames(), directory, allocator);
        try (ModelReader reader = ModelReader.open(storage, directory, allocator)) {
            assertThat(TestingModel.content(reader)).isEqualTo(second.content());
        }
        try (Stream<Path> names = Files.list(Path.of(directory))) {
            assertThat(names).hasSize(2);
        }
    }
}
