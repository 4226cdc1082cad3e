package io.github.flinkps.flink.training.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchGrowthTest {
    private static final BatchGrowth GROWTH = new BatchGrowth(64, 4096);

    @Test
    void sizesDoubleUpToTheLargest() {
        assertThat(GROWTH.rows(0)).isEqualTo(64);
        assertThat(GROWTH.rows(127)).isEqualTo(64);
        assertThat(GROWTH.rows(128)).isEqualTo(128);
        assertThat(GROWTH.rows(128 + 88)).isEqualTo(256);
        assertThat(GROWTH.rows(128 + 5 * 88)).isEqualTo(4096);
        assertThat(GROWTH.rows(Long.MAX_VALUE)).isEqualTo(4096);
        assertThat(BatchGrowth.none(10).rows(1_000_000)).isEqualTo(10);
    }

    /** So a step changes little of what is known already. */
    @Test
    void noMiniBatchIsMoreThanAFewHundredthsOfTheRowsBeforeIt() {
        long seen = 0;
        for (long number = 0; number < 2000; number++) {
            int rows = GROWTH.rows(number);
            assertThat(number < 128 || rows <= seen / 60).as("mini-batch " + number).isTrue();
            seen += rows;
        }
        assertThat(seen).isGreaterThan(1_000_000);
    }
}
