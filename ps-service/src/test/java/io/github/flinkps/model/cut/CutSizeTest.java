package io.github.flinkps.model.cut;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.StepCounts;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.TableLayout;
import io.github.flinkps.model.TestingModelStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An increment costs what has changed, and an overhead per file. */
class CutSizeTest {
    /** Schema, metadata of a batch, footer and padding. */
    private static final long FILE_OVERHEAD = 1300;

    /** The bytes like {@link #FILE_OVERHEAD}, with two slots and the steps. */
    private static final long WIDE_FILE_OVERHEAD = 1900;

    /** The bytes of the manifest for a file. */
    private static final long ENTRY_BYTES = 280;

    /** The bytes of the manifest for the model. */
    private static final long HEADER_BYTES = 2048;

    @TempDir Path folder;

    private final ModelStorage storage = new TestingModelStorage();

    @ParameterizedTest
    @CsvSource({
        "2000000,1,true,1,false",
        "100000,1,true,1,false",
        "2000000,1,true,0,true",
        "200000,64,true,1,true",
        "2000000,1,false,1,false"
    })
    void onePerCentOfTheRowsIsAtMostTwoOfTheBytesAndAnOverhead(
            int rows,
            int width,
            boolean sparse,
            int slots,
            boolean steps,
            BufferAllocator allocator) {
        UpdateSpec update = UpdateSpec.sgd(.1);
        TableSpec spec =
                sparse
                        ? TableSpec.sparse("t", width, update)
                        : TableSpec.dense("t", rows, width, update);
        TableLayout layout = new TableLayout(spec.withPartitions(64), slots, steps);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        CutManifest full = cut(layout, 1, Optional.empty(), rows, rows, random, allocator);
        CutBase base = new CutBase(full.header().id(), 1);
        CutManifest increment =
                cut(layout, 2, Optional.of(base), rows, rows / 100, random, allocator);
        long files = increment.files().count();
        long manifest = CutManifestJson.write(increment).length;
        long all = bytes(full);
        System.out.printf(
                "CutSizeTest seed %d: width %d, %s, %d slots, steps %b, %d rows: full %d bytes, 1"
                        + " %% of the rows %d bytes in %d files and %d in the manifest (%.2f %%)%n",
                seed,
                width,
                sparse ? "sparse" : "dense",
                slots,
                steps,
                rows,
                all,
                increment.bytes(),
                files,
                manifest,
                100. * bytes(increment) / all);
        assertThat(manifest).isLessThan(HEADER_BYTES + files * ENTRY_BYTES);
        assertThat(bytes(increment))
                .isLessThan(all / 50 + files * (FILE_OVERHEAD + ENTRY_BYTES) + HEADER_BYTES);
    }

    /** Returns the bytes of a cut, its manifest included. */
    private static long bytes(CutManifest cut) {
        return cut.bytes() + CutManifestJson.write(cut).length;
    }

    /** A file of one row is its overhead. */
    @Test
    void theOverheadIsBounded(BufferAllocator allocator) {
        TableLayout layout = TestingCuts.EMBEDDING;
        CutManifest one = cut(layout, 1, Optional.empty(), 3, 3, new Random(1), allocator);
        one.files().forEach(file -> assertThat(file.bytes()).isLessThan(WIDE_FILE_OVERHEAD));
    }

    /** Writes random rows, dealt out to the partitions. */
    private CutManifest cut(
            TableLayout layout,
            long number,
            Optional<CutBase> base,
            int rows,
            int changed,
            Random random,
            BufferAllocator allocator) {
        TestingCuts cuts =
                new TestingCuts(
                        storage,
                        LocalModelStorage.path(folder.resolve("model")),
                        List.of(layout),
                        1);
        int width = layout.spec().width();
        int each = changed / layout.spec().partitions();
        String directory = CutPaths.directory(cuts.model, cuts.id(number));
        List<CutPartition> partitions = new ArrayList<>();
        try (CutPartWriter writer =
                CutPartWriter.open(storage, directory, "0-0", cuts.layouts, allocator)) {
            for (int p = 0; p < layout.spec().partitions(); p++) {
                writer.begin(0, p);
                writer.append(
                        random.longs(each).toArray(),
                        new float[each * width],
                        new float[layout.slots()][each * width],
                        layout.steps() ? new int[each] : null,
                        each);
                int held = rows / layout.spec().partitions();
                partitions.add(
                        new CutPartition(0, p, held, StepCounts.ofRounds(1), 0, writer.finish()));
            }
            writer.complete();
        }
        List<CutClock> clocks = List.of(CutClock.active(1), CutClock.active(1), CutClock.active(1));
        CutPart part = new CutPart(partitions, List.of(), clocks);
        return CutManifest.merge(cuts.header(number, base), cuts.layouts, List.of(part));
    }
}
