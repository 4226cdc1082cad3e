package io.github.flinkps.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.RowInitializer;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunctions;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DensePartitionTest {
    private final StepContext step = new StepContext();

    private static DensePartition partition(TableSpec spec, int number) {
        return (DensePartition)
                Partition.create(spec, number, UpdateFunctions.create(spec.update()));
    }

    private static TableSpec spec(long size, int width, int partitions, UpdateSpec update) {
        return TableSpec.dense("d", size, width, update)
                .withPartitions(partitions)
                .withInitializer(InitializerSpec.normal(0, 1), 3);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 100000, 3, 2",
        "1, 5, 1, 0",
        "3, 20001, 2, 1",
        "16, 3000, 1, 0",
        "64, 1000, 4, 3",
        "4096, 11, 2, 1"
    })
    void behavesAsAnArray(int width, long size, int partitions, int number) {
        long seed = System.nanoTime();
        System.out.println("DensePartitionTest seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        TableSpec spec = spec(size, width, partitions, UpdateSpec.of("add"));
        DensePartition partition = partition(spec, number);
        int rows = (int) partition.rows();
        assertThat(partition.firstKey()).isEqualTo(spec.firstKey(number));
        assertThat(rows).isEqualTo((int) (spec.firstKey(number + 1) - spec.firstKey(number)));
        assertThat(partition.bytes()).isZero();
        float[] model = new float[rows * width];
        RowInitializer initializer = RowInitializer.of(spec);
        for (int row = 0; row < rows; row++) {
            initializer.fill(partition.firstKey() + row, model, row * width, width);
        }
        FloatBuffer buffer = SparsePartitionTest.direct(rows * width);
        for (int round = 0; round < 30; round++) {
            int from = random.nextInt(rows);
            int to = round == 0 ? rows : random.nextInt(from, rows + 1);
            from = round == 0 ? 0 : from;
            buffer.clear();
            partition.readRange(from, to, buffer);
            assertSame(model, from * width, buffer, (to - from) * width);
            float[] gradients = gradients(random, (to - from) * width + 5);
            if (round % 2 == 0) {
                partition.applyRange(from, to, gradients, 5, step.set(1, round + 1));
            } else {
                buffer.clear();
                buffer.put(gradients, 5, gradients.length - 5).flip();
                partition.applyRange(from, to, buffer, step.set(1, round + 1));
                assertThat(buffer.remaining()).isZero();
            }
            add(model, from * width, gradients, gradients.length - 5);
            byKeys(random, partition, model, buffer, round);
        }
        assertThat(partition.rows()).isEqualTo(rows);
        assertThat(partition.bytes()).isEqualTo(4L * rows * width);
    }

    private void byKeys(
            SplittableRandom random,
            DensePartition partition,
            float[] model,
            FloatBuffer buffer,
            int round) {
        int width = partition.spec().width();
        long[] keys =
                random.longs(200, partition.firstKey(), partition.firstKey() + partition.rows())
                        .sorted()
                        .distinct()
                        .toArray();
        int[] rows = new int[keys.length];
        partition.resolve(keys, 0, keys.length, rows);
        partition.create(keys, 0, keys.length, rows);
        buffer.clear();
        partition.gather(keys, rows, 0, keys.length, buffer);
        float[] expected = new float[keys.length * width];
        float[] gradients = gradients(random, keys.length * width + 5);
        for (int i = 0; i < keys.length; i++) {
            System.arraycopy(model, rows[i] * width, expected, i * width, width);
        }
        assertSame(expected, 0, buffer, expected.length);
        if (round % 2 == 0) {
            partition.apply(rows, 0, rows.length, gradients, 5, step.set(1, round + 1));
        } else {
            partition.apply(
                    rows,
                    0,
                    rows.length,
                    FloatBuffer.wrap(gradients, 5, expected.length),
                    step.set(1, round + 1));
        }
        for (int i = 0; i < keys.length; i++) {
            for (int c = 0; c < width; c++) {
                model[rows[i] * width + c] += gradients[5 + i * width + c];
            }
        }
    }

    private static float[] gradients(SplittableRandom random, int count) {
        float[] gradients = new float[count];
        for (int i = 5; i < count; i++) {
            gradients[i] = random.nextInt(-50, 50);
        }
        return gradients;
    }

    private static void add(float[] model, int at, float[] gradients, int count) {
        for (int i = 0; i < count; i++) {
            model[at + i] += gradients[5 + i];
        }
    }

    private static void assertSame(float[] model, int at, FloatBuffer buffer, int count) {
        assertThat(buffer.position()).isEqualTo(count);
        float[] got = new float[count];
        buffer.get(0, got);
        assertThat(got).isEqualTo(Arrays.copyOfRange(model, at, at + count));
    }

    @Test
    void partitionsBeyondTheEndAreEmpty() {
        TableSpec spec = spec(9, 1, 8, UpdateSpec.of("add"));
        long total = 0;
        for (int p = 0; p < 8; p++) {
            DensePartition partition = partition(spec, p);
            total += partition.rows();
            partition.readRange(0, 0, FloatBuffer.allocate(0));
            assertThat(partition.export(0, 1, new long[1], new float[1], null))
                    .isEqualTo((int) Math.min(1, partition.rows()));
        }
        assertThat(total).isEqualTo(9);
        assertThat(partition(spec, 7).rows()).isZero();
    }

    @Test
    void onlyWhatTrainingTouchesTakesMemory() {
        TableSpec spec = spec(1_000_000, 1, 1, UpdateSpec.of("adam"));
        DensePartition partition = partition(spec, 0);
        partition.readRange(0, 1_000_000, FloatBuffer.allocate(1_000_000));
        assertThat(partition.bytes()).isZero();
        partition.applyRange(20_000, 20_010, new float[10], 0, step.set(1, 1));
        assertThat(partition.bytes()).isEqualTo(3 * 65536);
    }

    @Test
    void slotsWorkStraightOverPages() {
        TableSpec spec =
                spec(40_000, 1, 1, UpdateSpec.of("adagrad").with("initial-accumulator", 16));
        DensePartition partition = partition(spec.withInitializer(InitializerSpec.zero(), 0), 0);
        float[] gradients = new float[40_000];
        Arrays.fill(gradients, 3f);
        partition.applyRange(0, 40_000, gradients, 0, step.set(1, 1));
        float[] values = new float[40_000];
        float[][] slots = new float[1][40_000];
        assertThat(partition.export(0, 40_000, new long[40_000], values, slots)).isEqualTo(40_000);
        for (int i = 0; i < 40_000; i++) {
            assertThat(values[i]).isEqualTo(values[0]);
            assertThat(slots[0][i]).isEqualTo(25f);
        }
        assertThat(values[0]).isBetween(-.0600001f, -.0599999f);
    }

    @Test
    void rowsBehindOnRegularisationAreShownAndTrainedCaughtUp() {
        UpdateSpec update = UpdateSpec.sgd(.5).with("l2", .2).with("l1", .01);
        TableSpec spec = spec(50, 2, 1, update).withInitializer(InitializerSpec.constant(1), 0);
        DensePartition lazy = partition(spec, 0);
        DensePartition eager = partition(spec, 0);
        float[] zeros = new float[100];
        for (int t = 1; t <= 12; t++) {
            step.set(2, t);
            int from = t * 3;
            float[] gradients = new float[100];
            Arrays.fill(gradients, from * 2, from * 2 + 8, t);
            eager.applyRange(0, 50, t % 4 == 0 ? zeros : gradients, 0, step);
            if (t % 4 == 1) {
                lazy.applyRange(from, from + 4, gradients, from * 2, step);
            } else if (t % 4 != 0) {
                lazy.apply(
                        new int[] {from, from + 1, from + 2, from + 3},
                        0,
                        4,
                        gradients,
                        from * 2,
                        step);
            }
            lazy.advance(1);
            eager.advance(1);
            assertClose(read(lazy), read(eager));
        }
        long[] keys = new long[50];
        float[] exported = new float[100];
        lazy.export(0, 50, keys, exported, null);
        assertClose(exported, read(eager));
    }

    private static float[] read(DensePartition partition) {
        FloatBuffer out = FloatBuffer.allocate(100);
        partition.readRange(0, 50, out);
        int[] rows = new int[50];
        Arrays.setAll(rows, i -> i);
        FloatBuffer gathered = FloatBuffer.allocate(100);
        partition.gather(new long[50], rows, 0, 50, gathered);
        assertThat(gathered.array()).isEqualTo(out.array());
        return out.array();
    }

    private static void assertClose(float[] actual, float[] expected) {
        for (int i = 0; i < expected.length; i++) {
            if (Math.abs(actual[i] - expected[i]) > 1e-5 * (1 + Math.abs(expected[i]))) {
                throw new AssertionError(
                        "value " + i + " is " + actual[i] + ", not " + expected[i]);
            }
        }
    }

    @Test
    void keysAndRowsOfOtherPartitionsAreRefused() {
        DensePartition partition = partition(spec(10, 1, 2, UpdateSpec.of("add")), 1);
        int[] rows = new int[1];
        for (long key : new long[] {4, 10, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> partition.resolve(new long[] {key}, 0, 1, rows))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.KEY_OUT_OF_RANGE))
                    .hasMessageContaining("key " + key);
        }
        assertThatThrownBy(() -> partition.readRange(3, 6, FloatBuffer.allocate(9)))
                .isInstanceOf(PsException.class);
        assertThatThrownBy(() -> partition.load(new long[] {5, 3}, new float[2], null, 2))
                .isInstanceOf(PsException.class);
        assertThat(partition.bytes()).isZero();
    }

    @Test
    void whatIsExportedCanBeLoaded() {
        TableSpec spec = spec(1000, 5, 2, UpdateSpec.of("adam"));
        DensePartition first = partition(spec, 1);
        float[] gradients = new float[500];
        for (int i = 0; i < gradients.length; i++) {
            gradients[i] = i;
        }
        first.applyRange(300, 400, gradients, 0, step.set(3, 1));
        long[] keys = new long[64];
        float[] values = new float[64 * 5];
        float[][] slots = new float[2][64 * 5];
        DensePartition second = partition(spec.withInitializer(InitializerSpec.zero(), 0), 1);
        long cursor = 0;
        int count;
        while ((count = first.export(cursor, 64, keys, values, slots)) > 0) {
            assertThat(keys[0]).isEqualTo(500 + cursor);
            second.load(keys, values, slots, count);
            cursor += count;
        }
        assertThat(cursor).isEqualTo(500);
        assertThat(everything(second)).isDeepEqualTo(everything(first));
        first.applyRange(0, 500, new float[2500], 0, step.set(3, 2));
        second.applyRange(0, 500, new float[2500], 0, step.set(3, 2));
        assertThat(everything(second)).isDeepEqualTo(everything(first));
        int generation = second.generation();
        second.clear();
        assertThat(second.generation()).isGreaterThan(generation);
        assertThat(second.bytes()).isZero();
    }

    private static float[][] everything(DensePartition partition) {
        float[][] all = new float[3][2500];
        partition.export(0, 500, new long[500], all[0], new float[][] {all[1], all[2]});
        return all;
    }
}
