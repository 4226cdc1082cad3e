package io.github.flinkps.server.store;

import static io.github.flinkps.server.store.SparsePartitionTest.direct;
import static io.github.flinkps.server.store.SparsePartitionTest.hashes;
import static io.github.flinkps.server.store.SparsePartitionTest.partition;
import static io.github.flinkps.server.store.SparsePartitionTest.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.update.StepContext;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests what belongs to sparse rows besides their values: slots, steps, keys, the owner. */
class SparseStateTest {
    private final StepContext step = new StepContext();

    @Test
    void slotsStartAtTheirInitialValueAndFollowTheirRow() {
        UpdateSpec update = UpdateSpec.of("adagrad").with("initial-accumulator", 16);
        Partition partition = partition(TableSpec.sparse("t", 3, update).withPartitions(1), 0);
        long[] sorted = {5, 6, 7, 8};
        int[] rows = new int[4];
        partition.resolve(sorted, 0, 4, rows);
        partition.create(sorted, 0, 4, rows);
        float[] gradients = {3, 3, 3, 0, 0, 0};
        partition.apply(new int[] {rows[1], rows[3]}, 0, 2, gradients, 0, step);
        float[] values = new float[12];
        float[][] slots = new float[1][12];
        long[] keys = new long[4];
        assertThat(partition.export(0, 4, keys, values, slots)).isEqualTo(4);
        assertThat(slots[0]).containsExactly(16, 16, 16, 25, 25, 25, 16, 16, 16, 16, 16, 16);
        assertThat(values).startsWith(0, 0, 0).endsWith(0, 0, 0);
        assertThat(values[3]).isBetween(-.0600001f, -.0599999f);
        assertThat(keys[1]).isEqualTo(KeyHash.of(64).key(6));
    }

    @Test
    void rowsBehindOnRegularisationAreShownAndTrainedCaughtUp() {
        long seed = System.nanoTime();
        System.out.println("SparseStateTest seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        UpdateSpec update = UpdateSpec.sgd(.1).with("l1", .002).with("l2", .05);
        Partition partition = partition(TableSpec.sparse("t", 1, update).withPartitions(1), 0);
        long[] sorted = LongStream.range(1, 41).toArray();
        int[] rows = new int[40];
        double[] expected = new double[40];
        for (int t = 1; t <= 700; t++) {
            for (int i = 0; i < 40; i++) {
                double sum = 0;
                if (random.nextInt(1 + i * i) == 0) {
                    sum = random.nextInt(-8, 12);
                    partition.resolve(sorted, i, i + 1, rows);
                    partition.create(sorted, i, i + 1, rows);
                    partition.apply(rows, i, i + 1, new float[] {(float) sum}, 0, step.set(4, t));
                }
                double x = (1 - .1 * .05) * expected[i] - .1 * sum / 4;
                expected[i] = Math.signum(x) * Math.max(0, Math.abs(x) - .1 * .002);
            }
            partition.advance(1);
        }
        assertThat(partition.step()).isEqualTo(700);
        partition.resolve(sorted, 0, 40, rows);
        FloatBuffer out = direct(40);
        partition.gather(sorted, rows, 0, 40, out);
        float[] exported = new float[40];
        int count = partition.export(0, 40, new long[40], exported, null);
        for (int i = 0; i < 40; i++) {
            assertThat((double) out.get(i)).as("row %d", i).isCloseTo(expected[i], within(1e-4));
            if (rows[i] >= 0) {
                assertThat(exported[rows[i]]).isEqualTo(out.get(i));
            }
        }
        assertThat(count).isEqualTo((int) partition.rows());
    }

    @Test
    void whatIsExportedCanBeLoaded() {
        TableSpec spec =
                TableSpec.sparse("t", 2, UpdateSpec.of("adam"))
                        .withPartitions(2)
                        .withInitializer(InitializerSpec.uniform(-1, 1), 7);
        Partition first = partition(spec, 1);
        long[] sorted = hashes(spec, 1, new SplittableRandom(4), 5000, Long.MAX_VALUE);
        int half = sorted.length / 2;
        int[] rows = new int[sorted.length];
        for (int from : new int[] {half, 0}) {
            first.resolve(sorted, from, from + half, rows);
            first.create(sorted, from, from + half, rows);
            push(first, rows, from, from + half);
        }
        Partition second = partition(spec.withInitializer(InitializerSpec.zero(), 0), 1);
        long[] keys = new long[700];
        float[] values = new float[1400];
        float[][] slots = new float[2][1400];
        long cursor = 0;
        int count = first.export(0, 700, keys, values, slots);
        while (count > 0) {
            second.load(keys, values, slots, count);
            second.load(keys, values, slots, count);
            cursor += count;
            count = first.export(cursor, 700, keys, values, slots);
        }
        assertThat(cursor).isEqualTo(first.rows()).isEqualTo(second.rows()).isEqualTo(2L * half);
        for (int round = 0; round < 2; round++) {
            assertThat(pullAndPush(second, sorted, 2 * half))
                    .isEqualTo(pullAndPush(first, sorted, 2 * half));
        }
        int generation = second.generation();
        second.clear();
        assertThat(second.rows()).isZero();
        assertThat(second.generation()).isGreaterThan(generation);
        second.resolve(sorted, 0, 3, rows);
        assertThat(rows).startsWith(-1, -1, -1);
    }

    private float[] pullAndPush(Partition partition, long[] sorted, int count) {
        int[] rows = new int[count];
        partition.resolve(sorted, 0, count, rows);
        FloatBuffer out = FloatBuffer.allocate(count * partition.spec().width());
        partition.gather(sorted, rows, 0, count, out);
        push(partition, rows, 0, count);
        return out.array();
    }

    private void push(Partition partition, int[] rows, int from, int to) {
        float[] gradients = new float[(to - from) * partition.spec().width()];
        for (int i = 0; i < gradients.length; i++) {
            gradients[i] = i % 13 - 4.5f;
        }
        partition.apply(rows, from, to, gradients, 0, step.set(2, 3));
    }

    @Test
    void loadWithoutSlotsStartsThemAnew() {
        UpdateSpec update = UpdateSpec.of("adagrad").with("initial-accumulator", 2);
        Partition partition = partition(TableSpec.sparse("t", 1, update).withPartitions(1), 0);
        long[] keys = {9, -3, 4};
        partition.load(keys, new float[] {1, 2, 3}, new float[][] {{7, 8, 9}}, 3);
        partition.load(new long[] {-3}, new float[] {5}, null, 1);
        float[][] slots = new float[1][3];
        float[] values = new float[3];
        long[] got = new long[3];
        assertThat(partition.export(0, 3, got, values, slots)).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            assertThat(values[i]).isEqualTo(got[i] == 9 ? 1f : got[i] == 4 ? 3f : 5f);
            assertThat(slots[0][i]).isEqualTo(got[i] == 9 ? 7f : got[i] == 4 ? 9f : 2f);
        }
    }

