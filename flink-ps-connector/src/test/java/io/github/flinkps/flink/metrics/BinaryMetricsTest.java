package io.github.flinkps.flink.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BinaryMetricsTest {
    @Test
    void matchesWhatIsComputedByHand() {
        BinaryMetrics metrics = new BinaryMetrics();
        metrics.addAll(
                new float[] {0.9f, 0.5f, 0.4f, 0.5f},
                new float[] {9, 1, 0, 1, 1},
                new float[] {9, 1, 2, 1, 4},
                1,
                5);
        double loss = -(Math.log(0.9) + 2 * Math.log(0.5) + Math.log(0.4) + 4 * Math.log(0.5)) / 8;
        assertThat(metrics.logloss()).isCloseTo(loss, within(1e-7));
        assertThat(metrics.accuracy()).isEqualTo(5.0 / 8);
        // pairs won: .9 over .5 (1 * 2), .4 none, .5 ties .5 (4 * 2 / 2); of 6 * 2
        assertThat(metrics.auc()).isEqualTo((2.0 + 4.0) / 12);
        assertThat(metrics.rows()).isEqualTo(4);
        assertThat(metrics.weightSum()).isEqualTo(8);
    }

    @Test
    void calibrationIsByDecileOfTheScore() {
        BinaryMetrics metrics = new BinaryMetrics();
        for (int i = 0; i < 1000; i++) {
            int row = i * 7 % 1000;
            int digit = row % 10;
            metrics.add(row / 1000f, digit < row / 100 ? 1 : 0, row % 2 == 0 ? 2 : 0);
        }
        List<CalibrationBin> bins = metrics.calibration();
        assertThat(bins).hasSize(10).allMatch(bin -> bin.rows() == 100);
        for (int i = 0; i < 10; i++) {
            assertThat(bins.get(i).meanScore()).isCloseTo(i / 10.0 + .049, within(1e-6));
            int evenDigits = (i + 1) / 2;
            assertThat(bins.get(i).meanLabel()).isEqualTo(evenDigits / 5.0);
        }
    }

    @Test
    void rowsOfOneScoreAreInOneDecile() {
        BinaryMetrics metrics = new BinaryMetrics();
        assertThat(metrics.calibration()).isEmpty();
        for (int i = 0; i < 20; i++) {
            float label = i % 2;
            metrics.add(i < 15 ? .25f : .75f, label, i < 18 ? 1 : 0);
        }
        assertThat(metrics.calibration())
                .containsExactly(
                        new CalibrationBin(15, .25, 7 / 15.0), new CalibrationBin(5, .75, 2 / 3.0));
        BinaryMetrics few = new BinaryMetrics();
        few.add(.5f, 1, 1);
        few.add(.1f, 0, 0);
        assertThat(few.calibration()).containsExactly(new CalibrationBin(1, .5, 1));
    }

    @Test
    void areaMatchesAllPairs() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 30; round++) {
            int rows = 2 + random.nextInt(300);
            int scores = round % 3 == 0 ? 5 : 1 << 20;
            float[] s = new float[rows];
            float[] l = new float[rows];
            float[] w = new float[rows];
            BinaryMetrics whole = new BinaryMetrics();
            for (int i = 0; i < rows; i++) {
                s[i] = random.nextInt(scores + 1) / (float) scores;
                l[i] = i < 2 ? i : random.nextInt(2);
                w[i] = round % 2 == 0 ? 1 : random.nextInt(4) + 0.5f;
                whole.add(s[i], l[i], w[i]);
            }
            assertThat(whole.auc()).as("seed %d", seed).isCloseTo(allPairs(s, l, w), within(1e-12));
        }
    }

    private static double allPairs(float[] s, float[] l, float[] w) {
        double won = 0;
        double all = 0;
        for (int i = 0; i < s.length; i++) {
            for (int k = 0; k < s.length; k++) {
                if (l[i] == 1 && l[k] == 0) {
                    double weight = (double) w[i] * w[k];
                    won += weight * (s[i] > s[k] ? 1 : s[i] == s[k] ? 0.5 : 0);
                    all += weight;
                }
            }
        }
        return won / all;
    }

    @Test
    void partsMergeToTheWhole() {
        Random random = new Random(3);
        BinaryMetrics whole = new BinaryMetrics();
        BinaryMetrics[] parts = {new BinaryMetrics(), new BinaryMetrics()};
        for (int i = 0; i < 150_000; i++) {
            float score = random.nextFloat();
            float label = random.nextFloat() < score ? 1 : 0;
            whole.add(score, label, 1f);
            parts[i % 2].add(score, label, 1f);
        }
        parts[0].merge(parts[1]);
        assertThat(parts[0].rows()).isEqualTo(150_000);
        assertThat(parts[1].rows()).isEqualTo(75_000);
        assertThat(parts[0].auc()).isEqualTo(whole.auc());
        assertThat(parts[0].logloss()).isCloseTo(whole.logloss(), within(1e-12));
        assertThat(parts[0].accuracy()).isEqualTo(whole.accuracy());
        assertThat(whole.auc()).isCloseTo(5.0 / 6, within(0.005));
    }

    @Test
    void staysFiniteForSureMistakes() {
        BinaryMetrics metrics = new BinaryMetrics();
        metrics.add(1f, 0f, 1f);
        metrics.add(0f, 1f, 1f);
        assertThat(metrics.logloss()).isBetween(20.0, 30.0);
        assertThat(metrics.auc()).isZero();
        assertThat(metrics.accuracy()).isZero();
    }

    @Test
    void isUndefinedWithoutRowsOfBothKinds() {
        BinaryMetrics metrics = new BinaryMetrics();
        assertThat(metrics.logloss()).isNaN();
        assertThat(metrics.auc()).isNaN();
        metrics.add(0.7f, 1f, 1f);
        assertThat(metrics.auc()).isNaN();
        assertThat(metrics.accuracy()).isEqualTo(1);
    }

    @Test
    void refusesWhatIsNoProbability() {
        BinaryMetrics metrics = new BinaryMetrics();
        assertThatThrownBy(() -> metrics.add(Float.NaN, 1f, 1f))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> metrics.add(1.1f, 1f, 1f))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> metrics.add(0.5f, 2f, 1f))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> metrics.add(0.5f, 1f, -1f))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
