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
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparsePartitionTest {
    private final StepContext step = new StepContext();

    static FloatBuffer direct(int floats) {
        return ByteBuffer.allocateDirect(4 * floats).order(ByteOrder.nativeOrder()).asFloatBuffer();
    }

    static Partition partition(TableSpec spec, int number) {
        return Partition.create(spec, number, UpdateFunctions.create(spec.update()));
    }

    /**
     * Unique hashes of the partition, ascending, of keys drawn from a space so that they repeat
     * between calls.
     */
    static long[] hashes(
            TableSpec spec, int partition, SplittableRandom random, int count, long space) {
        KeyHash hash = KeyHash.of(spec.keyBits());
        return sorted(
                random.longs(count, 0, space)
                        .map(hash::hash)
                        .filter(h -> spec.partitionOfHash(h) == partition));
    }

    private static long[] sorted(LongStream hashes) {
        return hashes.map(h -> h ^ Long.MIN_VALUE)
                .sorted()
                .distinct()
                .map(h -> h ^ Long.MIN_VALUE)
                .toArray();
    }

    static TableSpec spec(int width, int keyBits, int partitions, String update) {
        return TableSpec.sparse("t", width, UpdateSpec.of(update))
                .withKeyBits(keyBits)
                .withPartitions(partitions)
                .withInitializer(InitializerSpec.uniform(-1, 1), 7);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 64, 4, 1000000, 6, 200000",
        "1, 23, 1, 8388608, 3, 100000",
        "3, 64, 2, 300000, 30, 20000",
        "16, 20, 64, 1048576, 30, 20000",
        "64, 64, 1, 20000, 40, 1500",
        "4096, 12, 2, 300, 30, 60",
        "1, 6, 64, 64, 6, 40",
        "2, 16, 65536, 65536, 6, 100000"
    })
    void behavesAsAMapOfRows(
            int width, int keyBits, int partitions, long space, int rounds, int batch) {
        long seed = System.nanoTime();
        System.out.println("SparsePartitionTest seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        TableSpec spec = spec(width, keyBits, partitions, "add");
        int number = random.nextInt(partitions);
        Partition partition = partition(spec, number);
        Model model = new Model(spec);
        for (int round = 0; round < rounds; round++) {
            long[] sorted = hashes(spec, number, random, batch, space);
            int count = sorted.length;
            int[] rows = new int[count];
            partition.resolve(sorted, 0, count, rows);
            FloatBuffer out = direct(count * width);
            partition.gather(sorted, rows, 0, count, out);
            assertThat(out.position()).isEqualTo(count * width);
            assertThat(partition.rows()).isEqualTo(model.rows.size());
            model.check(sorted, rows, out);
            partition.create(sorted, 0, count, rows);
            float[] gradients = new float[count * width + 3];
            for (int i = 3; i < gradients.length; i++) {
                gradients[i] = random.nextInt(100);
            }
            if (round % 2 == 0) {
                out.clear();
                out.put(gradients, 3, count * width).flip();
                partition.apply(rows, 0, count, out, step.set(1, round + 1));
                assertThat(out.remaining()).isZero();
            } else {
                partition.apply(rows, 0, count, gradients, 3, step.set(1, round + 1));
            }
            model.add(sorted, rows, gradients, 3);
            assertThat(partition.rows()).isEqualTo(model.rows.size());
        }
        assertThat(model.numbers.values().stream().distinct().count()).isEqualTo(model.rows.size());
    }

    /** The rows that a partition should hold. */
    private static final class Model {
        private final Map<Long, float[]> rows = new HashMap<>();
        private final Map<Long, Integer> numbers = new HashMap<>();
        private final RowInitializer initializer;
        private final KeyHash hash;
        private final int width;

        Model(TableSpec spec) {
            initializer = RowInitializer.of(spec);
            hash = KeyHash.of(spec.keyBits());
            width = spec.width();
        }

        private float[] fresh(long h) {
            float[] row = new float[width];
            initializer.fill(hash.key(h), row, 0, width);
            return row;
        }

        void check(long[] sorted, int[] found, FloatBuffer out) {
            float[] got = new float[width];
            for (int i = 0; i < sorted.length; i++) {
                float[] row = rows.get(sorted[i]);
                out.get(i * width, got);
                if (found[i] != numbers.getOrDefault(sorted[i], -1)
                        || !Arrays.equals(got, row == null ? fresh(sorted[i]) : row)) {
                    throw new AssertionError("row " + i + ": " + found[i] + " " + got[0]);
                }
            }
        }

        void add(long[] sorted, int[] found, float[] gradients, int offset) {
            for (int i = 0; i < sorted.length; i++) {
                float[] row = rows.computeIfAbsent(sorted[i], this::fresh);
                numbers.put(sorted[i], found[i]);
                for (int c = 0; c < width; c++) {
                    row[c] += gradients[offset + i * width + c];
                }
            }
        }
    }

    @Test
    void growsPastAMillionRows() {
        Partition partition = partition(spec(1, 21, 1, "assign"), 0);
        KeyHash hash = KeyHash.of(21);
        int total = 1_200_000;
        int[] rows = new int[1 << 16];
        float[] values = new float[1 << 16];
        for (int from = 0; from < total; ) {
            int to = Math.min(total, from + 1 + from % 50_000);
            long[] sorted = sorted(LongStream.range(from, to).map(hash::hash));
            partition.resolve(sorted, 0, sorted.length, rows);
            partition.create(sorted, 0, sorted.length, rows);
            for (int i = 0; i < sorted.length; i++) {
                values[i] = hash.key(sorted[i]);
            }
            partition.apply(rows, 0, sorted.length, values, 0, step.set(1, 1));
            from = to;
        }
        assertThat(partition.rows()).isEqualTo(total);
        // value, hash and slot: at most 22 bytes a key of width 1
        assertThat(partition.bytes()).isLessThan(22L * total);
        long[] everyKey = LongStream.range(0, 1 << 21).map(hash::hash).toArray();
        int[] found = new int[everyKey.length];
        partition.resolve(everyKey, 0, everyKey.length, found);
        FloatBuffer out = direct(total);
        partition.gather(everyKey, found, 0, total, out);
        for (int key = 0; key < everyKey.length; key++) {
            if ((found[key] >= 0) != (key < total) || (key < total && out.get(key) != key)) {
                throw new AssertionError("key " + key + " has row " + found[key]);
            }
        }
    }

    /** Hashes that agree in all bits the index places them by: slow, but right. */
    @Test
    void hashesThatCollideAreToldApart() {
        Partition partition = partition(spec(1, 64, 1, "add"), 0);
        long[] sorted = new long[20_000];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = (i < 10_000 ? 0x1234L << 48 : -1L << 48) + i;
        }
        int[] rows = new int[sorted.length];
        partition.resolve(sorted, 0, sorted.length, rows);
        partition.create(sorted, 0, sorted.length, rows);
        int[] again = new int[sorted.length];
        partition.resolve(sorted, 0, sorted.length, again);
        assertThat(again).isEqualTo(rows);
        assertThat(Arrays.stream(again).distinct().count()).isEqualTo(sorted.length);
        partition.resolve(new long[] {(0x1234L << 48) + 10_000}, 0, 1, again);
        assertThat(again[0]).isEqualTo(-1);
    }

    @Test
    void refusesMoreRowsThanItCanNumberBeforeAnyChange() {
        TableSpec spec = spec(1, 64, 2, "add");
        Partition partition =
                new SparsePartition(spec, 0, UpdateFunctions.create(spec.update()), 10);
        long[] sorted = LongStream.range(0, 12).map(i -> i * 1000).toArray();
        int[] rows = new int[12];
        partition.resolve(sorted, 0, 12, rows);
        partition.create(sorted, 0, 8, rows);
        assertThatThrownBy(() -> partition.create(sorted, 0, 12, rows))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_FULL))
                .hasMessageContaining("more partitions than 2");
        assertThat(partition.rows()).isEqualTo(8);
        assertThat(rows).endsWith(-1, -1, -1, -1);
        partition.create(sorted, 0, 10, rows);
        assertThat(partition.rows()).isEqualTo(10);
    }

    @Test
    void hashesOfOtherPartitionsOrOutOfOrderAreRefusedAtBirth() {
        Partition partition = partition(spec(1, 20, 2, "add"), 0);
        long[][] wrong = {{-1L << 44}, {1}, {3L << 44, 2L << 44}, {2L << 44, 2L << 44}};
        for (long[] hashes : wrong) {
            int[] rows = new int[hashes.length];
            Arrays.fill(rows, -1);
            assertThatThrownBy(() -> partition.create(hashes, 0, hashes.length, rows))
                    .isInstanceOf(PsException.class)
                    .hasMessageContaining("'t'");
        }
        assertThat(partition.rows()).isZero();
    }
}
