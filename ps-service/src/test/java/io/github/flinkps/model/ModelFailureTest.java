package io.github.flinkps.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writing fails: there is nothing, or what was there before. */
class ModelFailureTest {
    @TempDir Path folder;

    private final ModelStorage storage = new TestingModelStorage();
    private final TestingModel before = new TestingModel(1, false, 100);
    private final TestingModel after = new TestingModel(2, true, 100);
    private String directory;

    @BeforeEach
    void nameTheModel() {
        directory = LocalModelStorage.path(folder.resolve("model"));
    }

    private void assertNothingLeft() throws IOException {
        try (Stream<Path> names = Files.list(folder)) {
            assertThat(names).isEmpty();
        }
    }

    @Test
    void aFullDiskLeavesNothing(BufferAllocator allocator) throws IOException {
        for (long space : new long[] {0, 100, 5_000, 20_000}) {
            assertThatThrownBy(
                            () ->
                                    after.write(
                                            TestingModelStorage.withSpace(space),
                                            directory,
                                            allocator))
                    .isInstanceOfSatisfying(
                            PsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO))
                    .hasMessageContaining(TestingModelStorage.FULL)
                    .hasMessageContaining(".arrow");
            assertNothingLeft();
        }
    }

    @Test
    void afterAnyFailureThereIsTheOldModelOrTheNew(BufferAllocator allocator) throws IOException {
        TestingModelStorage counting = new TestingModelStorage();
        before.write(storage, directory, allocator);
        after.write(counting, directory, allocator);
        int kept = 0;
        assertThat(counting.operations()).isGreaterThan(50);
        for (int i = 0; i < counting.operations(); i++) {
            before.write(storage, directory, allocator);
            TestingModelStorage failing = TestingModelStorage.failingAt(i);
            assertThatThrownBy(() -> after.write(failing, directory, allocator))
                    .isInstanceOfSatisfying(
                            PsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO));
            try (ModelReader reader = ModelReader.open(storage, directory, allocator)) {
                boolean old = !reader.manifest().header().slots();
                kept += old ? 1 : 0;
                assertThat(TestingModel.content(reader))
                        .isEqualTo(old ? before.content() : after.content());
            }
            try (Stream<Path> names = Files.list(folder)) {
                assertThat(names).containsExactly(Path.of(directory));
            }
        }
        // The new one is in place once its manifest is: what follows is the last sync.
        assertThat(kept).isEqualTo(counting.operations() - 1);
    }

    @Test
    void anyFailureOfANewModelLeavesNothing(BufferAllocator allocator) throws IOException {
        TestingModelStorage counting = new TestingModelStorage();
        after.write(counting, directory, allocator);
        storage.delete(directory);
        for (int i = 0; i < counting.operations() - 1; i++) {
            TestingModelStorage failing = TestingModelStorage.failingAt(i);
            assertThatThrownBy(() -> after.write(failing, directory, allocator))
                    .isInstanceOf(PsException.class);
            assertNothingLeft();
        }
    }

    /** Nothing is renamed there, and a file may be there though it was said to have failed. */
    @Test
    void afterAnyFailureInAnObjectStoreThereIsTheOldModelOrTheNew(BufferAllocator allocator)
            throws IOException {
        ModelStorage store = new TestingModelStorage().withoutRenames();
        before.write(store, directory, allocator);
        TestingModelStorage counting = new TestingModelStorage().withoutRenames();
        after.write(counting, directory, allocator);
        int kept = 0;
        for (int i = 0; i < counting.operations(); i++) {
            before.write(store, directory, allocator);
            TestingModelStorage failing = TestingModelStorage.failingAt(i).storingCutShort();
            boolean failed = false;
            try {
                after.write(failing, directory, allocator);
            } catch (PsException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.IO);
                failed = true;
            }
            try (ModelReader reader = ModelReader.open(store, directory, allocator)) {
                boolean old = !reader.manifest().header().slots();
                kept += old ? 1 : 0;
                assertThat(old).as("operation " + i).isEqualTo(failed);
                assertThat(TestingModel.content(reader))
                        .isEqualTo(old ? before.content() : after.content());
            }
            assertThat(store.list(directory)).hasSize(2); // a manifest and its files
        }
        assertThat(kept).isGreaterThan(50).isLessThan(counting.operations());
    }

    @Test
    void anyFailureOfANewModelInAnObjectStoreLeavesNoModel(BufferAllocator allocator)
            throws IOException {
        TestingModelStorage counting = new TestingModelStorage().withoutRenames();
        after.write(counting, directory, allocator);
        storage.delete(directory);
        for (int i = 0; i < counting.operations(); i++) {
            TestingModelStorage failing = TestingModelStorage.failingAt(i).storingCutShort();
            try {
                after.write(failing, directory, allocator);
                assertThat(storage.list(directory)).contains(ModelManifest.FILE);
            } catch (PsException e) {
                assertThat(storage.list(directory)).isEmpty();
            }
            storage.delete(directory);
        }
    }

    /** A process was killed while it wrote, or writes still. */
    @Test
    void modelsThatAreNotFinishedAreInNobodysWay(BufferAllocator allocator) throws IOException {
        ModelStorage store = new TestingModelStorage().withoutRenames();
        try (ModelWriter first = ModelWriter.begin(store, directory, before.header(), allocator);
                ModelWriter second =
                        ModelWriter.begin(store, directory, before.header(), allocator)) {
            before.writeTo(first);
            before.writeTo(second);
            second.commit(Map.of());
            first.commit(Map.of());
            try (ModelReader reader = ModelReader.open(store, directory, allocator)) {
                assertThat(TestingModel.content(reader)).isEqualTo(before.content());
            }
        }
        after.write(store, directory, allocator);
        try (ModelReader reader = ModelReader.open(store, directory, allocator)) {
            assertThat(TestingModel.content(reader)).isEqualTo(after.content());
        }
        assertThat(store.list(directory)).hasSize(2);
    }

    /** A model's files are removed, for example, if it is dropped while it is saved. */
    @Test
    void aModelWhoseFilesAreRemovedMeanwhileIsNone(BufferAllocator allocator) throws IOException {
        ModelStorage store = new TestingModelStorage().withoutRenames();
        try (ModelWriter writer = ModelWriter.begin(store, directory, before.header(), allocator)) {
            before.writeTo(writer);
            store.delete(directory);
            store.makeDirectories(directory);
            assertThatThrownBy(() -> writer.commit(Map.of()))
                    .hasMessageContaining("another process has removed the files");
        }
        assertThat(store.exists(directory + "/" + ModelManifest.FILE)).isFalse();
    }

    /** The manifest was damaged before; saving the model again mends it. */
    @Test
    void aDamagedManifestIsReplaced(BufferAllocator allocator) throws IOException {
        ModelStorage store = new TestingModelStorage().withoutRenames();
        before.write(store, directory, allocator);
        Files.writeString(Path.of(directory, ModelManifest.FILE), "{");
        after.write(store, directory, allocator);
        try (ModelReader reader = ModelReader.open(store, directory, allocator)) {
            assertThat(TestingModel.content(reader)).isEqualTo(after.content());
        }
    }

    @Test
    void aFailingSourceLeavesNothing(BufferAllocator allocator) throws IOException {
        Iterator<RowBlock> failing =
                Stream.of(1, 2)
                        .map(
                                i -> {
                                    if (i == 2) {
                                        throw new PsException(
                                                ErrorCode.TIMEOUT, "the server is gone");
                                    }
                                    return RowBlock.of(new long[10], new float[10]);
                                })
                        .iterator();
        try (ModelWriter writer =
                ModelWriter.begin(storage, directory, after.header(), allocator)) {
            assertThatThrownBy(() -> writer.writePartition("weights", 0, failing))
                    .hasMessage("the server is gone");
            assertNothingLeft();
            assertThatThrownBy(() -> writer.writePartition("weights", 1, failing))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
            assertThatThrownBy(() -> writer.commit(Map.of())).isInstanceOf(RuntimeException.class);
        }
        assertNothingLeft();
    }

    @Test
    void anotherThreadMayAbort(BufferAllocator allocator) throws IOException {
        try (ModelWriter writer =
                ModelWriter.begin(storage, directory, before.header(), allocator)) {
            RowBlock block = RowBlock.of(new long[10], new float[10]);
            Iterator<RowBlock> aborting =
                    Stream.of(1, 2, 3)
                            .map(
                                    i -> {
                                        if (i == 2) {
                                            abortElsewhere(writer);
                                        }
                                        return block;
                                    })
                            .iterator();
            assertThatThrownBy(() -> writer.writePartition("weights", 1, aborting))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
            assertNothingLeft();
        }
        assertNothingLeft();
    }

    private static void abortElsewhere(ModelWriter writer) {
        Thread thread = new Thread(writer::abort);
        thread.start();
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void whatIsNotCommittedIsGone(BufferAllocator allocator) throws IOException {
        ModelWriter writer = ModelWriter.begin(storage, directory, after.header(), allocator);
        writer.writePartition(
                "weights", 1, List.of(RowBlock.of(new long[1], new float[1])).iterator());
        writer.close();
        writer.close();
        assertNothingLeft();
    }
}
