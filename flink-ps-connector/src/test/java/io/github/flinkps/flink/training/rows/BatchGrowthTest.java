package io.github.flinkps.flink.training.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.testing.TestingRows;
import org.junit.jupiter.api.Test;

class BatchGrowthTest {
    private static final BatchGrowth GROWTH = new BatchGrowth(64, 4096);

    @Test
    void sizesDoubleUpToTheLargest() {
        assertThat(GROWTH.rows(0)).isEqualTo(64);
        assertThat(GROWTH.rows(8191)).isEqualTo(64);
        assertThat(GROWTH.rows(8192)).isEqualTo(128);
        assertThat(GROWTH.rows(16_384)).isEqualTo(256);
        assertThat(GROWTH.rows(262_143)).isEqualTo(2048);
        assertThat(GROWTH.rows(262_144)).isEqualTo(4096);
        assertThat(GROWTH.rows(Long.MAX_VALUE)).isEqualTo(4096);
        assertThat(BatchGrowth.none(10).rows(1_000_000)).isEqualTo(10);
        assertThat(new BatchGrowth(64, 100).rows(1_000_000)).isEqualTo(64);
    }

    /** Scraps that time cuts off, as where rows come slowly, say little of the rows seen. */
    @Test
    void rowsCountAndNotMiniBatches() {
        BatchAssembler assembler = new BatchAssembler(GROWTH, true);
        for (int i = 0; i < 2000; i++) {
            assembler.add(TestingRows.batch(i, 3, 10));
            assembler.flush();
            assertThat(assembler.poll().size()).isEqualTo(3);
        }
        assembler.add(TestingRows.batch(2000, 200, 10));
        assertThat(assembler.poll().size()).isEqualTo(64);
    }
}
