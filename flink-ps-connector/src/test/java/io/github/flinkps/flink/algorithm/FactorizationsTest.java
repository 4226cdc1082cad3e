package io.github.flinkps.flink.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import java.util.Map;
import java.util.Random;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

/** Matrix factorizations and skip-gram. */
class FactorizationsTest {
    private static final String EXPLICIT = "matrix-factorization";
    private static final String IMPLICIT = "implicit-matrix-factorization";
    private static final String WORDS = "skip-gram";

    private static final Map<String, Map<String, String>> OPTIONS =
            Map.of(
                    EXPLICIT, Map.of("factors", "3", "mean", "2", "key-bits", "20"),
                    IMPLICIT, Map.of("factors", "3", "candidates", "5", "negatives", "3"),
                    WORDS, Map.of("factors", "3", "window", "2", "negatives", "3"));

    @Test
    void gradientsMatchFiniteDifferences() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        OPTIONS.forEach(
                (name, options) -> {
                    GradientCheck check =
                            new GradientCheck(TrainingModels.create(name, options), 0.5);
                    int entries = name.equals(WORDS) ? 6 : 2;
                    for (int round = 0; round < 20; round++) {
                        RowBatch rows =
                                GradientCheck.rows(
                                        random, round, entries, false, r -> r.nextInt(5));
                        check.compare(rows, random.nextInt(4), random);
                    }
                    check.verify(0, seed);
                });
    }

    @Test
    void staysFiniteFarOutAndComesBackFromItsOptions() throws Exception {
        for (Map.Entry<String, Map<String, String>> entry : OPTIONS.entrySet()) {
            TrainingModel made = TrainingModels.create(entry.getKey(), entry.getValue());
            TrainingModel model = InstantiationUtil.clone(made);
            RowBatch rows = GradientCheck.rows(new Random(1), 1, 2, false, r -> 1);
            TestingParameters parameters = new TestingParameters(model, rows, 0, 12);
            for (int table = 0; table < 2; table++) {
                java.util.Arrays.fill(parameters.values(table), table == 0 ? 100 : -33);
            }
            Gradients gradients = parameters.zeroedGradients();
            assertThat(model.gradients(rows, 0, 12, parameters, gradients)).isFinite();
            float[] scores = new float[12 * model.scoresPerRow()];
            model.score(rows, 0, 12, parameters, scores, 0);
            for (float number : scores) {
                assertThat(number).isFinite();
            }
            TrainingModel again = TrainingModels.create(model.name(), model.options());
            assertThat(again.tables()).isEqualTo(model.tables());
            assertThat(again.options()).isEqualTo(model.options());
        }
    }

    @Test
    void explicitFactorizationFindsRatingsItHasNotSeen() {
        Random random = new Random(11);
        double[][] users = new double[40][3];
        double[][] items = new double[30][3];
        for (double[][] side : new double[][][] {users, items}) {
            for (double[] row : side) {
                row[0] = random.nextGaussian() / 2;
                row[1] = random.nextGaussian();
                row[2] = random.nextGaussian();
            }
        }
        RowBatchBuilder seen = new RowBatchBuilder();
        RowBatchBuilder unseen = new RowBatchBuilder();
        for (int draw = 0; draw < 2400; draw++) {
            int u = random.nextInt(40);
            int i = random.nextInt(30);
            double rating = 3 + users[u][0] + items[i][0];
            rating += users[u][1] * items[i][1] + users[u][2] * items[i][2];
            boolean hidden = (u * 31 + i) % 7 == 0;
            (hidden ? unseen : seen).add(u).add(i).endRow((float) rating);
        }
        TrainingModel model =
                TrainingModels.create(
                        EXPLICIT, Map.of("factors", "2", "mean", "3", "init-std", "0.3"));
        assertThat(model.tables().get(2).initializer().a()).isEqualTo(3);
        TestingTrainer trainer = new TestingTrainer(model, 0.1);
        RowBatch test = unseen.build();
        double before = trainer.evaluate(test).get("rmse");
        trainer.train(seen.build(), 100, 150);
        assertThat(before).isGreaterThan(1);
        assertThat(trainer.evaluate(test).get("rmse")).isLessThan(0.05);
    }

    @Test
    void implicitFactorizationRanksWhatUsersLikeAboveTheRest() {
        Random random = new Random(12);
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int row = 0; row < 3000; row++) {
            int user = random.nextInt(50);
            builder.add(user).add(1000 + user % 4 * 20 + random.nextInt(20)).endRow(1);
        }
        RowBatch rows = builder.build();
        TrainingModel model =
                TrainingModels.create(
                        IMPLICIT, Map.of("items", "80", "first-item", "1000", "candidates", "40"));
        TestingTrainer trainer = new TestingTrainer(model, 0.1);
        assertThat(trainer.evaluate(rows).get("auc")).isCloseTo(0.5, within(0.1));
        trainer.train(rows, 200, 20);
        Map<String, Double> found = trainer.evaluate(rows);
        // Of the candidates about a quarter are as good: 1 - 1/8 is the best there is.
        assertThat(found.get("auc")).isGreaterThan(0.84);
        assertThat(found).containsOnlyKeys("auc", "hit@10", "precision@10", "ndcg@10");
        assertThat(found.get("hit@10")).isGreaterThan(0.8);
    }

    @Test
    void drawsCandidatesFromTheMiniBatchAndNeverTheRowsOwnItem() {
        TrainingModel model =
                TrainingModels.create(IMPLICIT, Map.of("candidates", "7", "factors", "2"));
        RowBatchBuilder builder = new RowBatchBuilder();
        builder.add(1).add(10).endRow(1);
        builder.add(2).add(11).endRow(1);
        RowBatch rows = builder.build();
        assertThat(model.samples()).isTrue();
        for (int seed = 0; seed < 20; seed++) {
            TestingParameters parameters = new TestingParameters(model, rows, 0, 2, seed);
            assertThat(parameters.rowsOf(1)).containsOnlyKeys(10L, 11L);
            if (parameters.positions(1).length != 9) {
                throw new AssertionError("candidates are missing");
            }
            int ten = parameters.rowsOf(1).get(10L);
            parameters.values(1)[ten * 3] = 5;
            float[] scores = new float[16];
            model.score(rows, 0, 2, parameters, scores, 0);
            assertThat(scores[0]).isEqualTo(5);
            assertThat(scores[8]).isZero();
            boolean bothDrawn = false;
            for (int i = 2; i < 9; i++) {
                bothDrawn |= parameters.positions(1)[i] != parameters.positions(1)[2];
            }
            for (int i = 1; bothDrawn && i < 8; i++) {
                assertThat(scores[i]).isZero();
                assertThat(scores[8 + i]).isEqualTo(5);
            }
        }
    }

    @Test
    void skipGramPutsWordsOfATopicTogether() {
        Random random = new Random(13);
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int sentence = 0; sentence < 400; sentence++) {
            int topic = random.nextInt(4);
            for (int word = 0; word < 12; word++) {
                builder.add(topic * 10 + random.nextInt(10));
            }
            builder.endRow(0);
        }
        RowBatch rows = builder.build();
        TrainingModel model = TrainingModels.create(WORDS, Map.of("factors", "8"));
        TestingTrainer trainer = new TestingTrainer(model, 0.1);
        trainer.train(rows, 100, 20);
        double within = 0;
        double across = 0;
        for (int a = 0; a < 40; a++) {
            for (int b = 0; b < a; b++) {
                double cosine = cosine(trainer.row(0, a), trainer.row(0, b));
                within += a / 10 == b / 10 ? cosine / 180 : 0;
                across += a / 10 == b / 10 ? 0 : cosine / 600;
            }
        }
        assertThat(within).isGreaterThan(0.8);
        assertThat(across).isLessThan(0.45);
        Map<String, Double> found = trainer.evaluate(rows);
        assertThat(found).containsOnlyKeys("pair-loss", "pair-accuracy");
        assertThat(found.get("pair-accuracy")).isGreaterThan(0.8);
    }

    static double cosine(float[] a, float[] b) {
        double dot = 0;
        double as = 0;
        double bs = 0;
        for (int i = 0; i < a.length; i++) {
            dot += a[i] * b[i];
            as += a[i] * a[i];
            bs += b[i] * b[i];
        }
        return dot / Math.sqrt(as * bs);
    }

    @Test
    void refusesRowsThatAreNoPairs() {
        RowBatchBuilder builder = new RowBatchBuilder();
        builder.add(1).endRow(1);
        builder.add(1).add(2, 0.5f).endRow(1);
        builder.add(1).add(7).endRow(1);
        RowBatch rows = builder.build();
        TrainingModel model = TrainingModels.create(EXPLICIT, Map.of());
        assertThatThrownBy(() -> new TestingParameters(model, rows, 0, 1))
                .hasMessage("row 1 has 1 entry, where each row must have 2");
        assertThatThrownBy(() -> new TestingParameters(model, rows, 1, 2))
                .hasMessage("row 2 has value 0.5 for index 2, where values must be 1");
        TrainingModel implicit =
                TrainingModels.create(IMPLICIT, Map.of("items", "5", "first-item", "1"));
        assertThatThrownBy(() -> new TestingParameters(implicit, rows, 2, 3))
                .hasMessage("item 7 is not one of the 5 items from 1 on");
        TrainingModel words = TrainingModels.create(WORDS, Map.of());
        assertThatThrownBy(() -> new TestingParameters(words, rows, 1, 2))
                .hasMessageContaining("value 0.5");
    }

    @Test
    void refusesOptions() {
        assertThatThrownBy(() -> TrainingModels.create(WORDS, Map.of("window", "0")))
                .hasMessage("window must be between 1 and 1000, not 0");
        assertThatThrownBy(() -> TrainingModels.create(IMPLICIT, Map.of("negatives", "0")))
                .hasMessage("negatives must be between 1 and 10000, not 0");
        assertThatThrownBy(() -> TrainingModels.create(IMPLICIT, Map.of("items", "1")))
                .hasMessageContaining("items must be at least 2");
        assertThatThrownBy(() -> TrainingModels.create(EXPLICIT, Map.of("mean", "x")))
                .hasMessage("mean must be a number, not 'x'");
        assertThatThrownBy(() -> TrainingModels.create(EXPLICIT, Map.of("optimizer", "ftrl")))
                .hasMessageContaining("ftrl");
    }
}
