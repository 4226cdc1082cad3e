package io.github.flinkps.flink.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ModelMetricsTest {
    @Test
    void marginsAreRankedByPairs() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        MarginMetrics metrics = new MarginMetrics();
        float[] scores = new float[300];
        float[] labels = new float[300];
        float[] weights = new float[300];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = (float) (i % 3 == 0 ? random.nextInt(5) - 2 : 1e4 * random.nextGaussian());
            labels[i] = random.nextInt(2);
            weights[i] = random.nextFloat();
            metrics.add(scores, i, labels[i], weights[i]);
        }
        double pairs = 0;
        double all = 0;
        double hinge = 0;
        double sum = 0;
        for (int i = 0; i < 300; i++) {
            hinge += weights[i] * Math.max(0, 1 - (2 * labels[i] - 1) * (double) scores[i]);
            sum += weights[i];
            for (int j = 0; labels[i] == 1 && j < 300; j++) {
                if (labels[j] == 0) {
                    double weight = (double) weights[i] * weights[j];
                    all += weight;
                    pairs += weight * (1 + Math.signum(scores[i] - scores[j])) / 2;
                }
            }
        }
        assertThat(metrics.rows()).isEqualTo(300);
        assertThat(metrics.results().get("auc"))
                .as("seed %d", seed)
                .isCloseTo(pairs / all, within(1e-9));
        assertThat(metrics.results().get("hinge")).isCloseTo(hinge / sum, within(1e-6 * hinge));
        assertThatThrownBy(() -> metrics.add(new float[] {Float.NaN}, 0, 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> metrics.add(new float[] {1}, 0, 2, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A model that predicts their mean reaches it, and one that predicts another number not. */
    @Test
    void theBestConstantIsTheMeanOfTheLabels() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] labels = random.ints(200, 0, 3).toArray();
        float[] weights = new float[labels.length];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = i % 7 == 0 ? 0 : random.nextFloat();
        }
        List<Supplier<Evaluation>> all =
                List.of(
                        BinaryMetrics::new,
                        () -> new ClassMetrics(3),
                        CountMetrics::new,
                        RegressionMetrics::new);
        for (Supplier<Evaluation> kind : all) {
            boolean binary = kind.get() instanceof BinaryMetrics;
            double[] shares = new double[3];
            double sum = 0;
            for (int i = 0; i < labels.length; i++) {
                shares[binary ? Math.min(1, labels[i]) : labels[i]] += weights[i];
                sum += weights[i];
            }
            float mean = (float) ((shares[1] + 2 * shares[2]) / sum);
            boolean classes = kind.get() instanceof ClassMetrics;
            float[] best =
                    classes
                            ? new float[] {
                                (float) (shares[0] / sum),
                                (float) (shares[1] / sum),
                                (float) (shares[2] / sum)
                            }
                            : new float[] {mean};
            float[] other = classes ? new float[] {.4f, .4f, .2f} : new float[] {mean * .9f};
            Evaluation ofBest = kind.get();
            Evaluation ofOther = kind.get();
            for (int i = 0; i < labels.length; i++) {
                int label = binary ? Math.min(1, labels[i]) : labels[i];
                ofBest.add(best, 0, label, weights[i]);
                ofOther.add(other, 0, label, weights[i]);
            }
            assertThat(ofBest.constants()).as("seed %d", seed).isNotEmpty();
            ofBest.constants()
                    .forEach(
                            (name, value) -> {
                                assertThat(ofBest.results().get(name))
                                        .as("%s, seed %d", name, seed)
                                        .isCloseTo(value, within(1e-6));
                                assertThat(ofOther.results().get(name))
                                        .as("%s of another, seed %d", name, seed)
                                        .isGreaterThan(value);
                            });
        }
    }

    @Test
    void devianceOfCounts() {
        CountMetrics metrics = new CountMetrics();
        metrics.add(new float[] {9, 2}, 1, 2, 1);
        assertThat(metrics.results().get("deviance")).isCloseTo(0, within(1e-12));
        metrics.add(new float[] {3}, 0, 0, 0.5f);
        metrics.add(new float[] {1}, 0, 2, 0.5f);
        double deviance = (0.5 * 2 * 3 + 0.5 * 2 * (2 * Math.log(2) - 2 + 1)) / 2;
        assertThat(metrics.results().get("deviance")).isCloseTo(deviance, within(1e-9));
        assertThat(metrics.results().get("rmse"))
                .isCloseTo(Math.sqrt((0.5 * 9 + 0.5) / 2), within(1e-9));
        assertThatThrownBy(() -> metrics.add(new float[] {-1}, 0, 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void confusionCountsRowsOfEachClassByWeight() {
        ClassMetrics metrics = new ClassMetrics(3);
        float[] scores = {.2f, .5f, .3f};
        metrics.add(scores, 0, 1, 2);
        metrics.add(scores, 0, 2, 1);
        assertThat(metrics.confusion())
                .containsExactly(
                        List.of(0.0, 0.0, 0.0), List.of(0.0, 2.0, 0.0), List.of(0.0, 1.0, 0.0));
        assertThat(metrics.results().get("accuracy")).isCloseTo(2 / 3.0, within(1e-12));
        Confusion many = new Confusion(Confusion.MOST_LABELS + 1);
        many.add(Confusion.MOST_LABELS, Confusion.MOST_LABELS, 1);
        assertThat(many.accuracy()).isEqualTo(1);
        assertThat(many.table()).isEmpty();
    }
}