    @Test
    void loadRefusesKeysOfOtherPartitionsAndSpaces() {
        TableSpec spec = spec(1, 20, 2, "add");
        Partition partition = partition(spec, 0);
        KeyHash hash = KeyHash.of(20);
        long other =
                LongStream.range(0, 1 << 20)
                        .filter(key -> spec.partitionOfHash(hash.hash(key)) == 1)
                        .findFirst()
                        .orElseThrow();
        for (long key : new long[] {other, 1 << 20, -1}) {
            assertThatThrownBy(() -> partition.load(new long[] {key}, new float[1], null, 1))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.KEY_OUT_OF_RANGE));
        }
        assertThatThrownBy(() -> partition.load(new long[2], new float[1], null, 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(partition.rows()).isZero();
    }

    @Test
    void anotherThreadIsRefusedUntilThePartitionIsHandedOver() throws InterruptedException {
        Partition partition = partition(spec(1, 64, 2, "add"), 0);
        partition.advance(1);
        assertThat(failsElsewhere(partition)).isTrue();
        partition.handOver();
        assertThat(failsElsewhere(partition)).isFalse();
        assertThat(partition.step()).isEqualTo(2);
    }

    private static boolean failsElsewhere(Partition partition) throws InterruptedException {
        boolean[] failed = new boolean[1];
        Thread thread = new Thread(() -> failed[0] = fails(partition));
        thread.start();
        thread.join(10_000);
        assertThat(thread.isAlive()).isFalse();
        return failed[0];
    }

    private static boolean fails(Partition partition) {
        try {
            partition.advance(1);
            return false;
        } catch (AssertionError e) {
            return true;
        }
    }

    @Test
    void aTinyTableCostsLittle() {
        Partition partition = partition(TableSpec.sparse("t", 1, UpdateSpec.sgd(.1)), 0);
        assertThat(partition.bytes()).isLessThan(2048);
        float[] gradients = new float[1];
        int[] rows = new int[1];
        long[] hash = {1};
        partition.resolve(hash, 0, 1, rows);
        partition.create(hash, 0, 1, rows);
        partition.apply(rows, 0, 1, gradients, 0, step);
        assertThat(partition.bytes()).isLessThan(2048);
        assertThat(Arrays.stream(rows).sum()).isZero();
    }
}
