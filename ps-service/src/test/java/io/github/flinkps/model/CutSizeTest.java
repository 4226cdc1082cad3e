package io.github.flinkps.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
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
    private static final long FILE_OVERHEAD = 4096;

    @TempDir Path folder;

    private final ModelStorage storage = new TestingModelStorage();

    @ParameterizedTest
    @CsvSource({"1,true,1,false", "1,true,0,true", "64,true,1,true", "1,false,1,false"})
    void onePerCentOfTheRowsIsAtMostTwoOfTheBytes(
            int width, boolean sparse, int slots, boolean steps, BufferAllocator allocator) {
        int rows = width == 1 ? 2_000_000 : 200_000;
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
        long net = increment.bytes() - files * FILE_OVERHEAD;
        System.out.printf(
                "CutSizeTest seed %d: width %d, %s, %d slots, steps %b, %d rows: full %d bytes, 1"
                    + " %% of the rows %d bytes in %d files (%.2f %%), without the first %d bytes"
                    + " of each %.2f %%%n",
                seed,
                width,
                sparse ? "sparse" : "dense",
                slots,
                steps,
                rows,
                full.bytes(),
                increment.bytes(),
                files,
                100. * increment.bytes() / full.bytes(),
                FILE_OVERHEAD,
                100. * net / full.bytes());
        assertThat(increment.bytes()).isLessThan(full.bytes() / 50 + files * FILE_OVERHEAD);
    }

    /** A file of one row is its overhead. */
    @Test
    void theOverheadIsBounded(BufferAllocator allocator) {
        TableLayout layout = TestingCuts.EMBEDDING;
        CutManifest one = cut(layout, 1, Optional.empty(), 3, 3, new Random(1), allocator);
        one.files().forEach(file -> assertThat(file.bytes()).isLessThan(FILE_OVERHEAD));
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
                partitions.add(new CutPartition(0, p, held, 1, 0, writer.finish()));
            }
            writer.complete();
        }
        List<CutClock> clocks = List.of(CutClock.active(1), CutClock.active(1), CutClock.active(1));
        CutPart part = new CutPart(partitions, List.of(), clocks);
        return CutManifest.merge(cuts.header(number, base), cuts.layouts, List.of(part));
    }
}
