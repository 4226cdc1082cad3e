package io.github.flinkps.flink.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.FactorizationMachine;
import io.github.flinkps.flink.algorithm.LinearRegression;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.algorithm.MatrixFactorization;
import io.github.flinkps.flink.algorithm.MultiLayerPerceptron;
import io.github.flinkps.flink.algorithm.PoissonRegression;
import io.github.flinkps.flink.algorithm.RowShape;
import io.github.flinkps.flink.algorithm.SkipGram;
import io.github.flinkps.flink.algorithm.Softmax;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.algorithm.TuningRule;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowSample;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LearningDefaultsTest {
    private static final int SEED = 7;

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1000",
        "30, 2, 1000",
        "142, 8, 845",
        "1000, 52, 120",
        "10000, 500, 30",
        "100000, 1024, 9",
        "1000000, 7812, 3",
        "9000000, 8192, 2"
    })
    void goesThroughFewRowsOftenAndInSmallSteps(long rows, int batchSize, int epochs) {
        assertThat(StepPlan.of(rows)).isEqualTo(new StepPlan(batchSize, epochs));
    }

    @Test
    void sharesTheRowsOfAStepAmongWorkers() {
        assertThat(steps(0, 0, 1).by(StepPlan.of(1000))).isEqualTo(steps(52, 120, 1));
        assertThat(steps(0, 0, 4).by(StepPlan.of(1000))).isEqualTo(steps(13, 120, 4));
        assertThat(steps(0, 0, 4).by(StepPlan.of(10))).isEqualTo(steps(1, 1000, 4));
        assertThat(steps(64, 3, 2).by(StepPlan.of(1000))).isEqualTo(steps(64, 3, 2));
    }

    @Test
    void stepsAsFarWhereWorkersStepOnTheirOwn() {
        RowSample rows = rows(200, 3, r -> r[0] > 0 ? 1 : 0);
        Map<String, String> found = new TreeMap<>();
        for (ConsistencySpec.Kind kind : ConsistencySpec.Kind.values()) {
            TrainingSteps given = new TrainingSteps(0, 0, 4, kind);
            Map<String, String> options =
                    LearningDefaults.find(LogisticRegression.NAME, Map.of(), given, rows, SEED)
                            .options();
            double root = kind == ConsistencySpec.Kind.BSP ? 1 : 2;
            found.put(Double.toString(root * number(options, "learning-rate")), options.get("l2"));
        }
        assertThat(found).as("rates and strengths of all").hasSize(1);
    }

    @Test
    void countsTheStepsOfAnOptimizer() {
        assertThat(steps(100, 3, 2).count(1000)).isEqualTo(15);
        assertThat(new TrainingSteps(100, 3, 2, ConsistencySpec.Kind.ASP).count(1000))
                .isEqualTo(30);
        assertThat(steps(Integer.MAX_VALUE, 3, 2).count(9)).isEqualTo(3);
    }

    private static TrainingSteps steps(int batchSize, int epochs, int workers) {
        return new TrainingSteps(batchSize, epochs, workers, ConsistencySpec.Kind.BSP);
    }

    @Test
    void startsAtTheBaseRate() {
        Map<String, String> options = find(LogisticRegression.NAME, Map.of(), rows(400, 5, r -> 0));
        assertThat(Double.parseDouble(options.get("initial-bias")))
                .isCloseTo(Math.log(1e-6 / (1 - 1e-6)), within(1e-9));
        options = find(LogisticRegression.NAME, Map.of(), rows(400, 5, r -> r[0] > 0 ? 1 : 0));
        assertThat(Double.parseDouble(options.get("initial-bias"))).isCloseTo(0, within(.5));
        options = find(LinearRegression.NAME, Map.of(), rows(400, 5, r -> 250_000));
        assertThat(Double.parseDouble(options.get("initial-bias"))).isEqualTo(250_000);
        options = find(PoissonRegression.NAME, Map.of(), rows(400, 5, r -> 4));
        assertThat(Double.parseDouble(options.get("initial-bias")))
                .isCloseTo(Math.log(4), within(1e-9));
    }

    @Test
    void learnsManyRowsByFtrlUnlessAnOptionOfAdagradIsGiven() {
        RowSample few = rows(200, 4, r -> r[0] > 0 ? 1 : 0);
        RowSample many = new RowSample(few.rows(), 200_000);
        Map<String, String> found = find(LogisticRegression.NAME, Map.of(), many);
        assertThat(found)
                .containsOnlyKeys("optimizer", "learning-rate", "l2")
                .containsEntry("optimizer", "ftrl");
        // Its L2 is that of the sum of all rows' losses, Adagrad's that of their mean.
        Map<String, String> adagrad = Map.of("optimizer", "adagrad");
        assertThat(l2(found))
                .isCloseTo(
                        200_000 * l2(find(LogisticRegression.NAME, adagrad, many)), within(1e-6));
        for (Map<String, String> given :
                List.of(
                        adagrad,
                        Map.of("learning-rate", "0.1"),
                        Map.of("l2", "0.1"),
                        Map.of("l1", "0.1"),
                        Map.of("step-every", "9", "step-factor", "0.5"),
                        Map.of("initial-bias", "0"))) {
            assertThat(find(LogisticRegression.NAME, given, many).getOrDefault("optimizer", ""))
                    .as(given.toString())
                    .isNotEqualTo("ftrl");
        }
        assertThat(find(LinearRegression.NAME, Map.of(), many)).doesNotContainKey("optimizer");
    }

    @Test
    void leavesWhatIsGiven() {
        Map<String, String> given =
                Map.of(
                        "learning-rate",
                        "0.5",
                        "l2",
                        "0.25",
                        "step-every",
                        "10",
                        "initial-bias",
                        "3");
        assertThat(find(LogisticRegression.NAME, given, rows(50, 3, r -> 1))).isEqualTo(given);
    }

    @Test
    void holdsWeightsBackWhereLabelsAreNoise() {
        Random random = new Random(SEED);
        RowSample noise = rows(300, 60, r -> random.nextBoolean() ? 1 : 0);
        RowSample learnable = rows(3000, 3, r -> r[0] + r[1] > 0 ? 1 : 0);
        double held = l2(find(LogisticRegression.NAME, Map.of(), noise)) * 300;
        double free = l2(find(LogisticRegression.NAME, Map.of(), learnable)) * 3000;
        assertThat(held).isGreaterThanOrEqualTo(30);
        assertThat(free).isLessThanOrEqualTo(.3);
    }

    @Test
    void findsTheSameAgain() {
        RowSample rows = rows(200, 4, r -> r[0] > .2 ? 2 : r[1] > 0 ? 1 : 0);
        Map<String, String> given = Map.of("classes", "3", "features", "4");
        Map<String, String> found = find(Softmax.NAME, given, rows);
        assertThat(found).containsAllEntriesOf(given).containsKeys("l2", "cosine-steps");
        assertThat(find(Softmax.NAME, given, rows)).isEqualTo(found);
    }

    @Test
    void isForLinearModelsAndAdagrad() {
        assertThat(LearningDefaults.areFor(LogisticRegression.NAME, Map.of())).isTrue();
        assertThat(LearningDefaults.areFor(LogisticRegression.NAME, Map.of("optimizer", "ftrl")))
                .isFalse();
        assertThat(LearningDefaults.areFor(SkipGram.NAME, Map.of())).isFalse();
    }

    @Test
    void layersTakeFewerPasses() {
        TuningRule.Kind layers = TuningRule.Kind.LAYERS;
        assertThat(StepPlan.of(layers, 142)).isEqualTo(new StepPlan(8, 169));
        assertThat(StepPlan.of(layers, 1437)).isEqualTo(new StepPlan(72, 40));
        assertThat(StepPlan.of(layers, 1_000_000)).isEqualTo(new StepPlan(7812, 2));
        assertThat(StepPlan.of(TuningRule.Kind.FACTORS, 142)).isEqualTo(StepPlan.of(142));
    }

    /** Labels that are noise, and labels that the product of two columns tells. */
    @ParameterizedTest
    @ValueSource(strings = {"multi-layer-perceptron", "wide-and-deep", "deep-fm"})
    void holdsLayersBackAsFarAsRowsSayNothing(String algorithm) {
        Map<String, String> given = new TreeMap<>(Map.of("hidden", "8"));
        boolean embeds = !algorithm.equals(MultiLayerPerceptron.NAME);
        if (embeds) {
            given.put("fields", "4");
        }
        Random random = new Random(SEED);
        RowSample noise = rows(300, 4, r -> random.nextBoolean() ? 1 : 0);
        RowSample pairs = rows(1000, 4, r -> r[0] * r[1] > 0 ? 1 : 0);
        Map<String, String> found = find(algorithm, given, pairs);
        assertThat(found).containsAllEntriesOf(given).containsKeys("learning-rate", "cosine-steps");
        assertThat(found.containsKey("init-std")).isEqualTo(!embeds);
        assertThat(1000 * l2(found)).isLessThan(300 * l2(find(algorithm, given, noise)));
        given.put("l2", "0");
        given.put("learning-rate", "0.5");
        assertThat(find(algorithm, given, noise)).containsAllEntriesOf(given);
    }

    /** It would take minutes to compare strengths, and gigabytes. */
    @Test
    void guessesTheStrengthOfLargeNetworks() {
        RowSample rows = rows(600, 20, r -> r[0] > 0 ? 1 : 0);
        for (String hidden : List.of("4096,4096", "1024,512")) {
            Map<String, String> found =
                    find(MultiLayerPerceptron.NAME, Map.of("hidden", hidden), rows);
            assertThat(l2(found)).isCloseTo(1. / 600, within(1e-9));
        }
    }

    @Test
    void aUnitIsNoErrorOfRounding() {
        Map<String, String> given = Map.of("task", "regression", "hidden", "2");
        Map<String, String> found = find(MultiLayerPerceptron.NAME, given, rows(20, 3, r -> .1f));
        assertThat(number(found, "label-unit")).isEqualTo(1);
        assertThat(number(found, "label-mean")).isCloseTo(.1, within(1e-6));
    }

    @Test
    void firstValuesOfTinyRowsAreThoseThatAModelTakes() {
        RowBatchBuilder tiny = new RowBatchBuilder();
        for (int row = 0; row < 40; row++) {
            tiny.add(row % 4, 1e-8f).endRow(row % 2);
        }
        Map<String, String> found =
                find(
                        MultiLayerPerceptron.NAME,
                        Map.of("hidden", "2"),
                        new RowSample(tiny.build(), 40));
        assertThat(number(found, "init-std")).isEqualTo(1e6);
    }

    @Test
    void holdsWeightsBackAlikeWhateverLabelsAreMeasuredIn() {
        Random random = new Random(SEED);
        double[] noise = random.doubles(60, -1, 1).toArray();
        Map<Double, Double> strengths = new TreeMap<>();
        for (double unit : new double[] {1, 1e-6, 1e9}) {
            int[] row = new int[1];
            RowSample rows = rows(60, 8, r -> unit * (r[0] + 3 * noise[row[0]++]));
            strengths.put(unit, l2(find(LinearRegression.NAME, Map.of(), rows)));
        }
        assertThat(strengths.values()).allMatch(l2 -> l2 > 0).containsOnly(strengths.get(1.));
    }

    /** The same rows whatever their labels are measured in. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "factorization-machine",
                "field-aware-factorization-machine",
                "multi-layer-perceptron",
                "deep-fm"
            })
    void learnsNumbersInTheirUnit(String algorithm) {
        Map<String, String> given = new TreeMap<>(Map.of("task", "regression"));
        if (!TrainingModels.factory(algorithm).rowShape().equals(RowShape.ANY)) {
            given.put("fields", "3");
        }
        if (TrainingModels.factory(algorithm).tuning(given).orElseThrow().kind().hasLayers()) {
            given.put("hidden", "8");
        }
        Map<String, String> small = find(algorithm, given, rows(300, 3, r -> r[0] + r[1] * r[2]));
        Map<String, String> large =
                find(algorithm, given, rows(300, 3, r -> 5000 + 1000 * (r[0] + r[1] * r[2])));
        assertThat(number(large, "label-unit"))
                .isCloseTo(1000 * number(small, "label-unit"), withinPercentage(.01));
        assertThat(number(large, "label-mean"))
                .isCloseTo(5000 + 1000 * number(small, "label-mean"), withinPercentage(.01));
        for (Map<String, String> options : List.of(small, large)) {
            options.remove("label-unit");
            options.remove("label-mean");
        }
        assertThat(large).isEqualTo(small);
    }

    /** Labels that are noise, and labels that pairs of columns tell. */
    @ParameterizedTest
    @CsvSource({
        "factorization-machine, false",
        "field-aware-factorization-machine, false",
        "field-aware-factorization-machine, true"
    })
    void holdsFactorsBackAsFarAsPairsSayNothing(String algorithm, boolean fieldKeys) {
        Map<String, String> given = new TreeMap<>();
        if (!algorithm.equals(FactorizationMachine.NAME)) {
            given.put("fields", "4");
            given.put("field-keys", Boolean.toString(fieldKeys));
        }
        Random random = new Random(SEED);
        RowSample noise = rows(300, 4, r -> random.nextBoolean() ? 1 : 0);
        RowSample pairs = rows(2000, 4, r -> r[0] * r[1] + r[2] * r[3] > 0 ? 1 : 0);
        Map<String, String> found = find(algorithm, given, pairs);
        assertThat(found)
                .containsAllEntriesOf(given)
                .containsKeys("l2", "learning-rate", "cosine-steps")
                .doesNotContainKeys("initial-bias", "optimizer");
        assertThat(factorL2(found)).isLessThan(factorL2(find(algorithm, given, noise)));
        Map<String, String> l2 = new TreeMap<>(given);
        l2.put("l2", "0");
        assertThat(find(algorithm, l2, noise)).containsEntry("l2", "0").containsKey("factor-l2");
        l2.put("factor-l2", "0.5");
        assertThat(find(algorithm, l2, noise)).containsAllEntriesOf(l2);
        // Of more rows than were looked at, each needs less.
        RowSample more = new RowSample(noise.rows(), 4L * noise.rows().rows());
        assertThat(factorL2(find(algorithm, given, more)))
                .isCloseTo(factorL2(find(algorithm, given, noise)) / 2, within(1e-9));
    }

    private static double factorL2(Map<String, String> options) {
        return number(options, "factor-l2");
    }

    /** Returns ratings of each of ten users for each of ten items, all of them alike. */
    private static RowSample ratings(double unit) {
        RowBatchBuilder rows = new RowBatchBuilder();
        for (int row = 0; row < 100; row++) {
            rows.add(row / 10, 1).add(10 + row % 10, 1).endRow((float) (unit * (3 + row % 3)));
        }
        return new RowSample(rows.build(), 100);
    }

    @Test
    void isForRatingsInTheirUnit() {
        String algorithm = MatrixFactorization.NAME;
        assertThat(LearningDefaults.areFor(algorithm, Map.of())).isTrue();
        LearningDefaults.Found one =
                LearningDefaults.find(algorithm, Map.of(), steps(0, 0, 2), ratings(1), SEED);
        assertThat(one.steps()).isEqualTo(steps(32, 60, 2));
        assertThat(one.options())
                .containsOnlyKeys("mean", "init-std", "learning-rate", "l2")
                .hasEntrySatisfying(
                        "mean",
                        mean -> assertThat(Double.parseDouble(mean)).isCloseTo(3.99, within(1e-6)));
        Map<String, String> large = find(algorithm, Map.of(), ratings(100));
        assertThat(number(large, "learning-rate"))
                .isCloseTo(100 * number(one.options(), "learning-rate"), within(1e-3));
        assertThat(number(large, "init-std"))
                .isCloseTo(10 * number(one.options(), "init-std"), within(1e-3));
        // A strength of 5 for each vector of ten ratings, in steps of 64 rows.
        assertThat(l2(one.options()))
                .isCloseTo(
                        5 / 10. / 64 * 10 * number(one.options(), "learning-rate"), within(1e-6));
    }

    @Test
    void holdsBackRatingsAlikeHoweverManyWorkersTakeAStep() {
        for (ConsistencySpec.Kind kind : ConsistencySpec.Kind.values()) {
            for (int workers : new int[] {1, 2, 4}) {
                TrainingSteps given = new TrainingSteps(0, 0, workers, kind);
                LearningDefaults.Found found =
                        LearningDefaults.find(
                                MatrixFactorization.NAME, Map.of(), given, ratings(1), SEED);
                int rows = kind == ConsistencySpec.Kind.BSP ? 64 : 64 / workers;
                assertThat(l2(found.options()) * rows).isCloseTo(.409, within(1e-3));
            }
        }
    }

    @Test
    void holdsWeightsBackWhereRowsAreTooFewToTell() {
        RowSample one = rows(1, 2, r -> 1);
        assertThat(l2(find(LogisticRegression.NAME, Map.of(), one))).isEqualTo(1);
    }

    @Test
    void hasNothingToFindWithoutRows() {
        RowSample none = new RowSample(new RowBatchBuilder().build(), 0);
        assertThat(find(LogisticRegression.NAME, Map.of(), none)).isEmpty();
    }

    private static double l2(Map<String, String> options) {
        return number(options, "l2");
    }

    private static double number(Map<String, String> options, String option) {
        return Double.parseDouble(options.get(option));
    }

    private static Map<String, String> find(
            String algorithm, Map<String, String> given, RowSample sample) {
        return LearningDefaults.find(algorithm, given, steps(0, 0, 1), sample, SEED).options();
    }

    private static RowSample rows(int count, int columns, ToDoubleFunction<double[]> label) {
        Random random = new Random(SEED);
        RowBatchBuilder rows = new RowBatchBuilder();
        for (int row = 0; row < count; row++) {
            double[] values = random.doubles(columns, -1, 1).toArray();
            for (int column = 0; column < columns; column++) {
                rows.add(column, (float) values[column]);
            }
            rows.endRow((float) label.applyAsDouble(values));
        }
        RowBatch built = rows.build();
        return new RowSample(built, count);
    }
}
