package io.github.flinkps.model.cut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.JsonFields;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.StorageFiles;
import io.github.flinkps.model.TableLayout;
import io.github.flinkps.model.TestingModelStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cuts that are not what they were: refused, with what can be used instead. */
class CutDamageTest {
    @TempDir Path folder;

    private final ModelStorage storage = new TestingModelStorage();
    private final Random random = new Random();
    private TestingCuts cuts;
    private String model;
    private final List<ManifestRef> refs = new ArrayList<>();
    private Map<String, List<String>> newest;

    /** Cuts 1 (all rows), 2 and 3 (increments), 4 (all rows), 5 and 6 (increments). */
    @BeforeEach
    void write(BufferAllocator allocator) {
        long seed = System.nanoTime();
        System.out.println("CutDamageTest seed " + seed);
        random.setSeed(seed);
        model = LocalModelStorage.path(folder.resolve("model"));
        List<TableLayout> layouts = List.of(TestingCuts.WEIGHTS, TestingCuts.EMBEDDING);
        cuts = new TestingCuts(storage, model, layouts, seed);
        for (int n = 1; n <= 6; n++) {
            cuts.train(5);
            cuts.pushes = n == 6 ? cuts.somePushes(10).subList(2, 5) : List.of();
            Optional<CutBase> base =
                    n % 3 == 1 ? Optional.empty() : Optional.of(cuts.base(n - 1, refs.get(n - 2)));
            refs.add(cuts.cut(n, base, allocator));
        }
        newest = cuts.content();
    }

    private Path directory(int cut) {
        return Path.of(refs.get(cut - 1).path()).getParent();
    }

    /** Restores a cut as a server would, and looks at everything. */
    private Map<String, List<String>> restore(int cut, BufferAllocator allocator) {
        try (CutReader reader = CutReader.open(storage, refs.get(cut - 1), allocator)) {
            Map<String, List<String>> content = TestingCuts.content(reader);
            reader.readRounds(push -> {});
            return content;
        }
    }

    /** Restores some partitions. */
    private void restoreSome(BufferAllocator allocator) {
        try (CutReader reader = CutReader.open(storage, refs.get(5), allocator)) {
            reader.read("weights", 1, rows -> {});
            reader.read("embed/ding", 1, rows -> {});
            reader.readRounds(push -> {});
        }
    }

