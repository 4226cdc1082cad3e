package io.github.flinkps.flink.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Multi-layer perceptron, wide and deep, DeepFM. */
class NetworksTest {
    private static final String PERCEPTRON = "multi-layer-perceptron";

    private static TrainingModel model(String name, String... more) {
        Map<String, String> options = new HashMap<>();
        if (!name.equals(PERCEPTRON)) {
            options.put("fields", "3");
            options.put("factors", "2");
        }
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return TrainingModels.create(name, options);
    }

    @ParameterizedTest
    @CsvSource({
        "multi-layer-perceptron, classification, 2",
        "multi-layer-perceptron, classification, 3",
        "multi-layer-perceptron, regression, 2",
        "wide-and-deep, classification, 0",
        "wide-and-deep, regression, 0",
        "deep-fm, classification, 0",
        "deep-fm, regression, 0"
    })
    void gradientsMatchFiniteDifferences(String name, String task, int classes) {
        String[] more = {"hidden", "5,4", "task", task, "classes", Integer.toString(classes)};
        TrainingModel model = model(name, classes == 0 ? Arrays.copyOf(more, 4) : more);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        GradientCheck check = new GradientCheck(model, 0.5);
        GradientCheck.LabelSource labels =
                r ->
                        task.equals("regression")
                                ? (float) r.nextGaussian()
                                : r.nextInt(Math.max(2, classes));
        for (int round = 0; round < 20; round++) {
            RowBatch rows =
                    classes == 0
                            ? GradientCheck.rows(random, round, 3, true, labels)
                            : GradientCheck.rows(random, round, labels);
            check.compare(rows, random.nextInt(4), random);
        }
        check.verify(0.15, seed);
    }

    private interface Label {
        float of(float x, float y);
    }

