package io.github.flinkps.flink.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FactorizationMachinesTest {
    private static final String FFM = "field-aware-factorization-machine";

    private static TrainingModel model(String name, int fields, String... more) {
        Map<String, String> options = new HashMap<>();
        if (name.equals(FFM)) {
            options.put("fields", Integer.toString(fields));
        }
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return TrainingModels.create(name, options);
    }

    @ParameterizedTest
    @CsvSource({
        "factorization-machine, classification",
        "factorization-machine, regression",
        "field-aware-factorization-machine, classification",
        "field-aware-factorization-machine, regression"
    })
    void gradientsMatchFiniteDifferences(String name, String task) {
        TrainingModel model = model(name, 3, "factors", "3", "task", task);
        boolean binary = task.equals("classification");
        assertThat(model.labels()).isEqualTo(binary ? Labels.BINARY : Labels.REAL);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        GradientCheck check = new GradientCheck(model, 0.5);
        GradientCheck.LabelSource labels = r -> binary ? r.nextInt(2) : (float) r.nextGaussian();
        for (int round = 0; round < 20; round++) {
            RowBatch rows =
                    name.equals(FFM)
                            ? GradientCheck.rows(random, round, 3, true, labels)
                            : GradientCheck.rows(random, round, labels);
            check.compare(rows, random.nextInt(4), random);
        }
        check.verify(0, seed);
    }

    /** Rows of any number of entries, none too, several of one field. */
    @Test
    void gradientsOfFieldsThatKeysTellMatchFiniteDifferences() {
        TrainingModel model = model(FFM, 3, "factors", "2", "field-keys", "true");
        long seed = System.nanoTime();
        Random random = new Random(seed);
        GradientCheck check = new GradientCheck(model, 0.5);
        for (int round = 0; round < 20; round++) {
            RowBatch rows = GradientCheck.rows(random, round, r -> r.nextInt(2));
            check.compare(rows, random.nextInt(4), random);
        }
        check.verify(0, seed);
    }

    /** The gradients are those of each row's loss and of half its squared factors. */
    @ParameterizedTest
    @ValueSource(strings = {"factorization-machine", FFM})
    void holdsFactorsBackByRows(String name) {
        RowBatchBuilder builder = new RowBatchBuilder();
        builder.add(0, 2).add(1).endRow(1, 3);
        builder.add(0).add(2).endRow(0, 1);
        RowBatch rows = builder.build();
        float[][] gradients = new float[2][];
        float[] table = null;
        double[] losses = new double[2];
        for (int way = 0; way < 2; way++) {
            TrainingModel model = model(name, 2, "factors", "2", "factor-l2", way == 0 ? "0" : "4");
            assertThat(TrainingModels.create(name, model.options()).options())
                    .isEqualTo(model.options());
            TestingParameters parameters = new TestingParameters(model, rows, 0, 2);
            Random values = new Random(7);
            table = parameters.values(0);
            for (int i = 0; i < table.length; i++) {
                table[i] = (float) values.nextGaussian();
            }
            Gradients sums = parameters.zeroedGradients();
            losses[way] = model.gradients(rows, 0, 2, parameters, sums);
            gradients[way] = sums.values(0);
        }
        assertThat(losses[1]).as("loss, as it is reported").isEqualTo(losses[0]);
        boolean fields = name.equals(FFM);
        int width = fields ? 5 : 3;
        double[] weights = {4, 3, 1}; // of the rows that have features 0, 1 and 2
        for (int feature = 0; feature < 3; feature++) {
            int ownField = feature == 0 ? 0 : 1;
            for (int column = 0; column < width; column++) {
                int at = feature * width + column;
                boolean used = column > 0 && (!fields || (column - 1) / 2 == 1 - ownField);
                double more = used ? 4 * weights[feature] * table[at] : 0;
                assertThat((double) gradients[1][at] - gradients[0][at])
                        .as("column %d of feature %d", column, feature)
                        .isCloseTo(more, within(1e-4));
            }
        }
    }

    @Test
    void keysTellFieldsAsPositionsDo() {
        RowBatchBuilder builder = new RowBatchBuilder();
        Random random = new Random(3);
        for (int row = 0; row < 30; row++) {
            for (int field = 0; field < 3; field++) {
                builder.add(3L * random.nextInt(5) + field, random.nextFloat());
            }
            builder.endRow(random.nextInt(2));
        }
        RowBatch rows = builder.build();
        float[][] scores = new float[2][30];
        for (int way = 0; way < 2; way++) {
            TrainingModel model = model(FFM, 3, "field-keys", way == 0 ? "false" : "true");
            TestingParameters parameters = new TestingParameters(model, rows, 0, 30);
            Random values = new Random(7);
            for (int i = 0; i < parameters.values(0).length; i++) {
                parameters.values(0)[i] = (float) values.nextGaussian();
            }
            model.score(rows, 0, 30, parameters, scores[way], 0);
        }
        assertThat(scores[1]).containsExactly(scores[0]);
        assertThat(scores[0][0]).isNotEqualTo(scores[0][1]);
    }

    /** The label is whether the two features, each one of four, are alike. */
    private static RowBatch alike(Random random, int count) {
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int row = 0; row < count; row++) {
            int left = random.nextInt(4);
            int right = random.nextInt(2) == 0 ? left : random.nextInt(4);
            builder.add(left).add(10 + right).endRow(left == right ? 1 : 0);
        }
        return builder.build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"factorization-machine", FFM})
    void learnsWhatLinearModelsCannot(String name) throws Exception {
        RowBatch rows = alike(new Random(5), 2000);
        TestingTrainer linear =
                new TestingTrainer(TrainingModels.create("logistic-regression", Map.of()), 0.2);
        linear.train(rows, 100, 10);
        assertThat(linear.evaluate(rows).get("logloss")).isGreaterThan(0.6);
        TrainingModel model = InstantiationUtil.clone(model(name, 2, "factors", "4"));
        TestingTrainer trainer = new TestingTrainer(model, 0.2);
        trainer.train(rows, 100, 20);
        Map<String, Double> found = trainer.evaluate(rows);
        assertThat(found.get("logloss")).isLessThan(0.05);
        assertThat(found.get("accuracy")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"factorization-machine", FFM})
    void staysFiniteFarOutAndComesBackFromItsOptions(String name) {
        TrainingModel model = model(name, 2, "factors", "2", "init-std", "0.1", "l2", "0.5");
        RowBatchBuilder builder = new RowBatchBuilder();
        builder.add(1).add(2, -1).endRow(1);
        builder.add(1).add(2).endRow(0);
        RowBatch rows = builder.build();
        TestingParameters parameters = new TestingParameters(model, rows, 0, 2);
        java.util.Arrays.fill(parameters.values(0), 100f);
        Gradients gradients = parameters.zeroedGradients();
        assertThat(model.gradients(rows, 0, 2, parameters, gradients)).isFinite();
        for (float gradient : gradients.values(0)) {
            assertThat(gradient).isFinite();
        }
        TrainingModel again = TrainingModels.create(name, model.options());
        assertThat(again.tables()).isEqualTo(model.tables());
        assertThat(again.options()).isEqualTo(model.options());
        assertThat(model.tables().get(0).initializer()).isEqualTo(InitializerSpec.normal(0, 0.1f));
        assertThat(model.tables().get(0).width()).isEqualTo(name.equals(FFM) ? 5 : 3);
    }

    @Test
    void refusesRowsOfAnotherNumberOfEntries() {
        TrainingModel model = model(FFM, 2);
        RowBatchBuilder builder = new RowBatchBuilder();
        builder.add(1).add(2).endRow(1);
        builder.add(1).endRow(1);
        RowBatch rows = builder.position(3, 40).build();
        assertThatThrownBy(() -> new TestingParameters(model, rows, 0, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("row 42 of block 3 has 1 entry, where each row must have 2 (--fields)");
    }

    @Test
    void refusesOptions() {
        assertThatThrownBy(() -> TrainingModels.create(FFM, Map.of()))
                .hasMessage("fields must be given: the number of entries of each row");
        assertThatThrownBy(() -> model(FFM, 1000, "factors", "5"))
                .hasMessage("fields x factors must be below 4096, not 1000 x 5");
        assertThatThrownBy(() -> model("factorization-machine", 0, "task", "ranking"))
                .hasMessage("task must be one of classification, regression, not 'ranking'");
        assertThatThrownBy(() -> model("factorization-machine", 0, "factors", "0"))
                .hasMessageContaining("factors must be between 1 and 4095, not 0");
        assertThatThrownBy(() -> model("factorization-machine", 0, "init-std", "-1"))
                .hasMessageContaining("init-std must be between");
        assertThatThrownBy(() -> model("factorization-machine", 0, "optimizer", "ftrl"))
                .hasMessageContaining("ftrl");
    }
}
