package io.github.flinkps.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelRoundTripTest {
    @TempDir Path folder;

    private final ModelStorage storage = new LocalModelStorage();
    private String directory;

    @BeforeEach
    void nameTheModel() {
        directory = LocalModelStorage.path(folder.resolve("deep/model"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsWrittenIsRead(boolean slots, BufferAllocator allocator) throws IOException {
        TestingModel model = new TestingModel(1, slots);
        ModelManifest written = model.write(storage, directory + "/", allocator);
        try (ModelReader reader = ModelReader.open(storage, directory, allocator)) {
            ModelManifest manifest = reader.manifest();
            assertThat(manifest).isEqualTo(written);
            assertThat(manifest.header()).isEqualTo(model.header());
            assertThat(manifest.facts()).isEqualTo(TestingModel.FACTS);
            assertThat(manifest.table("weights").slots()).isEqualTo(slots ? 2 : 0);
            assertThat(manifest.table("embed/ding").slots()).isZero();
            assertThat(TestingModel.content(reader)).isEqualTo(model.content());
            assertThat(manifest.parameters())
                    .isEqualTo(
                            manifest.table("weights").rows()
                                    + 48 * manifest.table("embed/ding").rows());
            assertThat(manifest.bytes()).isGreaterThan(140_000 * 12);
            reader.verify();
            assertThatThrownBy(() -> reader.read("none", rows -> {}))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_TABLE));
        }
        try (Stream<Path> names = Files.list(folder.resolve("deep"))) {
            assertThat(names).containsExactly(folder.resolve("deep/model"));
        }
    }

    @Test
    void arrowReadsTheFiles(BufferAllocator allocator) throws IOException {
        TestingModel model = new TestingModel(2, true);
        ModelManifest manifest = model.write(storage, directory, allocator);
        ModelFile file = manifest.table("weights").files().get(1);
        List<Long> keys = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(Path.of(directory, file.path()));
                ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
            while (reader.loadNextBatch()) {
                assertThat(reader.getVectorSchemaRoot().getSchema().getFields())
                        .extracting("name")
                        .containsExactly("key", "value", "slot_0", "slot_1");
                BigIntVector vector = (BigIntVector) reader.getVectorSchemaRoot().getVector("key");
                for (int i = 0; i < reader.getVectorSchemaRoot().getRowCount(); i++) {
                    keys.add(vector.get(i));
                }
            }
        }
        assertThat(keys).isEqualTo(model.content().get("weights1").subList(0, 140_000));
    }

    @Test
    void aModelIsReplaced(BufferAllocator allocator) throws IOException {
        new TestingModel(3, true).write(storage, directory, allocator);
        TestingModel second = new TestingModel(4, false);
        second.write(storage, directory, allocator);
        try (ModelReader reader = ModelReader.open(storage, directory, allocator)) {
            assertThat(TestingModel.content(reader)).isEqualTo(second.content());
        }
        try (Stream<Path> names = Files.list(Path.of(directory))) {
            assertThat(names).hasSize(2);
        }
    }

    @Test
    void onlyAModelIsReplaced(BufferAllocator allocator) throws IOException {
        TestingModel model = new TestingModel(5, false);
        Files.createDirectories(Path.of(directory));
        Files.writeString(Path.of(directory, "thesis.tex"), "mine");
        assertThatThrownBy(() -> ModelWriter.begin(storage, directory, model.header(), allocator))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining(directory);
        String file = LocalModelStorage.path(folder.resolve("file"));
        Files.writeString(Path.of(file), "mine");
        assertThatThrownBy(() -> ModelWriter.begin(storage, file, model.header(), allocator))
                .hasMessage("cannot write to " + file + ": there is a file of that name");
        Files.delete(Path.of(directory, "thesis.tex"));
        model.write(storage, directory, allocator);
        ModelReader.open(storage, directory, allocator).close();
    }

    @Test
    void wideRowsAreBlocksOfTheirOwn(BufferAllocator allocator) {
        TableSpec wide = TableSpec.dense("wide", 40, 4096, UpdateSpec.of("add")).withPartitions(1);
        ModelHeader header = new ModelHeader("m", "a", Map.of(), List.of(wide), "", true);
        long[] keys = new long[40];
        float[] values = new float[40 * 4096];
        float[][] slots = new float[8][40 * 4096];
        values[values.length - 1] = 7;
        slots[7][0] = 8;
        try (ModelWriter writer = ModelWriter.begin(storage, directory, header, allocator)) {
            writer.writePartition(
                    "wide", 0, List.of(new RowBlock(keys, values, slots, 40)).iterator());
            writer.commit(Map.of());
        }
        List<Float> found = new ArrayList<>();
        try (ModelReader reader = ModelReader.open(storage, directory, allocator)) {
            reader.read(
                    "wide",
                    block -> {
                        assertThat(block.rows()).isLessThanOrEqualTo(16);
                        found.add(block.slots()[7][0]);
                        found.add(block.values()[block.rows() * 4096 - 1]);
                    });
        }
        assertThat(found).containsExactly(8f, 0f, 0f, 0f, 0f, 7f);
    }

    @Test
    void misuseIsRefused(BufferAllocator allocator) {
        TestingModel model = new TestingModel(6, true);
        Iterator<RowBlock> none = List.<RowBlock>of().iterator();
        try (ModelWriter writer =
                ModelWriter.begin(storage, directory, model.header(), allocator)) {
            writer.writePartition("weights", 0, none);
            assertThatThrownBy(() -> writer.writePartition("weights", 0, none))
                    .hasMessage("partition 0 of 'weights' is written already");
            assertThatThrownBy(() -> writer.writePartition("none", 0, none))
                    .isInstanceOf(PsException.class);
            assertThatThrownBy(() -> writer.commit(Map.of()))
                    .hasMessage("partition 1 of 'weights' is not written");
            RowBlock torn = new RowBlock(new long[3], new float[2], new float[0][], 3);
            assertThatThrownBy(() -> writer.writePartition("weights", 1, List.of(torn).iterator()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(Path.of(directory)).doesNotExist();
    }
}
