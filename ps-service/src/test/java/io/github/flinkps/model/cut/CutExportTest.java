package io.github.flinkps.model.cut;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.StepCounts;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.RowBlock;
import io.github.flinkps.model.TableLayout;
import io.github.flinkps.model.TestingModelStorage;
import io.github.flinkps.server.store.Partition;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunction;
import io.github.flinkps.server.update.UpdateFunctions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CutExportTest {
    @TempDir Path folder;

    private final ModelStorage storage = new TestingModelStorage();

    private String path(String name) {
        return LocalModelStorage.path(folder.resolve(name));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everyRowOnceAsItWasLast(boolean slots, BufferAllocator allocator) {
        long seed = System.nanoTime();
        System.out.println("CutExportTest seed " + seed);
        TestingCuts cuts =
                new TestingCuts(
                        storage,
                        path("model"),
                        List.of(
                                TestingCuts.WEIGHTS,
                                new TableLayout(TestingCuts.EMBEDDING.spec(), 2, false)),
                        seed);
        cuts.touch(0, 1, 0);
        cuts.train(3_000);
        ManifestRef ref = cuts.cut(1, Optional.empty(), allocator);
        for (int n = 2; n <= 4; n++) {
            cuts.train(500);
            for (long key : List.copyOf(cuts.rows.get(0).get(1).keySet()).subList(0, 50 * n)) {
                cuts.touch(0, 1, key);
            }
            cuts.pushes = cuts.somePushes(10);
            ref = cuts.cut(n, Optional.of(cuts.base(n - 1, ref)), allocator);
        }
        CutCatalog catalog = new CutCatalog(storage, cuts.model);
        catalog.noteProgress(cuts.id(4), new CutProgress(0, 2, 10, 1, 2));
        assertThat(catalog.facts(cuts.id(4))).isEmpty();
        catalog.noteProgress(cuts.id(4), new CutProgress(1, 2, 20, 0, 2));
        try (CutReader cut = CutReader.open(storage, ref, allocator)) {
            ModelManifest manifest =
                    CutExport.toModel(
                            cut,
                            storage,
                            path("exported"),
                            slots,
                            spec -> {
                                throw new AssertionError("no steps in " + spec.name());
                            },
                            allocator);
            assertThat(manifest.facts())
                    .containsEntry("cut", "4-7")
                    .containsEntry("trained-rows", "30")
                    .containsEntry("training-loss", "0.25000")
                    .containsEntry("pushes-of-unfinished-rounds", "20");
            assertThat(manifest.table("weights").files().get(1).steps())
                    .isEqualTo(new StepCounts(cuts.step, cuts.step / 3, cuts.step % 3));
        }
        try (ModelReader reader = ModelReader.open(storage, path("exported"), allocator)) {
            assertThat(reader.manifest().header().algorithm()).isEqualTo("algorithm");
            assertThat(reader.manifest().table("weights").slots()).isEqualTo(slots ? 2 : 0);
            for (int t = 0; t < cuts.layouts.size(); t++) {
                compare(cuts, t, slots, reader);
            }
        }
    }

    private static void compare(TestingCuts cuts, int table, boolean slots, ModelReader reader) {
        TableSpec spec = cuts.layouts.get(table).spec();
        for (int p = 0; p < spec.partitions(); p++) {
            Map<Long, String> expected = new TreeMap<>();
            int length = spec.width() * (slots ? 3 : 1);
            cuts.rows
                    .get(table)
                    .get(p)
                    .forEach(
                            (key, row) ->
                                    expected.put(key, Arrays.toString(Arrays.copyOf(row, length))));
            Map<Long, String> found = new TreeMap<>();
            reader.read(
                    spec.name(),
                    p,
                    block -> {
                        for (int i = 0; i < block.rows(); i++) {
                            String row = row(block, i, spec.width());
                            assertThat(found.put(block.keys()[i], row)).isNull();
                        }
                    });
            assertThat(found).isEqualTo(expected);
        }
    }

    private static String row(RowBlock block, int index, int width) {
        List<Integer> bits = new ArrayList<>();
        for (int plane = 0; plane <= block.slots().length; plane++) {
            float[] values = plane == 0 ? block.values() : block.slots()[plane - 1];
            for (int v = 0; v < width; v++) {
                bits.add(Float.floatToRawIntBits(values[index * width + v]));
            }
        }
        return bits.toString();
    }

    /** A server's own export of regularised rows and that of a cut are the same, bit for bit. */
    @Test
    void rowsAreCaughtUpAsServersDo(BufferAllocator allocator) {
        TableSpec spec =
                TableSpec.sparse("w", 3, UpdateSpec.sgd(.1).with("l1", .01).with("l2", .05))
                        .withPartitions(1);
        UpdateFunction function = UpdateFunctions.create(spec.update());
        assertThat(function.catchesUp()).isTrue();
        Partition partition = Partition.create(spec, 0, function);
        TestingCuts cuts =
                new TestingCuts(storage, path("model"), List.of(new TableLayout(spec, 0, true)), 1);
        Random random = new Random(5);
        StepContext context = new StepContext();
        Map<Long, int[]> rows = cuts.rows.get(0).get(0);
        for (int step = 1; step <= 20; step++) {
            // What the partition holds of a row that is pushed now: raw, up to date with this step.
            long[] key = {random.nextInt(30)};
            push(partition, key[0], step, random, context);
            rows.put(key[0], raw(partition, key[0], step));
        }
        cuts.step = partition.step();
        ManifestRef ref = cuts.cut(1, Optional.empty(), allocator);
        try (CutReader cut = CutReader.open(storage, ref, allocator)) {
            CutExport.toModel(
                    cut, storage, path("out"), false, table -> function::catchUp, allocator);
        }
        Map<Long, String> expected = new TreeMap<>();
        long[] keys = new long[30];
        float[] values = new float[90];
        int count = partition.export(0, 30, keys, values, null);
        RowBlock exported = RowBlock.of(keys, values);
        for (int i = 0; i < count; i++) {
            expected.put(keys[i], row(exported, i, 3));
        }
        Map<Long, String> found = new TreeMap<>();
        try (ModelReader reader = ModelReader.open(storage, path("out"), allocator)) {
            reader.read(
                    "w",
                    block -> {
                        for (int i = 0; i < block.rows(); i++) {
                            found.put(block.keys()[i], row(block, i, 3));
                        }
                    });
        }
        assertThat(found).hasSizeGreaterThan(10).isEqualTo(expected);
    }

    private static void push(
            Partition partition, long key, int step, Random random, StepContext context) {
        long[] hashes = {io.github.flinkps.common.KeyHash.of(64).hash(key)};
        int[] rows = new int[1];
        partition.resolve(hashes, 0, 1, rows);
        partition.create(hashes, 0, 1, rows);
        float[] gradients = {random.nextFloat() - .5f, random.nextFloat(), -random.nextFloat()};
        partition.advance(1);
        context.set(1, step);
        partition.apply(rows, 0, 1, gradients, 0, context);
    }

    /** Returns what is stored of a row, which is what is read of one just pushed. */
    private static int[] raw(Partition partition, long key, int step) {
        long[] keys = new long[30];
        float[] values = new float[90];
        int count = partition.export(0, 30, keys, values, null);
        for (int i = 0; i < count; i++) {
            if (keys[i] == key) {
                return new int[] {
                    Float.floatToRawIntBits(values[i * 3]),
                    Float.floatToRawIntBits(values[i * 3 + 1]),
                    Float.floatToRawIntBits(values[i * 3 + 2]),
                    step
                };
            }
        }
        throw new AssertionError("key " + key);
    }
}
