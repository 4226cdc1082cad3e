package io.github.flinkps.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.RowInitializer;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.update.StepContext;
import io.github.flinkps.server.update.UpdateFunctions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparsePartitionTest {
    private final StepContext step = new StepContext();

    static FloatBuffer direct(int floats) {
        return ByteBuffer.allocateDirect(4 * floats).order(ByteOrder.nativeOrder()).asFloatBuffer();
    }

    /**
     * Unique hashes of the partition, ascending, drawn from a small space so that they repeat
     * between calls.
     */
    private static long[] hashes(
            TableSpec spec, int partition, SplittableRandom random, int count, long space) {
        KeyHash hash = KeyHash.of(spec.keyBits());
        TreeSet<Long> chosen = new TreeSet<>(Long::compareUnsigned);
        for (int i = 0; i < count; i++) {
            long key = random.nextLong(space);
            long h = hash.hash(key);
            if (spec.partitionOfHash(h) == partition) {
                chosen.add(h);
            }
        }
        return chosen.stream().mapToLong(Long::longValue).toArray();
    }

    private static TableSpec spec(int width, int keyBits, int partitions, String update) {
        return TableSpec.sparse("t", width, UpdateSpec.of(update))
                .withKeyBits(keyBits)
                .withPartitions(partitions)
                .withInitializer(InitializerSpec.uniform(-1, 1), 7);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 64, 4, 4000000, 20, 60000",
        "1, 23, 1, 8388608, 6, 80000",
        "3, 64, 2, 300000, 60, 20000",
        "16, 20, 64, 1048576, 40, 20000",
        "64, 64, 1, 20000, 60, 1500",
        "4096, 12, 2, 300, 40, 60"
    })
    void behavesAsAMapOfRows(
            int width, int keyBits, int partitions, long space, int rounds, int batch) {
        long seed = System.nanoTime();
        System.out.println("SparsePartitionTest seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        TableSpec spec = spec(width, keyBits, partitions, "add");
        int number = random.nextInt(partitions);
        Partition partition = Partition.create(spec, number, UpdateFunctions.create(spec.update()));
        RowInitializer initializer = RowInitializer.of(spec);
        KeyHash hash = KeyHash.of(keyBits);
        Map<Long, float[]> model = new HashMap<>();
        Map<Long, Integer> numbers = new HashMap<>();
        float[] fresh = new float[width];
        float[] found = new float[width];
        for (int round = 0; round < rounds; round++) {
            long[] sorted = hashes(spec, number, random, batch, space);
            int count = sorted.length;
            int[] rows = new int[count];
            partition.resolve(sorted, 0, count, rows);
            assertThat(Arrays.copyOf(rows, count))
                    .isEqualTo(
                            LongStream.of(sorted)
                                    .mapToInt(h -> numbers.getOrDefault(h, -1))
                                    .toArray());
            FloatBuffer out = direct(count * width);
            partition.gather(sorted, rows, 0, count, out);
            assertThat(out.position()).isEqualTo(count * width);
            assertThat(partition.rows()).isEqualTo(model.size());
            for (int i = 0; i < count; i++) {
                initializer.fill(hash.key(sorted[i]), fresh, 0, width);
                out.get(i * width, found);
                if (!Arrays.equals(found, model.getOrDefault(sorted[i], fresh))) {
                    throw new AssertionError("row " + i + " in round " + round);
                }
            }
            partition.create(sorted, 0, count, rows);
            FloatBuffer gradients = direct(count * width);
            for (int i = 0; i < count * width; i++) {
                gradients.put(i, random.nextInt(100));
            }
            if (round % 2 == 0) {
                partition.apply(rows, 0, count, gradients, step.set(1, round + 1));
                assertThat(gradients.position()).isEqualTo(count * width);
            } else {
                float[] array = new float[count * width + 3];
                gradients.duplicate().get(array, 3, count * width);
                partition.apply(rows, 0, count, array, 3, step.set(1, round + 1));
            }
            for (int i = 0; i < count; i++) {
                numbers.put(sorted[i], rows[i]);
                float[] row =
                        model.computeIfAbsent(
                                sorted[i], h -> born(initializer, hash.key(h), width));
                for (int c = 0; c < width; c++) {
                    row[c] += gradients.get(i * width + c);
                }
            }
            assertThat(partition.rows()).isEqualTo(model.size());
        }
        assertThat(numbers.values().stream().distinct().count()).isEqualTo(model.size());
    }

    private static float[] born(RowInitializer initializer, long key, int width) {
        float[] row = new float[width];
        initializer.fill(key, row, 0, width);
        return row;
    }

    @Test
    void refusesMoreRowsThanItCanNumberBeforeAnyChange() {
        TableSpec spec = spec(1, 64, 2, "add");
        SparsePartition partition =
                new SparsePartition(spec, 0, UpdateFunctions.create(spec.update()), 10);
        long[] sorted = new long[12];
        for (int i = 0; i < 12; i++) {
            sorted[i] = 1000L * i;
        }
        int[] rows = new int[12];
        partition.resolve(sorted, 0, 12, rows);
        partition.create(sorted, 0, 8, rows);
        assertThatThrownBy(() -> partition.create(sorted, 0, 12, rows))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_FULL))
                .hasMessageContaining("partitions");
        assertThat(partition.rows()).isEqualTo(8);
        assertThat(rows).endsWith(-1, -1, -1, -1);
        partition.create(sorted, 0, 10, rows);
        assertThat(partition.rows()).isEqualTo(10);
    }
}
