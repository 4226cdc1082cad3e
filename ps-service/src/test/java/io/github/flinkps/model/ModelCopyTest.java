package io.github.flinkps.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.PsException;
import io.github.flinkps.common.StepCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelCopyTest {
    @TempDir Path folder;

    private final ModelStorage storage = new LocalModelStorage();

    private String path(String name) {
        return LocalModelStorage.path(folder.resolve(name));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCopyIsTheModel(boolean slots, BufferAllocator allocator) {
        TestingModel model = new TestingModel(1, slots);
        ModelManifest written;
        try (ModelWriter writer =
                ModelWriter.begin(storage, path("one"), model.header(), allocator)) {
            model.header()
                    .tables()
                    .forEach(
                            table -> {
                                for (int p = 0; p < table.partitions(); p++) {
                                    int steps = p;
                                    writer.writePartition(
                                            table.name(),
                                            p,
                                            model.blocks(table, p).iterator(),
                                            () -> new StepCounts(steps, steps / 2, 0));
                                }
                            });
            written = writer.commit(TestingModel.FACTS);
        }
        try (ModelReader reader = ModelReader.open(storage, path("one"), allocator)) {
            ModelCopy.copy(reader, storage, path("two"), Map.of("rows", "7"), allocator);
        }
        try (ModelReader reader = ModelReader.open(storage, path("two"), allocator)) {
            ModelManifest manifest = reader.manifest();
            assertThat(manifest.header()).isEqualTo(written.header());
            assertThat(manifest.facts()).isEqualTo(Map.of("rows", "7", "epochs", "5"));
            assertThat(manifest.table("weights").slots()).isEqualTo(slots ? 2 : 0);
            assertThat(manifest.table("weights").files())
                    .extracting(ModelFile::steps)
                    .isEqualTo(
                            IntStream.range(0, 8)
                                    .mapToObj(p -> new StepCounts(p, p / 2, 0))
                                    .toList());
            assertThat(TestingModel.content(reader)).isEqualTo(model.content());
        }
    }

    @Test
    void aDamagedModelIsNotCopied(BufferAllocator allocator) throws IOException {
        ModelManifest written = new TestingModel(1, true, 9).write(storage, path("one"), allocator);
        Path file = folder.resolve("one/" + written.table("weights").files().get(3).path());
        Files.write(file, new byte[] {1});
        try (ModelReader reader = ModelReader.open(storage, path("one"), allocator)) {
            assertThatThrownBy(
                            () -> ModelCopy.copy(reader, storage, path("two"), Map.of(), allocator))
                    .isInstanceOf(PsException.class)
                    .hasMessageContaining(file.toString());
        }
        try (Stream<Path> names = Files.list(folder)) {
            assertThat(names).containsExactly(folder.resolve("one"));
        }
    }
}