    private static RowBatch points(int seed, Label label) {
        Random random = new Random(seed);
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int row = 0; row < 600; row++) {
            float x = 2 * random.nextFloat() - 1;
            float y = 2 * random.nextFloat() - 1;
            builder.add(0, x).add(1, y).endRow(label.of(x, y));
        }
        return builder.build();
    }

    @Test
    void perceptronTellsQuadrantsApart() throws Exception {
        RowBatch rows = points(21, (x, y) -> x * y > 0 ? 1 : 0);
        TrainingModel model =
                InstantiationUtil.clone(model(PERCEPTRON, "hidden", "16,8", "features", "2"));
        TestingTrainer trainer = new TestingTrainer(model, 0.1);
        trainer.train(rows, 50, 60);
        assertThat(trainer.evaluate(rows).get("accuracy")).isGreaterThan(0.97);
        assertThat(trainer.evaluate(rows).get("auc")).isGreaterThan(0.99);
    }

    @Test
    void perceptronLearnsClassesAndCurves() {
        RowBatch rings =
                points(22, (x, y) -> Math.min(2, (float) Math.floor(2.2 * Math.hypot(x, y))));
        TrainingModel model = model(PERCEPTRON, "hidden", "16", "classes", "3", "features", "2");
        TestingTrainer trainer = new TestingTrainer(model, 0.1);
        trainer.train(rings, 50, 80);
        assertThat(trainer.evaluate(rings).get("accuracy")).isGreaterThan(0.95);
        RowBatch curve = points(23, (x, y) -> Math.abs(x) - y);
        TrainingModel other =
                model(PERCEPTRON, "hidden", "16", "task", "regression", "features", "2");
        TestingTrainer regression = new TestingTrainer(other, 0.05);
        regression.train(curve, 50, 80);
        assertThat(regression.evaluate(curve).get("rmse")).isLessThan(0.05);
    }

    /** Takes the same steps, whatever labels are measured in. */
    @Test
    void perceptronLearnsNumbersInTheirUnit() {
        RowBatch curve = points(23, (x, y) -> 5000 + 1000 * (Math.abs(x) - y));
        TrainingModel model =
                model(
                        PERCEPTRON,
                        "hidden",
                        "16",
                        "task",
                        "regression",
                        "features",
                        "2",
                        "label-mean",
                        "5000",
                        "label-unit",
                        "1000");
        TestingTrainer trainer = new TestingTrainer(model, 0.05);
        double loss = trainer.train(curve, 50, 80);
        double rmse = trainer.evaluate(curve).get("rmse");
        assertThat(rmse).isLessThan(50);
        assertThat(Math.sqrt(2 * loss)).as("in the unit of the labels").isBetween(rmse / 2, 100.);
    }

    @ParameterizedTest
    @ValueSource(strings = {"wide-and-deep", "deep-fm"})
    void embeddingsLearnWhatLinearModelsCannot(String name) throws Exception {
        Random random = new Random(24);
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int row = 0; row < 2000; row++) {
            int left = random.nextInt(4);
            int right = random.nextInt(2) == 0 ? left : random.nextInt(4);
            builder.add(left).add(10 + right).add(20 + random.nextInt(4));
            builder.endRow(left == right ? 1 : 0);
        }
        RowBatch rows = builder.build();
        TrainingModel model =
                InstantiationUtil.clone(model(name, "factors", "4", "hidden", "16,8"));
        TestingTrainer trainer = new TestingTrainer(model, 0.1);
        trainer.train(rows, 100, 40);
        Map<String, Double> found = trainer.evaluate(rows);
        assertThat(found.get("logloss")).isLessThan(0.05);
        assertThat(found.get("accuracy")).isGreaterThan(0.99);
    }

    @Test
    void tablesHaveTheShapesOfTheLayers() {
        TrainingModel model =
                model(
                        PERCEPTRON,
                        "hidden",
                        "64, 32",
                        "classes",
                        "10",
                        "features",
                        "784",
                        "l2",
                        "0.1");
        assertThat(model.tables())
                .extracting(TableSpec::name)
                .containsExactly("layer-1", "bias-1", "layer-2", "bias-2", "layer-3", "bias-3");
        assertThat(model.tables())
                .extracting(TableSpec::width)
                .containsExactly(64, 64, 32, 32, 10, 10);
        assertThat(model.tables())
                .extracting(TableSpec::size)
                .containsExactly(784L, 1L, 64L, 1L, 32L, 1L);
        assertThat(model.tables().get(2).initializer())
                .isEqualTo(InitializerSpec.normal(0, (float) Math.sqrt(2.0 / 64)));
        assertThat(model.tables().get(3).update().options()).doesNotContainKey("l2");
        TrainingModel deep = model("deep-fm", "hidden", "7");
        assertThat(deep.tables())
                .extracting(TableSpec::name)
                .containsExactly("features", "layer-1", "bias-1", "layer-2", "bias-2");
        assertThat(deep.tables()).extracting(TableSpec::width).containsExactly(3, 7, 7, 1, 1);
        assertThat(deep.tables().get(1).size()).isEqualTo(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {PERCEPTRON, "wide-and-deep", "deep-fm"})
    void staysFiniteFarOutAndComesBackFromItsOptions(String name) {
        TrainingModel model = model(name, "hidden", "3");
        RowBatch rows = GradientCheck.rows(new Random(1), 0, 3, true, r -> r.nextInt(2));
        TestingParameters parameters = new TestingParameters(model, rows, 0, 12);
        for (int table = 0; table < model.tables().size(); table++) {
            Arrays.fill(parameters.values(table), 30);
        }
        Gradients gradients = parameters.zeroedGradients();
        assertThat(model.gradients(rows, 0, 12, parameters, gradients)).isFinite();
        float[] scores = new float[12];
        model.score(rows, 0, 12, parameters, scores, 0);
        for (float score : scores) {
            assertThat(score).isBetween(0f, 1f);
        }
        TrainingModel again = TrainingModels.create(name, model.options());
        assertThat(again.tables()).isEqualTo(model.tables());
        assertThat(again.options()).isEqualTo(model.options());
    }

    @Test
    void refusesOptions() {
        String list = " must be 1 to 16 whole numbers between 1 and 4096 separated by commas";
        for (String hidden : new String[] {"", "0", "64;32", "8,", "5000", "1,".repeat(16) + "1"}) {
            assertThatThrownBy(() -> model(PERCEPTRON, "hidden", hidden))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("hidden" + list + ", not '" + hidden + "'");
        }
        assertThatThrownBy(() -> model(PERCEPTRON, "task", "regression", "classes", "3"))
                .hasMessage("classes does not go with task regression");
        assertThatThrownBy(() -> model(PERCEPTRON, "label-mean", "2"))
                .hasMessage("label-mean goes with task regression only");
        assertThatThrownBy(() -> model(PERCEPTRON, "label-unit", "2"))
                .hasMessage("label-unit goes with task regression only");
        assertThatThrownBy(() -> model(PERCEPTRON, "task", "regression", "label-unit", "0"))
                .hasMessageStartingWith("label-unit must be ");
        assertThatThrownBy(() -> TrainingModels.create("deep-fm", Map.of()))
                .hasMessage("fields must be given: the number of entries of each row");
        assertThatThrownBy(() -> model("wide-and-deep", "optimizer", "ftrl"))
                .hasMessageContaining("ftrl");
        RowBatch rows = GradientCheck.rows(new Random(1), 0, 2, true, r -> 1);
        assertThatThrownBy(() -> new TestingParameters(model("deep-fm"), rows, 5, 9))
                .hasMessage("row 6 has 2 entries, where each row must have 3 (--fields)");
    }
}
