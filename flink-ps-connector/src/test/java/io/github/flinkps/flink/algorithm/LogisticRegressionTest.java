package io.github.flinkps.flink.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import java.util.Map;
import java.util.Random;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class LogisticRegressionTest {
    private static final LogisticRegression MODEL = LogisticRegression.builder().build();

    private static RowBatch rows(Random random, int count, boolean weights, boolean values) {
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int row = 0; row < count; row++) {
            int entries = random.nextInt(6);
            for (int i = 0; i < entries; i++) {
                builder.add(random.nextInt(10) - 3, values ? (float) random.nextGaussian() : 1f);
            }
            builder.endRow(random.nextInt(2), weights ? 0.1f + random.nextFloat() : 1f);
        }
        return builder.build();
    }

    @Test
    void gradientsMatchFiniteDifferences() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            RowBatch rows = rows(random, 12, round % 2 == 0, round % 4 < 2);
            int from = random.nextInt(4);
            TestingParameters parameters = new TestingParameters(MODEL, rows, from, 12);
            for (int table = 0; table < 2; table++) {
                float[] values = parameters.values(table);
                for (int i = 0; i < values.length; i++) {
                    values[i] = (float) random.nextGaussian();
                }
            }
            Gradients gradients = parameters.zeroedGradients();
            MODEL.gradients(rows, from, 12, parameters, gradients);
            for (int table = 0; table < 2; table++) {
                float[] found = gradients.values(table).clone();
                for (int i = 0; i < found.length; i++) {
                    double expected = difference(rows, from, parameters, table, i);
                    assertThat((double) found[i])
                            .as("table %d value %d seed %d", table, i, seed)
                            .isCloseTo(expected, within(2e-3 * (1 + Math.abs(expected))));
                }
            }
        }
    }

    private static double difference(
            RowBatch rows, int from, TestingParameters parameters, int table, int i) {
        float[] values = parameters.values(table);
        float old = values[i];
        float step = 1f / 1024;
        values[i] = old + step;
        double above = MODEL.gradients(rows, from, 12, parameters, parameters.zeroedGradients());
        double up = values[i];
        values[i] = old - step;
        double below = MODEL.gradients(rows, from, 12, parameters, parameters.zeroedGradients());
        double down = values[i];
        values[i] = old;
        return (above - below) / (up - down);
    }

    @Test
    void computesLossGradientAndScoreOfARow() {
        RowBatchBuilder builder = new RowBatchBuilder();
        builder.add(5, 2f).add(9, -1f).endRow(1f, 0.5f);
        RowBatch rows = builder.build();
        TestingParameters parameters = new TestingParameters(MODEL, rows, 0, 1);
        parameters.values(0)[parameters.rowsOf(0).get(5L)] = 0.25f;
        parameters.values(0)[parameters.rowsOf(0).get(9L)] = 0.75f;
        parameters.values(1)[0] = 1f;
        double p = 1 / (1 + Math.exp(-0.75));
        Gradients gradients = parameters.zeroedGradients();
        double loss = MODEL.gradients(rows, 0, 1, parameters, gradients);
        assertThat(loss).isCloseTo(-0.5 * Math.log(p), within(1e-12));
        float error = (float) ((p - 1) * 0.5);
        assertThat(gradients.values(0)[parameters.rowsOf(0).get(5L)]).isEqualTo(2 * error);
        assertThat(gradients.values(0)[parameters.rowsOf(0).get(9L)]).isEqualTo(-error);
        assertThat(gradients.values(1)[0]).isEqualTo(error);
        float[] scores = new float[3];
        MODEL.score(rows, 0, 1, parameters, scores, 2);
        assertThat(scores).containsExactly(0, 0, (float) p);
    }

    @Test
    void staysFiniteFarOut() {
        for (double z : new double[] {-1e6, -800, -40, 0, 40, 800, 1e6}) {
            assertThat(LogisticRegression.probability(z)).isBetween(0.0, 1.0);
            assertThat(LogisticRegression.loss(z, 1) - LogisticRegression.loss(z, 0)).isEqualTo(-z);
            assertThat(LogisticRegression.loss(z, 1)).isFinite().isNotNegative();
        }
        assertThat(LogisticRegression.loss(-40, 0)).isCloseTo(Math.exp(-40), within(1e-30));
    }

    @Test
    void hasASparseTableAndABiasWithoutRegularisation() {
        UpdateSpec update = UpdateSpec.sgd(0.5).with("l1", 1e-4).with("l2", 1e-3);
        LogisticRegression model = LogisticRegression.builder().optimizer(update).build();
        assertThat(model.tables()).extracting("name").containsExactly("weights", "bias");
        assertThat(model.tables().get(0).isSparse()).isTrue();
        assertThat(model.tables().get(0).update()).isEqualTo(update);
        assertThat(model.tables().get(1).size()).isEqualTo(1);
        assertThat(model.tables().get(1).update()).isEqualTo(UpdateSpec.sgd(0.5));
    }

    @Test
    void refusesFeaturesBeyondADenseTable() {
        LogisticRegression model = LogisticRegression.builder().features(10).build();
        assertThat(model.tables().get(0).size()).isEqualTo(10);
        RowBatchBuilder builder = new RowBatchBuilder();
        builder.add(0).add(9).endRow(1);
        builder.add(10).endRow(1);
        builder.add(-1).endRow(1);
        RowBatch rows = builder.build();
        assertThat(new TestingParameters(model, rows, 0, 1).rows(0)).isEqualTo(2);
        assertThatThrownBy(() -> new TestingParameters(model, rows, 1, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "feature index 10 is beyond the 10 features", "raise --features");
        assertThatThrownBy(() -> new TestingParameters(model, rows, 2, 3))
                .hasMessageContaining("feature index -1");
    }

    @Test
    void comesBackFromItsNameAndOptions() throws Exception {
        UpdateSpec update = UpdateSpec.of("ftrl").with("learning-rate", 0.05).with("l1", 1);
        LogisticRegression model =
                LogisticRegression.builder().optimizer(update).features(77).partitions(3).build();
        TrainingModel again = TrainingModels.create(model.name(), model.options());
        assertThat(again.tables()).isEqualTo(model.tables());
        assertThat(again.options()).isEqualTo(model.options());
        TrainingModel shipped = InstantiationUtil.clone(model);
        assertThat(shipped.tables()).isEqualTo(model.tables());
        TrainingModel plain = TrainingModels.create("logistic-regression", Map.of());
        assertThat(plain.tables()).isEqualTo(MODEL.tables());
    }

    @Test
    void changesSingleOptionsOfTheDefaultOptimizer() {
        Map<String, String> options = Map.of("l2", "0.001");
        TrainingModel model = TrainingModels.create("logistic-regression", options);
        assertThat(model.tables().get(0).update())
                .isEqualTo(LogisticRegression.DEFAULT_UPDATE.with("l2", 0.001));
    }

    @Test
    void namesOptionsAndAlgorithmsItDoesNotUnderstand() {
        assertThatThrownBy(() -> TrainingModels.create("linear", Map.of()))
                .hasMessageContaining("'linear'")
                .hasMessageContaining("logistic-regression");
        assertThatThrownBy(() -> TrainingModels.create("logistic-regression", Map.of("l1", "x")))
                .hasMessage("l1 must be a number, not 'x'");
        assertThatThrownBy(
                        () -> TrainingModels.create("logistic-regression", Map.of("features", "0")))
                .hasMessageContaining("features must be at least 1");
    }
}
