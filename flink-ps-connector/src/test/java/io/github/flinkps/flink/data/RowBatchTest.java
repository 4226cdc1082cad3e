package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowBatchTest {
    /** A batch with or without weights, values and validation rows. */
    static RowBatch random(Random random, int rows) {
        RowBatchBuilder builder = new RowBatchBuilder();
        boolean values = random.nextBoolean();
        boolean weights = random.nextBoolean();
        boolean drawn = random.nextBoolean();
        for (int row = 0; row < rows; row++) {
            int entries = random.nextInt(5);
            for (int i = 0; i < entries; i++) {
                builder.add(random.nextLong(), values ? random.nextFloat() : 1f);
            }
            builder.endRow(random.nextInt(2), weights ? random.nextFloat() : 1f);
            if (drawn) {
                builder.drawn(row, random.nextInt(4) == 0);
            }
        }
        builder.position(random.nextInt(100), random.nextInt(100));
        return builder.build();
    }

    @Test
    void slicesAndAppendsAreTheSameRows() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int round = 0; round < 200; round++) {
            List<String> expected = new ArrayList<>();
            RowBatchBuilder whole = new RowBatchBuilder();
            int parts = 1 + random.nextInt(4);
            for (int part = 0; part < parts; part++) {
                RowBatch batch = random(random, random.nextInt(100));
                int from = random.nextInt(batch.rows() + 1);
                int to = from + random.nextInt(batch.rows() - from + 1);
                RowBatch slice = batch.slice(from, to);
                assertThat(Rows.of(slice))
                        .as("seed %d", seed)
                        .isEqualTo(Rows.of(batch).subList(from, to));
                assertThat(slice.firstRow()).isEqualTo(batch.firstRow() + from);
                whole.append(batch, from, to);
                builder.append(slice, 0, slice.rows());
                expected.addAll(Rows.of(slice));
            }
            RowBatch joined = builder.build();
            assertThat(joined).as("seed %d", seed).isEqualTo(whole.build());
            assertThat(plain(joined)).as("seed %d", seed).isEqualTo(plain(expected));
        }
    }

    /** Rows with the weights 1 left out, which a batch shows only if another row has another. */
    private static List<String> plain(RowBatch batch) {
        return plain(Rows.of(batch));
    }

    private static List<String> plain(List<String> rows) {
        return rows.stream().map(row -> row.replaceFirst("\\*1\\.0(?= |$)", "")).toList();
    }

    @Test
    void keepsThePositionOfRows() {
        RowBatchBuilder builder = new RowBatchBuilder().position(7, 30);
        for (int i = 0; i < 10; i++) {
            builder.add(i).endRow(1);
        }
        builder.addSkipped(2);
        RowBatch batch = builder.build();
        assertThat(batch.slice(4, 6).block()).isEqualTo(7);
        assertThat(batch.slice(4, 6).firstRow()).isEqualTo(34);
        assertThat(batch.skippedRows()).isEqualTo(2);
        assertThat(batch.slice(0, 10).skippedRows()).isZero();
        assertThat(builder.build()).isEqualTo(new RowBatchBuilder().build());
    }

    @Test
    void sumsWeights() {
        RowBatch ones = RowBatch.of(new float[3], null, new int[4], new long[0], null);
        assertThat(ones.weightSum(1, 3)).isEqualTo(2);
        float[] weights = {0.5f, 2f, 0.25f};
        RowBatch weighted = RowBatch.of(new float[3], weights, new int[4], new long[0], null);
        assertThat(weighted.weightSum(1, 3)).isEqualTo(2.25);
    }

    @Test
    void refusesColumnsThatDoNotFit() {
        long[] keys = {1, 2};
        assertRefused(new float[1], null, new int[] {0, 1}, keys, null);
        assertRefused(new float[1], null, new int[] {1, 2}, keys, null);
        assertRefused(new float[2], null, new int[] {0, 2}, keys, null);
        assertRefused(new float[2], null, new int[] {0, 3, 2}, keys, null);
        assertRefused(new float[1], new float[2], new int[] {0, 2}, keys, null);
        assertRefused(new float[1], null, new int[] {0, 2}, keys, new float[1]);
    }

    private static void assertRefused(float[] l, float[] w, int[] s, long[] k, float[] v) {
        assertThatThrownBy(() -> RowBatch.of(l, w, s, k, v))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("do not fit");
    }

    @Test
    void abandonsUnfinishedRows() {
        RowBatchBuilder builder = new RowBatchBuilder();
        builder.add(1, 2f).endRow(1);
        builder.add(3);
        assertThat(builder.openEntries()).isEqualTo(1);
        assertThatThrownBy(builder::build).isInstanceOf(IllegalStateException.class);
        builder.abandonRow();
        builder.add(4).endRow(0);
        assertThat(Rows.of(builder.build())).containsExactly("1.0 1:2.0", "0.0 4:1.0");
    }
}