    private static void assertRefused(ThrowingCallable call, Path file, String... parts) {
        var refused =
                assertThatThrownBy(call)
                        .isInstanceOfSatisfying(
                                PsException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
                        .hasMessageContaining(file.toString());
        for (String part : parts) {
            refused.hasMessageContaining(part);
        }
    }

    private List<Path> filesOf(int cut) throws IOException {
        try (var files = Files.walk(directory(cut))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void tornFilesOfEveryKindAreRefused(BufferAllocator allocator) throws IOException {
        assertThat(restore(6, allocator)).isEqualTo(newest);
        for (int cut = 1; cut <= 3; cut++) {
            storage.delete(directory(cut).toString()); // so that listing what is left is short
        }
        int count = 0;
        List<Path> files = new ArrayList<>();
        for (String name :
                List.of("00-weights-p00001", "01-embed_ding-p00001", "rounds", "manifest")) {
            filesOf(6).stream()
                    .filter(f -> f.toString().contains(name))
                    .findFirst()
                    .ifPresent(files::add);
        }
        assertThat(files).hasSize(4);
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            for (int length = 0; length < bytes.length; length += 10) {
                Files.write(file, Arrays.copyOf(bytes, length));
                assertRefused(
                        () -> restoreSome(allocator), file, "cut 6 of run run-1", "Try cut 5");
                count++;
            }
            Files.write(file, bytes);
        }
        System.out.println("torn at " + count + " places, refused");
        assertThat(restore(6, allocator)).isEqualTo(newest);
    }

    @Test
    void flippedBitsInFilesOfEveryKindAreRefused(BufferAllocator allocator) throws IOException {
        for (Path file : filesOf(6)) {
            byte[] bytes = Files.readAllBytes(file);
            for (int i = 0; i < 20; i++) {
                byte[] altered = bytes.clone();
                altered[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, altered);
                assertRefused(() -> restore(6, allocator), file, "cut 6 of run run-1", "Try cut 5");
            }
            Files.write(file, bytes);
        }
        assertThat(restore(6, allocator)).isEqualTo(newest);
    }

    /** The manifest's own checksum tells, where there is no reference. */
    @Test
    void anAlteredManifestFoundByListingSaysTheSameOrIsRefused() throws IOException {
        Path file = directory(6).resolve("manifest.json");
        byte[] bytes = Files.readAllBytes(file);
        CutManifest manifest = CutManifestJson.read(bytes);
        int refused = 0;
        for (int i = 0; i < 500; i++) {
            byte[] altered = bytes.clone();
            altered[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, altered);
            try {
                CutManifest found = CutManifests.find(storage, file.toString()).manifest();
                assertThat(found).isEqualTo(manifest);
            } catch (PsException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT);
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(450);
        for (String more : List.of("garbage", "\0", "{\"a\":1}", "1")) {
            Files.write(file, bytes);
            Files.writeString(file, more, StandardOpenOption.APPEND);
            assertRefused(
                    () -> CutManifests.at(storage, file.toString()),
                    file,
                    "it is not JSON",
                    "Try cut 5");
        }
    }

    @Test
    void theManifestOfAnotherCutIsRefusedByItsOwnName() throws IOException {
        Path file = directory(4).resolve("manifest.json");
        Files.copy(
                directory(6).resolve("manifest.json"), file, StandardCopyOption.REPLACE_EXISTING);
        assertRefused(
                () -> CutManifests.at(storage, file.toString()),
                file,
                "it is that of cut 6 of run run-1",
                "It belongs to cut 4 of run run-1 (fence 7). Try cut 3");
        String copy = directory(6).toString().replace("run-1", "run-1-copy") + "/manifest.json";
        Files.createDirectories(Path.of(copy).getParent());
        Files.copy(file, Path.of(copy));
        assertThat(CutManifests.at(storage, copy).path()).isEqualTo(copy);
    }

    @Test
    void whatIsOfferedInsteadDoesNotNeedTheDamagedFile(BufferAllocator allocator)
            throws IOException {
        Path file = directory(4).resolve("data/00-weights-p00001.arrow");
        Files.delete(file);
        assertRefused(
                () -> restore(6, allocator),
                file,
                "it is missing",
                "cut 4 of run run-1 (fence 7), which cut 6 of run run-1 (fence 7) adds to",
                "Try cut 3 of run run-1 (fence 7) instead: " + refs.get(2).path());
        restore(3, allocator);
        Files.delete(directory(2).resolve("manifest.json"));
        assertRefused(() -> restore(6, allocator), file, "Try cut 1 of");
        Files.delete(directory(1).resolve("manifest.json"));
        assertRefused(() -> restore(6, allocator), file, "No earlier cut of the run can be used");
    }

    @Test
    void noRowOfADamagedPartitionIsHandedOut(BufferAllocator allocator) throws IOException {
        Path file = directory(6).resolve("data/00-weights-p00001.arrow");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1]++;
        Files.write(file, bytes);
        AtomicInteger rows = new AtomicInteger();
        try (CutReader reader = CutReader.open(storage, refs.get(5), allocator)) {
            assertRefused(
                    () -> reader.read("weights", 1, block -> rows.addAndGet(block.rows())), file);
            assertThat(rows).hasValue(0);
            reader.read("weights", 2, block -> rows.addAndGet(block.rows()));
            assertThat(rows.get()).isPositive();
        }
    }

    @Test
    void aMissingOrOtherBaseIsRefused(BufferAllocator allocator) throws IOException {
        Path base = directory(5).resolve("manifest.json");
        byte[] json = Files.readAllBytes(base);
        Files.delete(base);
        assertRefused(() -> restore(6, allocator), base, "it is missing", "Try cut 4");
        edit(json, base, root -> root.put("input", "another"));
        assertRefused(() -> restore(6, allocator), base, "not the manifest referred to");
        assertThat(CutManifests.find(storage, base.toString()).manifest().header().model().input())
                .isEqualTo("another");
        Files.delete(directory(6).resolve("manifest.json"));
        assertRefused(
                () -> restore(6, allocator),
                directory(6),
                "there is no manifest",
                "is gone",
                "The newest of its run is cut 5");
    }

    /** Writes an edited manifest whose own checksum is right: the reference to it. */
    private static ManifestRef edit(byte[] json, Path to, Consumer<ObjectNode> change)
            throws IOException {
        ObjectNode root = (ObjectNode) new ObjectMapper().readTree(json);
        root.remove("checksum");
        change.accept(root);
        byte[] edited = JsonFields.seal(root);
        Files.write(to, edited);
        return new ManifestRef(to.toString(), StorageFiles.crc32c(edited));
    }

    @Test
    void newerFormatsAreRefusedByName(BufferAllocator allocator) throws IOException {
        Path file = directory(6).resolve("manifest.json");
        byte[] json = Files.readAllBytes(file);
        refs.set(5, edit(json, file, root -> root.put("formatVersion", 3)));
        String newer = ": format 3, written by a newer flink-ps; this one reads up to 2";
        assertRefused(() -> restore(6, allocator), file, file + newer, "Try cut 5");
        Path rounds = rounds();
        byte[] bytes = Files.readAllBytes(rounds);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(8, 2);
        restateRounds(json, file, rounds, bytes);
        newer = ": format 2, written by a newer flink-ps; this one reads up to 1";
        assertRefused(() -> restore(6, allocator), rounds, rounds + newer);
    }

    /** A manifest of version 1 names no rounds: they were the steps by the number of workers. */
    @Test
    void olderFormatsAreRead() throws IOException {
        Path file = directory(6).resolve("manifest.json");
        byte[] json = Files.readAllBytes(file);
        CutManifest now = CutManifestJson.read(json);
        edit(
                json,
                file,
                root -> {
                    root.put("formatVersion", 1);
                    root.findParents("rounds")
                            .forEach(
                                    state -> {
                                        if (state.has("ofRound")) {
                                            ((ObjectNode) state).remove("rounds");
                                            ((ObjectNode) state).remove("ofRound");
                                        }
                                    });
                });
        assertThat(CutManifestJson.read(Files.readAllBytes(file))).isEqualTo(now);
    }

    private Path rounds() throws IOException {
        return filesOf(6).stream()
                .filter(file -> file.toString().endsWith(".bin"))
                .findFirst()
                .orElseThrow();
    }

    /** Writes a file of rounds, and a manifest that agrees with it. */
    private void restateRounds(byte[] json, Path manifest, Path rounds, byte[] bytes)
            throws IOException {
        Files.write(rounds, bytes);
        String name = "data/" + rounds.getFileName();
        String checksum = JsonFields.checksum(StorageFiles.crc32c(bytes));
        Consumer<ObjectNode> change =
                root -> {
                    for (JsonNode node : root.get("rounds")) {
                        if (node.get("path").asText().equals(name)) {
                            ((ObjectNode) node)
                                    .put("bytes", bytes.length)
                                    .put("checksum", checksum);
                        }
                    }
                };
        refs.set(5, edit(json, manifest, change));
    }

    /** Checksums agree, contents do not: nothing is allocated beyond what the file can hold. */
    @Test
    void contradictoryRoundsAreRefused(BufferAllocator allocator) throws IOException {
        Path file = directory(6).resolve("manifest.json");
        byte[] json = Files.readAllBytes(file);
        Path rounds = rounds();
        byte[] bytes = Files.readAllBytes(rounds);
        for (int place : new int[] {0, 12, 16, 20, 24, 28, 32}) {
            for (int value : new int[] {-2, Integer.MAX_VALUE, 1 << 20, 7}) {
                byte[] altered = bytes.clone();
                ByteBuffer.wrap(altered).order(ByteOrder.LITTLE_ENDIAN).putInt(place, value);
                restateRounds(json, file, rounds, altered);
                assertRefused(() -> restoreSome(allocator), rounds);
            }
        }
        for (int length : new int[] {0, 5, 12, 14, 40, bytes.length - 1}) {
            restateRounds(json, file, rounds, Arrays.copyOf(bytes, length));
            assertRefused(() -> restoreSome(allocator), rounds);
        }
        restateRounds(json, file, rounds, Arrays.copyOf(bytes, bytes.length + 1));
        assertRefused(() -> restoreSome(allocator), rounds, "1 bytes behind them");
    }

    @Test
    void cyclesAreRefused(BufferAllocator allocator) throws IOException {
        Path file = directory(5).resolve("manifest.json");
        byte[] json = Files.readAllBytes(file);
        for (int base : new int[] {5, 6}) {
            Consumer<ObjectNode> change = root -> ((ObjectNode) root.get("base")).put("cut", base);
            refs.set(4, edit(json, file, change));
            assertRefused(() -> restore(5, allocator), file, "is no earlier one");
        }
    }

    @Test
    void contradictionsAreRefused(BufferAllocator allocator) throws IOException {
        Path file = directory(5).resolve("manifest.json");
        byte[] json = Files.readAllBytes(file);
        Map<String, Consumer<ObjectNode>> changes =
                Map.of(
                        "is no earlier one",
                        root -> root.put("fence", 6),
                        "is not the file of partition 1",
                        root -> firstFile(root).put("path", "data/00-weights-p00002.arrow"),
                        "lies outside",
                        root -> firstFile(root).put("path", "../4-7/data/00-weights-p00001.arrow"),
                        "'x' is not a time",
                        root -> root.put("time", "x"),
                        "no field 'workers'",
                        root -> root.remove("workers"),
                        "'cut' is not a whole number",
                        root -> root.put("cut", "five"),
                        "it is not the manifest of a cut",
                        root -> root.put("format", "flink-ps-model"));
        for (Map.Entry<String, Consumer<ObjectNode>> change : changes.entrySet()) {
            refs.set(4, edit(json, file, change.getValue()));
            assertRefused(() -> restore(5, allocator), file, change.getKey(), "Try cut 4");
        }
    }

    private static ObjectNode firstFile(ObjectNode root) {
        return (ObjectNode) root.get("tables").get(0).get("states").get(1).get("file");
    }

    @Test
    void chainsAreBounded(BufferAllocator allocator) {
        TestingCuts many = new TestingCuts(storage, model + "-2", 1);
        ManifestRef ref = many.cut(0, Optional.empty(), allocator);
        for (int n = 1; n < CutChain.MAX_LENGTH; n++) {
            ref = many.cut(n, Optional.of(many.base(n - 1, ref)), allocator);
        }
        assertThat(CutChain.read(storage, ref).cuts()).hasSize(CutChain.MAX_LENGTH);
        int beyond = CutChain.MAX_LENGTH;
        ref = many.cut(beyond, Optional.of(many.base(beyond - 1, ref)), allocator);
        ManifestRef last = ref;
        assertThatThrownBy(() -> CutChain.read(storage, last))
                .hasMessageContaining("more than 256 cuts add to each other");
    }
}
