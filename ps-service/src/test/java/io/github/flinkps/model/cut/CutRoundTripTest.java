package io.github.flinkps.model.cut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.StepCounts;
import io.github.flinkps.model.BlockFormat;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CutRoundTripTest {
    @TempDir Path folder;

    private final ModelStorage storage = new LocalModelStorage();
    private String model;
    private TestingCuts cuts;

    @BeforeEach
    void begin() {
        long seed = System.nanoTime();
        System.out.println("CutRoundTripTest seed " + seed);
        model = LocalModelStorage.path(folder.resolve("model"));
        cuts = new TestingCuts(storage, model, seed);
    }

    @Test
    void allComesBackToTheBit(BufferAllocator allocator) {
        cuts.train(2_000);
        cuts.touch(0, 1, 0);
        cuts.pushes = cuts.somePushes(100_000);
        ManifestRef ref = cuts.cut(12, Optional.empty(), allocator);
        assertThat(ref.path()).isEqualTo(model + "/runs/run-1/cuts/12-7/manifest.json");
        try (CutReader reader = CutReader.open(storage, ref, allocator)) {
            assertThat(TestingCuts.content(reader)).isEqualTo(cuts.content());
            CutManifest manifest = reader.manifest();
            assertThat(manifest.header()).isEqualTo(cuts.header(12, Optional.empty()));
            assertThat(manifest.clocks())
                    .containsExactly(CutClock.active(5), CutClock.idle(3), CutClock.finished());
            assertThat(manifest.rows()).isGreaterThan(10_000);
            CutPartition second = manifest.tables().get(1).partitions().get(2);
            assertThat(second.steps())
                    .isEqualTo(new StepCounts(cuts.step, cuts.step / 3, cuts.step % 3));
            assertThat(second.stepsBefore()).isEqualTo(cuts.step - 1);
            assertThat(manifest.tables().get(0).partitions().get(0).file()).isNull();
            List<RoundPush> pushes = new ArrayList<>();
            reader.readRounds(pushes::add);
            assertThat(pushes).containsExactlyInAnyOrderElementsOf(cuts.pushes);
            reader.verify();
            assertThatThrownBy(() -> reader.read("none", 0, rows -> {}))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_TABLE));
        }
    }

    @Test
    void longPartitionsAreSeveralBatches(BufferAllocator allocator) {
        for (long key = 0; key < 70_000; key++) {
            cuts.touch(0, 1, key * key);
        }
        ManifestRef ref = cuts.cut(1, Optional.empty(), allocator);
        try (CutReader reader = CutReader.open(storage, ref, allocator)) {
            try (CutRows rows = reader.rows(0, 1)) {
                assertThat(rows.next().rows()).isLessThanOrEqualTo(BlockFormat.VALUES);
                assertThat(rows.next()).isNotNull();
                assertThatThrownBy(() -> reader.rows(0, 2))
                        .isInstanceOf(IllegalStateException.class);
            }
            assertThat(TestingCuts.content(reader)).isEqualTo(cuts.content());
        }
    }

    @Test
    void aModelWithoutRows(BufferAllocator allocator) {
        ManifestRef ref = cuts.cut(0, Optional.empty(), allocator);
        try (CutReader reader = CutReader.open(storage, ref, allocator)) {
            assertThat(TestingCuts.content(reader)).isEqualTo(cuts.content());
            assertThat(reader.manifest().bytes()).isZero();
        }
    }

    @Test
    void increments(BufferAllocator allocator) {
        cuts.train(1_000);
        ManifestRef ref = cuts.cut(1, Optional.empty(), allocator);
        List<ManifestRef> refs = new ArrayList<>(List.of(ref));
        List<Map<String, List<String>>> contents = new ArrayList<>(List.of(cuts.content()));
        for (int n = 2; n <= 4; n++) {
            cuts.train(30);
            for (long key : List.copyOf(cuts.rows.get(0).get(1).keySet()).subList(n, 100 + n)) {
                cuts.touch(0, 1, key);
            }
            cuts.pushes = cuts.somePushes(100_000);
            ref = cuts.cut(n, Optional.of(cuts.base(n - 1, ref)), allocator);
            refs.add(ref);
            contents.add(cuts.content());
        }
        for (int i = 0; i < refs.size(); i++) {
            try (CutReader reader = CutReader.open(storage, refs.get(i), allocator)) {
                assertThat(reader.chain().cuts()).hasSize(i + 1).endsWith(cuts.id(i + 1));
                assertThat(TestingCuts.content(reader)).isEqualTo(contents.get(i));
                reader.verify();
            }
        }
        try (CutReader reader = CutReader.open(storage, ref, allocator)) {
            List<RoundPush> pushes = new ArrayList<>();
            reader.readRounds(pushes::add);
            assertThat(pushes).containsExactlyInAnyOrderElementsOf(cuts.pushes);
        }
    }

    @Test
    void theFinalCut(BufferAllocator allocator) {
        cuts.train(10);
        ManifestRef first = cuts.cut(3, Optional.empty(), allocator);
        ManifestRef last = cuts.cut(CutId.FINAL, Optional.of(cuts.base(3, first)), allocator);
        assertThat(last.path()).endsWith("/cuts/final-7/manifest.json");
        try (CutReader reader = CutReader.open(storage, last, allocator)) {
            assertThat(TestingCuts.content(reader)).isEqualTo(cuts.content());
        }
    }

    @Test
    void arrowReadsTheFiles(BufferAllocator allocator) throws IOException {
        cuts.train(10);
        ManifestRef ref = cuts.cut(1, Optional.empty(), allocator);
        Path file = Path.of(ref.path()).resolveSibling("data/02-embed_ding-p00001.arrow");
        try (FileChannel channel = FileChannel.open(file);
                ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
            assertThat(reader.loadNextBatch()).isTrue();
            assertThat(reader.getVectorSchemaRoot().getRowCount()).isEqualTo(10);
            assertThat(reader.getVectorSchemaRoot().getSchema().getFields())
                    .extracting("name")
                    .containsExactly("key", "value", "slot_0", "slot_1", "step");
        }
    }

    /** Whoever merges the parts, in whatever order, writes the same bytes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void mergingIsDeterministic(boolean base, BufferAllocator allocator) {
        cuts.train(20);
        cuts.pushes = cuts.somePushes(100_000);
        List<CutPart> parts = new ArrayList<>();
        for (CutPart part : cuts.parts(5, !base, allocator)) {
            // as reported by owner threads, a few partitions each
            List<CutPartition> all = part.partitions();
            parts.add(new CutPart(all.subList(0, 2), part.rounds(), part.workers()));
            parts.add(new CutPart(all.subList(2, all.size()), List.of(), part.workers()));
        }
        Optional<CutBase> on = base ? Optional.of(new CutBase(cuts.id(4), 99)) : Optional.empty();
        CutHeader header = cuts.header(5, on);
        byte[] first = CutManifestJson.write(CutManifest.merge(header, cuts.layouts, parts));
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(parts, cuts.random);
            List<CutPart> shuffled = new ArrayList<>();
            for (CutPart part : parts) {
                List<CutPartition> partitions = new ArrayList<>(part.partitions());
                Collections.shuffle(partitions, cuts.random);
                shuffled.add(new CutPart(partitions, part.rounds(), part.workers()));
            }
            CutManifest merged = CutManifest.merge(header, cuts.layouts, shuffled);
            assertThat(CutManifestJson.write(merged)).isEqualTo(first);
            assertThat(CutManifestJson.read(first)).isEqualTo(merged);
        }
    }

    @Test
    void incompleteReportsAreRefused(BufferAllocator allocator) {
        cuts.train(5);
        List<CutPart> parts = cuts.parts(5, true, allocator);
        CutHeader header = cuts.header(5, Optional.empty());
        assertMergeRefused(
                header, parts.subList(0, 1), "partition 1 of table 'weights' is missing");
        assertMergeRefused(
                header,
                List.of(parts.get(0), parts.get(1), parts.get(0)),
                "partition 0 of table 'weights' was reported twice");
        CutPart other = parts.get(1);
        assertMergeRefused(
                header,
                List.of(
                        parts.get(0),
                        new CutPart(
                                other.partitions(),
                                other.rounds(),
                                List.of(
                                        CutClock.finished(),
                                        CutClock.idle(3),
                                        CutClock.finished()))),
                "worker 0 is reported as ACTIVE and as FINISHED");
        assertMergeRefused(
                header,
                List.of(parts.get(0), new CutPart(other.partitions(), List.of(), List.of())),
                "0 clocks of 3 workers");
        List<CutPartition> without = new ArrayList<>();
        for (CutPartition partition : other.partitions()) {
            without.add(
                    new CutPartition(
                            partition.table(),
                            partition.partition(),
                            partition.rows(),
                            StepCounts.ofRounds(1),
                            1,
                            null));
        }
        assertMergeRefused(
                header,
                List.of(parts.get(0), new CutPart(without, List.of(), other.workers())),
                "has 0 of its 5 rows in a cut without a base");
    }

    private void assertMergeRefused(CutHeader header, List<CutPart> parts, String why) {
        assertThatThrownBy(() -> CutManifest.merge(header, cuts.layouts, parts))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void names() {
        assertThat(CutId.ofDirectory("r", "12-3")).contains(new CutId("r", 3, 12));
        assertThat(CutId.ofDirectory("r", "final-3")).contains(new CutId("r", 3, CutId.FINAL));
        for (String name : List.of("012-3", "12", "12-3.tmp", "-1-3", "99999999999999999999-1")) {
            assertThat(CutId.ofDirectory("r", name)).isEmpty();
        }
        for (String run : List.of("", "..", "a/b", ".hidden", "x".repeat(129))) {
            assertThatThrownBy(() -> new CutId(run, 1, 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void misuseIsRefused(BufferAllocator allocator) {
        String directory = CutPaths.directory(model, cuts.id(1));
        try (CutPartWriter writer =
                CutPartWriter.open(storage, directory, "0-0", cuts.layouts, allocator)) {
            assertThatThrownBy(() -> writer.append(new long[1], new float[1], null, null, 1))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> writer.begin(0, 4))
                    .isInstanceOf(IllegalArgumentException.class);
            writer.begin(0, 1);
            assertThatThrownBy(() -> writer.begin(0, 2)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(writer::complete).isInstanceOf(IllegalStateException.class);
            float[][] oneSlot = new float[1][1];
            assertThatThrownBy(() -> writer.append(new long[1], new float[1], oneSlot, null, 1))
                    .isInstanceOf(IllegalArgumentException.class);
            float[][] slots = new float[2][1];
            assertThatThrownBy(() -> writer.append(new long[1], new float[1], slots, new int[1], 1))
                    .isInstanceOf(IllegalArgumentException.class);
            writer.append(new long[1], new float[1], slots, null, 1);
            assertThat(writer.finish().rows()).isEqualTo(1);
        }
        assertThat(Path.of(directory, "data")).isEmptyDirectory();
    }
}
