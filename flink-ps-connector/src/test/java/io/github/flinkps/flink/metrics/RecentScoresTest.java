package io.github.flinkps.flink.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RecentScoresTest {
    private static final int KEPT = 100;

    @Test
    void ranksTheLastRowsAndNoOthers() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RecentScores recent = new RecentScores(KEPT);
        int rows = 250;
        float[][] all = new float[rows][];
        for (int i = 0; i < rows; i++) {
            all[i] = new float[] {random.nextInt(20) / 20f, random.nextInt(2), random.nextInt(3)};
            recent.add(all[i][0], all[i][1], all[i][2]);
        }
        BinaryMetrics last = new BinaryMetrics();
        double ones = 0;
        double zeros = 0;
        for (int i = rows - KEPT; i < rows; i++) {
            last.add(all[i][0], all[i][1], all[i][2]);
            ones += all[i][1] == 1 ? all[i][2] : 0;
            zeros += all[i][1] == 0 ? all[i][2] : 0;
        }
        recent.rank();
        assertThat(recent.rows()).isEqualTo(KEPT);
        assertThat(recent.auc()).as("seed %d", seed).isCloseTo(last.auc(), within(1e-12));
        assertThat(recent.pairs()).as("seed %d", seed).isCloseTo(ones * zeros, within(1e-9));
    }

    @Test
    void ranksMarginsBelowZeroToo() {
        RecentScores recent = new RecentScores(KEPT);
        recent.add(-3f, 0, 1);
        recent.add(-0f, 1, 1);
        recent.add(0f, 0, 1);
        recent.add(2f, 1, 1);
        recent.rank();
        assertThat(recent.auc()).isEqualTo(3.5 / 4);
    }

    @Test
    void hasNoAreaWithoutBothLabelsOrBeforeItIsRanked() {
        RecentScores recent = new RecentScores(KEPT);
        recent.rank();
        assertThat(recent.auc()).isNaN();
        recent.add(0.5f, 1, 1);
        recent.add(Float.NaN, 0, 1);
        recent.rank();
        assertThat(recent.auc()).isNaN();
        assertThat(recent.pairs()).isZero();
        assertThat(recent.rows()).isEqualTo(1);
        recent.add(0.25f, 0, 1);
        assertThat(recent.auc()).isNaN();
        recent.rank();
        assertThat(recent.auc()).isEqualTo(1);
    }
}
