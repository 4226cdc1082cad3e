package io.github.flinkps.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.StepCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.arrow.memory.BufferAllocator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files and manifests that are not what they were. */
class ModelDamageTest {
    @TempDir Path folder;

    private final ModelStorage storage = new LocalModelStorage();
    private String directory;
    private ModelManifest manifest;
    private Path file;
    private Path manifestFile;

    @BeforeEach
    void write(BufferAllocator allocator) {
        directory = LocalModelStorage.path(folder.resolve("model"));
        manifest = new TestingModel(1, true).write(storage, directory, allocator);
        file = Path.of(directory, manifest.table("weights").files().get(2).path());
        manifestFile = Path.of(directory, ModelManifest.FILE);
    }

    private static void assertRefused(ErrorCode code, Path named, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(named.toString());
    }

    private void assertDamaged(BufferAllocator allocator, String why) {
        try (ModelReader reader = ModelReader.open(storage, directory, allocator)) {
            int[] rows = new int[1];
            ThrowingCallable read =
                    () -> reader.read("weights", 2, block -> rows[0] += block.rows());
            assertRefused(ErrorCode.CORRUPT, file, read);
            assertThatThrownBy(read).hasMessageContaining(why);
            assertThat(rows[0]).isZero();
            reader.read("weights", 3, block -> rows[0] += block.rows());
            assertThat(rows[0]).isPositive();
        }
    }

    @Test
    void missingFile(BufferAllocator allocator) throws IOException {
        Files.delete(file);
        assertDamaged(allocator, "missing");
    }

    @Test
    void tornFile(BufferAllocator allocator) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
        assertDamaged(allocator, "bytes instead of " + bytes.length);
        Files.write(file, new byte[0]);
        assertDamaged(allocator, "0 bytes instead of");
    }

    @Test
    void alteredFile(BufferAllocator allocator) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        long seed = System.nanoTime();
        System.out.println("ModelDamageTest seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 50; i++) {
            byte[] altered = bytes.clone();
            altered[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, altered);
            assertDamaged(allocator, "altered");
        }
    }

    /** Files that a broken writer might leave: their checksums agree, they do not. */
    @Test
    void filesThatContradictTheManifest(BufferAllocator allocator) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        ModelTable weights = manifest.table("weights");
        ModelFile stated = weights.files().get(2);
        restate(
                new ModelFile(
                        stated.path(),
                        2,
                        stated.rows() + 1,
                        stated.steps(),
                        stated.bytes(),
                        stated.crc32c()));
        try (ModelReader reader = ModelReader.open(storage, directory, allocator)) {
            assertRefused(ErrorCode.CORRUPT, file, () -> reader.read("weights", 2, block -> {}));
        }
        for (int length : new int[] {1, 8, 600, bytes.length / 2}) {
            byte[] torn = Arrays.copyOf(bytes, length);
            Files.write(file, torn);
            CRC32C crc = new CRC32C();
            crc.update(torn);
            restate(
                    new ModelFile(
                            stated.path(),
                            2,
                            stated.rows(),
                            stated.steps(),
                            length,
                            (int) crc.getValue()));
            try (ModelReader reader = ModelReader.open(storage, directory, allocator)) {
                assertRefused(
                        ErrorCode.CORRUPT, file, () -> reader.read("weights", 2, block -> {}));
            }
        }
    }

    /** Writes a manifest with another file for partition 2 of the weights. */
    private void restate(ModelFile other) throws IOException {
        ModelTable weights = manifest.table("weights");
        List<ModelFile> files = new ArrayList<>(weights.files());
        files.set(2, other);
        ModelTable changed = new ModelTable(weights.spec(), weights.slots(), files);
        List<ModelTable> tables = List.of(changed, manifest.tables().get(1));
        Files.write(
                manifestFile,
                ManifestJson.write(new ModelManifest(manifest.header(), tables, manifest.facts())));
    }

    @Test
    void noManifest(BufferAllocator allocator) throws IOException {
        Files.delete(manifestFile);
        assertRefused(
                ErrorCode.UNKNOWN_MODEL,
                Path.of(directory),
                () -> ModelReader.open(storage, directory, allocator));
    }

    @Test
    void alteredManifest() throws IOException {
        String json = Files.readString(manifestFile);
        for (Map.Entry<String, String> change :
                Map.of(
                                "\"epochs\" : \"5\"", "\"epochs\" : \"6\"",
                                "\"width\" : 48", "\"width\" : 47",
                                "\"algorithm\"", "\"algorithms\"",
                                "\"format\" : \"flink-ps-model\"", "\"format\" : \"other\"")
                        .entrySet()) {
            assertThat(json).contains(change.getKey());
            Files.writeString(manifestFile, json.replace(change.getKey(), change.getValue()));
            assertRefused(
                    ErrorCode.CORRUPT,
                    manifestFile,
                    () -> ModelReader.readManifest(storage, directory));
        }
        Files.writeString(manifestFile, json.replace("\n", "\r\n   "));
        assertThat(ModelReader.readManifest(storage, directory)).isEqualTo(manifest);
    }

    @Test
    void tornManifest() throws IOException {
        byte[] json = Files.readAllBytes(manifestFile);
        for (int length : new int[] {0, 1, 10, json.length / 2, json.length - 1}) {
            Files.write(manifestFile, Arrays.copyOf(json, length));
            assertRefused(
                    ErrorCode.CORRUPT,
                    manifestFile,
                    () -> ModelReader.readManifest(storage, directory));
        }
        Files.writeString(manifestFile, "[]");
        assertRefused(
                ErrorCode.CORRUPT,
                manifestFile,
                () -> ModelReader.readManifest(storage, directory));
    }

    @Test
    void newerFormat() throws IOException {
        String json = Files.readString(manifestFile);
        Files.writeString(
                manifestFile, json.replace("\"formatVersion\" : 1", "\"formatVersion\" : 2"));
        assertThatThrownBy(() -> ModelReader.readManifest(storage, directory))
                .hasMessage(
                        manifestFile
                                + ": format 2, written by a newer flink-ps; this one reads up to"
                                + " 1");
    }

    @Test
    void filesOutsideTheModel() throws IOException {
        for (String path : List.of("../secret", "/etc/passwd", "data/../../x", "")) {
            restate(new ModelFile(path, 2, 1, StepCounts.ofRounds(1), 1, 1));
            assertRefused(
                    ErrorCode.CORRUPT,
                    manifestFile,
                    () -> ModelReader.readManifest(storage, directory));
        }
    }
}
