package io.github.flinkps.flink.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import java.util.Map;
import java.util.Random;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinearModelsTest {
    private static final Map<String, String> THREE = Map.of("classes", "3");

    private static TrainingModel model(String name) {
        return TrainingModels.create(name, name.equals("softmax") ? THREE : Map.of());
    }

    private static float label(TrainingModel model, Random random) {
        Labels labels = model.labels();
        return switch (labels.kind()) {
            case BINARY -> random.nextInt(2);
            case CLASS -> random.nextInt(labels.classes());
            case COUNT -> random.nextInt(5);
            case REAL, ANY -> (float) random.nextGaussian();
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "linear-regression",
                "linear-svm",
                "logistic-regression",
                "poisson-regression",
                "softmax"
            })
    void gradientsMatchFiniteDifferences(String name) {
        TrainingModel model = model(name);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        GradientCheck check = new GradientCheck(model, 0.5);
        for (int round = 0; round < 20; round++) {
            RowBatch rows = GradientCheck.rows(random, round, r -> label(model, r));
            check.compare(rows, random.nextInt(4), random);
        }
        check.verify(name.equals("linear-svm") ? 0.06 : 0, seed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "linear-regression",
                "linear-svm",
                "logistic-regression",
                "poisson-regression",
                "softmax"
            })
    void staysFiniteFarOutAndComesBackFromItsOptions(String name) throws Exception {
        TrainingModel model = InstantiationUtil.clone(model(name));
        RowBatchBuilder builder = new RowBatchBuilder();
        builder.add(1, 1f).endRow(1);
        builder.add(1, -1f).endRow(1);
        RowBatch rows = builder.build();
        TestingParameters parameters = new TestingParameters(model, rows, 0, 2);
        parameters.values(0)[0] = 1e4f;
        Gradients gradients = parameters.zeroedGradients();
        assertThat(model.gradients(rows, 0, 2, parameters, gradients)).isFinite().isNotNegative();
        for (float gradient : gradients.values(0)) {
            assertThat(gradient).isFinite();
        }
        float[] scores = new float[2 * model.scoresPerRow()];
        model.score(rows, 0, 2, parameters, scores, 0);
        for (float score : scores) {
            assertThat(score).isFinite();
        }
        TrainingModel again = TrainingModels.create(name, model.options());
        assertThat(again.tables()).isEqualTo(model.tables());
        assertThat(again.options()).isEqualTo(model.options());
        assertThat(model.tables().get(1).update().options()).doesNotContainKeys("l1", "l2");
    }

    /** Labels of {@code 1 + 2 x - 3 y}, given to what says how labels follow from it. */
    private static RowBatch plane(Random random, int count, Label label) {
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int row = 0; row < count; row++) {
            float x = (float) random.nextGaussian();
            float y = (float) random.nextGaussian();
            builder.add(0, x).add(1, y).endRow(label.of(1 + 2 * x - 3 * y));
        }
        return builder.build();
    }

    private interface Label {
        float of(float z);
    }

    @Test
    void linearRegressionFindsThePlane() {
        RowBatch rows = plane(new Random(1), 200, z -> z);
        TrainingModel model = model("linear-regression");
        TestingTrainer trainer = new TestingTrainer(model, 0.5);
        trainer.train(rows, 50, 60);
        assertThat(trainer.evaluate(rows).get("rmse")).isLessThan(1e-3);
        assertThat(trainer.evaluate(rows)).containsOnlyKeys("rmse", "mae");
        assertThat(trainer.row(0, 0)[0]).isCloseTo(2, within(1e-3f));
        assertThat(trainer.row(0, 1)[0]).isCloseTo(-3, within(1e-3f));
        assertThat(trainer.row(1, 0)[0]).isCloseTo(1, within(1e-3f));
    }

    @Test
    void linearSvmSeparatesWithAMargin() {
        RowBatch all = plane(new Random(2), 300, z -> z);
        RowBatchBuilder apart = new RowBatchBuilder();
        for (int row = 0; row < all.rows(); row++) {
            if (Math.abs(all.labels()[row]) > 0.5) {
                for (int i = all.rowStart(row); i < all.rowStart(row + 1); i++) {
                    apart.add(all.keys()[i], all.values()[i]);
                }
                apart.endRow(all.labels()[row] > 0 ? 1 : 0);
            }
        }
        RowBatch rows = apart.build();
        TestingTrainer trainer = new TestingTrainer(model("linear-svm"), 0.5);
        double loss = trainer.train(rows, 30, 200);
        Map<String, Double> found = trainer.evaluate(rows);
        assertThat(loss).isLessThan(0.01);
        assertThat(found.get("hinge")).isLessThan(0.01);
        assertThat(found.get("accuracy")).isEqualTo(1);
        assertThat(found.get("auc")).isEqualTo(1);
    }

    @Test
    void poissonRegressionFindsTheRates() {
        Random random = new Random(3);
        RowBatchBuilder builder = new RowBatchBuilder();
        double[] mean = {0.5, 2, 6};
        double[] sums = new double[3];
        for (int row = 0; row < 3000; row++) {
            int group = row % 3;
            int count = 0;
            for (double p = random.nextDouble(); p > Math.exp(-mean[group]); count++) {
                p *= random.nextDouble();
            }
            sums[group] += count;
            builder.add(group).endRow(count);
        }
        RowBatch rows = builder.build();
        TestingTrainer trainer = new TestingTrainer(model("poisson-regression"), 0.2);
        double loss = trainer.train(rows, 3000, 400);
        float[] scores = trainer.scores(rows);
        for (int group = 0; group < 3; group++) {
            assertThat((double) scores[group]).isCloseTo(sums[group] / 1000, within(0.02));
        }
        assertThat(trainer.evaluate(rows).get("deviance")).isCloseTo(2 * loss, within(0.01));
    }

    @Test
    void softmaxFindsTheFrequenciesOfClasses() {
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int row = 0; row < 1000; row++) {
            int key = row % 2;
            int place = row / 2 % 10;
            builder.add(key).endRow(key == 0 ? (place < 7 ? 0 : 1) : place < 2 ? 1 : 2);
        }
        RowBatch rows = builder.build();
        TestingTrainer trainer = new TestingTrainer(model("softmax"), 0.5);
        trainer.train(rows, 100, 300);
        float[] scores = trainer.scores(rows);
        float[] expected = {0.7f, 0.3f, 0, 0, 0.2f, 0.8f};
        for (int i = 0; i < 6; i++) {
            assertThat(scores[i]).isCloseTo(expected[i], within(0.01f));
        }
        assertThat(trainer.evaluate(rows).get("accuracy")).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void softmaxHasARowOfWeightsForEachFeature() {
        TrainingModel model =
                TrainingModels.create(
                        "softmax", Map.of("classes", "5", "features", "9", "l2", "0.1"));
        assertThat(model.tables().get(0).width()).isEqualTo(5);
        assertThat(model.tables().get(0).size()).isEqualTo(9);
        assertThat(model.tables().get(1).width()).isEqualTo(5);
        assertThat(model.tables().get(1).update()).isEqualTo(LogisticRegression.DEFAULT_UPDATE);
        UpdateSpec update = model.tables().get(0).update();
        assertThat(update).isEqualTo(LogisticRegression.DEFAULT_UPDATE.with("l2", 0.1));
        assertThat(model.scoresPerRow()).isEqualTo(5);
    }

    @Test
    void refusesOptions() {
        assertThatThrownBy(() -> TrainingModels.create("softmax", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("classes must be given: the number of classes");
        assertThatThrownBy(() -> TrainingModels.create("softmax", Map.of("classes", "1")))
                .hasMessage("classes must be between 2 and 4096, not 1");
        assertThatThrownBy(() -> TrainingModels.create("softmax", Map.of("classes", "three")))
                .hasMessage("classes must be a whole number, not 'three'");
        assertThatThrownBy(() -> TrainingModels.create("linear-svm", Map.of("features", "-4")))
                .hasMessageContaining("features must be at least 1");
    }
}
