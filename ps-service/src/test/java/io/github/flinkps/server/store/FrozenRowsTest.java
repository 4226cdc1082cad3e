package io.github.flinkps.server.store;

import static io.github.flinkps.server.store.SparsePartitionTest.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.update.StepContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Images of partitions under training. */
class FrozenRowsTest {
    private final StepContext step = new StepContext();

    static List<Arguments> shapes() {
        String updates = "sgd l1l2 momentum adagrad rmsprop adam ftrl add assign";
        List<Arguments> all = new ArrayList<>();
        for (String update : updates.split(" ")) {
            for (int width : new int[] {1, 3, 16, 64}) {
                all.add(Arguments.of(update, width, true));
                all.add(Arguments.of(update, width, false));
            }
        }
        return all;
    }

    private static TableSpec spec(String update, int width, boolean sparse, int rows) {
        UpdateSpec spec =
                update.equals("l1l2")
                        ? UpdateSpec.sgd(.1).with("l1", .002).with("l2", .05)
                        : UpdateSpec.of(update);
        TableSpec table =
                sparse
                        ? TableSpec.sparse("t", width, spec).withKeyBits(20)
                        : TableSpec.dense("t", 2L * rows, width, spec);
        return table.withPartitions(2);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void imagesAreTheRowsAtTheFreeze(String update, int width, boolean sparse) {
        long seed = System.nanoTime();
        System.out.println("FrozenRowsTest seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int rows : new int[] {60, 20_000 / width}) {
            TableSpec spec = spec(update, width, sparse, rows);
            if (random.nextBoolean()) {
                spec = spec.withInitializer(InitializerSpec.uniform(-1, 1), 5);
            }
            CutScenario scenario = new CutScenario(spec, random.nextInt(2), 2 * rows, random);
            run(scenario, random, rows == 60 ? 300 : 60, rows / 10 + 1);
            if (rows == 60) {
                assertThat(scenario.fulls).isPositive();
                assertThat(scenario.increments).isPositive();
            }
        }
    }

    private static void run(CutScenario scenario, SplittableRandom random, int turns, int batch) {
        for (int turn = 0; turn < turns || scenario.isOpen(); turn++) {
            int kind = random.nextInt(4);
            if (kind < 2) {
                scenario.train(kind == 0 ? batch : 1 + random.nextInt(3));
            } else if (!scenario.isOpen()) {
                scenario.freeze(random.nextInt(5) == 0);
            } else if (random.nextInt(12) == 0) {
                scenario.abort();
            } else {
                scenario.copySome();
            }
            if (random.nextInt(6) == 0) {
                scenario.complete();
            }
        }
    }

    /** Trains rows; those of a sparse table by numbers that stand for its hashes of 20 bits. */
    private void push(Partition partition, long... numbers) {
        boolean sparse = partition.spec().isSparse();
        long[] keys = sparse ? Arrays.stream(numbers).map(n -> n << 44).toArray() : numbers;
        int[] rows = new int[keys.length];
        partition.resolve(keys, 0, keys.length, rows);
        partition.create(keys, 0, keys.length, rows);
        float[] gradients = new float[keys.length * partition.spec().width()];
        Arrays.fill(gradients, .5f);
        partition.apply(rows, 0, rows.length, gradients, 0, step.set(1, partition.step() + 1));
        partition.advance(1);
    }

    private static long read(FrozenRows image, RowImage into) {
        long rows = 0;
        for (int count = image.next(into); count > 0; count = image.next(into)) {
            rows += count;
        }
        return rows;
    }

    @ParameterizedTest
    @CsvSource({"1, true", "64, true", "1, false"})
    void anIncrementHasTheRowsTouched(int width, boolean sparse) {
        long seed = System.nanoTime();
        System.out.println("FrozenRowsTest seed " + seed);
        int rows = 300_000 / width;
        Partition partition = partition(spec("l1l2", width, sparse, rows), 0);
        long[] all = LongStream.range(0, rows).toArray();
        push(partition, all);
        RowImage into = partition.image(262_144 / partition.imageBytesPerRow());
        try (FrozenRows full = partition.freeze(1, true, new SavedBlocks())) {
            assertThat(full.rows()).isEqualTo(rows);
            assertThat(read(full, into)).isEqualTo(rows);
        }
        partition.completed(1);
        long[] some =
                new SplittableRandom(seed).longs(rows / 100, 0, rows).sorted().distinct().toArray();
        push(partition, some);
        try (FrozenRows increment = partition.freeze(2, false, new SavedBlocks())) {
            assertThat(increment.full()).isFalse();
            assertThat(increment.base()).isEqualTo(1);
            push(partition, all);
            assertThat(increment.rows()).isEqualTo(some.length);
            assertThat(read(increment, into)).isEqualTo(some.length);
        }
    }

    @Test
    void onlyCutsThatCompleteAreForgotten() {
        Partition partition = partition(spec("add", 1, true, 0), 0);
        RowImage into = partition.image(10);
        push(partition, 1, 2, 3);
        assertThat(increment(partition, 1, into)).isEqualTo(3);
        push(partition, 4);
        assertThat(increment(partition, 2, into)).as("no cut is complete").isEqualTo(4);
        partition.completed(1);
        push(partition, 2);
        assertThat(increment(partition, 5, into)).as("2 and 4").isEqualTo(2);
        partition.completed(4);
        assertThat(increment(partition, 6, into)).as("4 was not frozen").isEqualTo(2);
        partition.completed(6);
        partition.completed(5);
        assertThat(increment(partition, 7, into)).as("6 had all").isZero();
        assertThatThrownBy(() -> partition.freeze(7, false, new SavedBlocks()))
                .isInstanceOf(IllegalArgumentException.class);
        partition.clear();
        push(partition, 1);
        partition.completed(7);
        assertThat(increment(partition, 3, into)).as("all is new").isEqualTo(1);
    }

    private static long increment(Partition partition, long cut, RowImage into) {
        try (FrozenRows image = partition.freeze(cut, false, new SavedBlocks())) {
            return read(image, into);
        }
    }

    @Test
    void cutsGivenUpInARowKeepFewSets() {
        int rows = 1 << 16;
        Partition partition = partition(spec("add", 1, true, 0), 0);
        long[] all = LongStream.range(0, rows).toArray();
        push(partition, all);
        long before = partition.bytes();
        partition.freeze(0, true, new SavedBlocks()).close();
        partition.completed(0);
        for (int cut = 1; cut < 50; cut++) {
            push(partition, all);
            partition.freeze(cut, false, new SavedBlocks()).close();
        }
        assertThat(partition.bytes() - before).isLessThan(6L * rows / 8);
        push(partition, 5);
        assertThat(increment(partition, 50, partition.image(100))).isEqualTo(rows);
        partition.completed(50);
        assertThat(partition.bytes() - before).isLessThan(rows / 8);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void oneImageIsOpenAtATimeAndClearClosesIt(boolean sparse) {
        Partition partition = partition(spec("adagrad", 2, sparse, 10), 0);
        push(partition, 1, 2, 3);
        long before = partition.bytes();
        FrozenRows image = partition.freeze(1, true, new SavedBlocks());
        assertThatThrownBy(() -> partition.freeze(2, true, new SavedBlocks()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another image");
        push(partition, 2);
        assertThat(image.savedBytes()).isPositive();
        assertThat(partition.bytes()).isGreaterThanOrEqualTo(before + image.savedBytes());
        RowImage into = partition.image(4);
        assertThatThrownBy(() -> image.next(new RowImage(4, 1, 1, false)))
                .isInstanceOf(IllegalArgumentException.class);
        partition.clear();
        assertThat(image.savedBytes()).isZero();
        assertThatThrownBy(() -> image.next(into))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        push(partition, 2);
        try (FrozenRows next = partition.freeze(1, false, new SavedBlocks())) {
            image.close();
            assertThat(next.full()).isTrue();
            assertThat(next.next(into)).isPositive();
        }
    }

    @Test
    void savedRowsAreGivenBackAsTheyAreHandedOut() {
        int rows = 100_000;
        Partition partition = partition(spec("adam", 1, true, 0), 0);
        long[] all = LongStream.range(0, rows).toArray();
        push(partition, all);
        FrozenRows image = partition.freeze(1, true, new SavedBlocks());
        push(partition, all);
        long most = image.savedBytes();
        assertThat(most).isBetween(12L * rows, 24L * rows);
        push(partition, all);
        assertThat(image.savedBytes()).isEqualTo(most);
        RowImage into = partition.image(1000);
        for (int i = 0; i < 50; i++) {
            assertThat(image.next(into)).isEqualTo(1000);
        }
        assertThat(image.savedBytes()).isLessThan(most * 6 / 10);
        image.close();
    }

    /** The next push to the rows saves them, and the image has them as they were. */
    @ParameterizedTest
    @CsvSource({"adagrad,true", "adagrad,false", "l1l2,true", "l1l2,false"})
    void aPushThatHasNoMemoryForTheRowsSavedLosesNone(String update, boolean sparse) {
        int rows = 20_000;
        TableSpec spec = spec(update, 16, sparse, rows);
        Partition partition = partition(spec, 0);
        long[] all = LongStream.range(0, rows).toArray();
        push(partition, all);
        push(partition, LongStream.range(0, rows / 2).toArray());
        float[][] before = exportedWithSlots(partition);
        int[] arrays = {0};
        SavedBlocks memory =
                new SavedBlocks(
                        floats -> {
                            if (arrays[0]++ % 3 != 2) {
                                throw new OutOfMemoryError("a test");
                            }
                            return new float[floats];
                        });
        int failures = 0;
        try (FrozenRows image = partition.freeze(1, true, memory)) {
            for (boolean done = false; !done; ) {
                try {
                    push(partition, all);
                    done = true;
                } catch (OutOfMemoryError e) {
                    failures++;
                }
            }
            assertThat(failures).isGreaterThan(5);
            assertThat(exportedWithSlots(partition))
                    .satisfies(now -> assertThat(Arrays.deepEquals(now, before)).isFalse());
            RowImage into = partition.image(rows);
            assertThat(image.next(into)).isEqualTo(rows);
            Partition restored = partition(spec, 0);
            restored.restore(into, rows);
            restored.advance(image.step());
            assertThat(exportedWithSlots(restored)).isDeepEqualTo(before);
        }
        assertThat(memory.taken()).isZero();
    }

    @Test
    void pagesMadeAfterTheFreezeAreNotOfTheImage() {
        TableSpec spec = spec("l1l2", 1, false, 100_000);
        Partition partition = partition(spec, 1);
        push(partition, 100_007);
        try (FrozenRows image = partition.freeze(1, true, new SavedBlocks())) {
            push(partition, 100_007, 150_000, 199_999);
            assertThat(image.rows()).isEqualTo(RowPages.PAGE_FLOATS);
            RowImage into = partition.image(RowPages.PAGE_FLOATS + 1);
            assertThat(image.next(into)).isEqualTo(RowPages.PAGE_FLOATS);
            Partition restored = partition(spec, 1);
            restored.restore(into, RowPages.PAGE_FLOATS);
            restored.advance(image.step());
            Partition same = partition(spec, 1);
            push(same, 100_007);
            assertThat(exported(restored)).isEqualTo(exported(same));
            assertThat(restored.bytes()).isEqualTo(same.bytes());
            assertThat(image.next(into)).isZero();
        }
    }

    /** The values, and each slot. */
    private static float[][] exportedWithSlots(Partition partition) {
        int rows = (int) partition.rows();
        int floats = rows * partition.spec().width();
        float[][] slots = new float[partition.slotCount][floats];
        float[][] all = Arrays.copyOf(slots, slots.length + 1);
        all[slots.length] = new float[floats];
        assertThat(partition.export(0, rows, new long[rows], all[slots.length], slots))
                .isEqualTo(rows);
        return all;
    }

    private static float[] exported(Partition partition) {
        int rows = (int) partition.rows();
        float[] values = new float[rows * partition.spec().width()];
        assertThat(partition.export(0, rows, new long[rows], values, null)).isEqualTo(rows);
        return values;
    }

    @Test
    void restoreRefusesBeforeAnyChange() {
        Partition partition = partition(spec("add", 1, true, 0), 0);
        RowImage rows = partition.image(3);
        rows.keys()[0] = 9;
        rows.keys()[1] = 9;
        assertThatThrownBy(() -> partition.restore(rows, 2)).hasMessageContaining("unique");
        rows.keys()[1] = 1 << 20;
        assertThatThrownBy(() -> partition.restore(rows, 2)).hasMessageContaining("key space");
        assertThatThrownBy(() -> partition.restore(rows, 4))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(partition.rows()).isZero();
    }
}
