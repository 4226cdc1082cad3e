package io.github.flinkps.flink.table.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The functions alone, without Flink. */
class MetricFunctionTest {
    private static final int PARTS = 4;

    /** Rows go to parts at random, and so do their retractions, which a part may see first. */
    @Test
    void partsTogetherAreWhatIsLeft() throws Exception {
        long seed = System.nanoTime();
        for (int run = 0; run < 20; run++) {
            Random random = new Random(seed + run);
            List<Prediction> left = Prediction.random(random, 1 + random.nextInt(200));
            List<Prediction> taken = Prediction.random(random, random.nextInt(200));
            List<Double> expected = Prediction.measures(left);
            assertSame(merged(new PsAuc(), left, taken, random), expected.get(3), seed + run);
            assertSame(merged(new PsLogloss(), left, taken, random), expected.get(4), seed + run);
            assertSame(merged(new PsRmse(), left, taken, random), expected.get(5), seed + run);
            List<Prediction> all = places(left);
            List<Prediction> gone = places(taken);
            Double precision = merged(new PsPrecisionAt(), all, gone, random);
            assertSame(precision, expected.get(6), seed + run);
            assertSame(merged(new PsNdcgAt(), all, gone, random), expected.get(7), seed + run);
        }
    }

    /** The same rows with the number of places in the place of their weights. */
    private static List<Prediction> places(List<Prediction> rows) {
        double places = Prediction.PLACES;
        return rows.stream()
                .map(r -> new Prediction(r.group(), r.millis(), r.score(), r.label(), places))
                .toList();
    }

    private static <A> Double merged(
            MetricFunction<A> function,
            List<Prediction> left,
            List<Prediction> taken,
            Random random)
            throws Exception {
        List<A> parts = new ArrayList<>();
        for (int i = 0; i < PARTS; i++) {
            parts.add(function.createAccumulator());
        }
        Supplier<A> any = () -> parts.get(random.nextInt(PARTS));
        for (Prediction row : taken) {
            function.retract(any.get(), row.score(), asDouble(row), row.weight());
        }
        for (List<Prediction> rows : List.of(left, taken)) {
            for (Prediction row : rows) {
                function.accumulate(any.get(), row.score(), asDouble(row), row.weight());
            }
        }
        A whole = function.createAccumulator();
        function.merge(whole, parts);
        return function.getValue(whole);
    }

    private static Double asDouble(Prediction row) {
        return row.label() == null ? null : (double) row.label();
    }

    private static void assertSame(Double actual, Double expected, long seed) {
        if (expected == null) {
            assertThat(actual).as("seed %d", seed).isNull();
        } else {
            assertThat(actual).as("seed %d", seed).isCloseTo(expected, within(1e-12));
        }
    }

    @Test
    void nothingIsKeptOfWhatWasTakenAgain() throws Exception {
        PsAuc auc = new PsAuc();
        AucAccumulator kept = auc.createAccumulator();
        for (double weight : new double[] {0.1, 0.7, 1e-3, 3e6}) {
            auc.accumulate(kept, 0.25, true, weight);
            auc.accumulate(kept, -0.0, false, weight);
        }
        assertThat(auc.getValue(kept)).isEqualTo(1);
        for (double weight : new double[] {3e6, 0.1, 0.7, 1e-3}) {
            auc.retract(kept, 0.25, true, weight);
            auc.retract(kept, 0.0, false, weight);
        }
        assertThat(kept.positives.getMap()).isEmpty();
        assertThat(kept.negatives.getMap()).isEmpty();
        assertThat(auc.getValue(kept)).isNull();
    }

    @Test
    void anErrorTakenAgainIsNone() throws Exception {
        PsRmse rmse = new PsRmse();
        MeanAccumulator kept = rmse.createAccumulator();
        rmse.accumulate(kept, 1e150, 0.0);
        rmse.accumulate(kept, 0.3, 0.0, 1e-300);
        rmse.accumulate(kept, 2.0, 2.0);
        rmse.retract(kept, 1e150, 0.0);
        rmse.retract(kept, 0.3, 0.0, 1e-300);
        assertThat(rmse.getValue(kept)).isZero();
    }

    @Test
    void scoresMayBeInfiniteWhereOnlyTheirOrderCounts() throws Exception {
        PsAuc auc = new PsAuc();
        AucAccumulator kept = auc.createAccumulator();
        auc.accumulate(kept, Double.POSITIVE_INFINITY, 1.0);
        auc.accumulate(kept, Double.NEGATIVE_INFINITY, -1.0);
        auc.accumulate(kept, Double.POSITIVE_INFINITY, 0.0);
        assertThat(auc.getValue(kept)).isEqualTo(0.75);
    }

    @Test
    void lossesAreClipped() throws Exception {
        PsLogloss logloss = new PsLogloss();
        MeanAccumulator kept = logloss.createAccumulator();
        logloss.accumulate(kept, 0.0, true);
        assertThat(logloss.getValue(kept)).isCloseTo(-Math.log(1e-15), within(1e-6));
        kept = logloss.createAccumulator();
        logloss.accumulate(kept, 1.0, false);
        assertThat(logloss.getValue(kept)).isCloseTo(24 * Math.log(2), within(1e-12));
    }

    @Test
    void rowsThatCannotBeMeasuredAreRefused() {
        PsAuc auc = new PsAuc();
        assertRefused(auc, Double.NaN, 1.0, 1.0, "PS_AUC: score must be a number, but");
        assertRefused(auc, 0.5, 2.0, 1.0, "PS_AUC: label must be 0, 1 or -1, but a row has 2.0");
        assertRefused(auc, 0.5, Double.NaN, 1.0, "PS_AUC: label must be a number, but a row");
        assertRefused(auc, 0.5, 1.0, -1.0, "PS_AUC: weight must be a finite number from 0 on");
        assertRefused(auc, 0.5, 1.0, Double.NaN, "PS_AUC: weight must be a finite number");
        assertRefused(
                new PsLogloss(),
                1.5,
                1.0,
                1.0,
                "PS_LOGLOSS: score must be a probability between 0 and 1, but a row has 1.5");
        assertRefused(new PsLogloss(), 0.5, 0.5, 1.0, "PS_LOGLOSS: label must be 0, 1 or -1");
        PsNdcgAt ndcg = new PsNdcgAt();
        assertRefused(ndcg, 0.5, 1.0, 0.5, "PS_NDCG_AT: k must be a whole number from 1 on, but");
        assertRefused(ndcg, 0.5, 1.0, 0.0, "PS_NDCG_AT: k must be a whole number from 1 on, but");
        PsRmse rmse = new PsRmse();
        assertRefused(rmse, Double.NaN, 1.0, 1.0, "PS_RMSE: prediction must be a number");
        assertRefused(rmse, 1e200, 1.0, 1.0, "PS_RMSE: weighted error must be finite, but a row");
    }

    private static <A> void assertRefused(
            MetricFunction<A> function, double score, double label, double weight, String message) {
        A kept = function.createAccumulator();
        assertThatThrownBy(() -> function.accumulate(kept, score, label, weight))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void aRankingHasOneNumberOfPlaces() throws Exception {
        PsPrecisionAt precision = new PsPrecisionAt();
        RankAccumulator kept = precision.createAccumulator();
        precision.accumulate(kept, 0.5, 1.0, 2.0);
        assertThatThrownBy(() -> precision.accumulate(kept, 0.5, 1.0, 3.0))
                .hasMessage(
                        "PS_PRECISION_AT: k must be the same in all rows, such as 2, but a row has"
                                + " 3");
        assertThat(precision.getValue(kept)).isEqualTo(0.5);
    }

    @Test
    void classesAreMeasuredByTheirProbabilities() throws Exception {
        PsLogloss logloss = new PsLogloss();
        MeanAccumulator kept = logloss.createAccumulator();
        logloss.accumulate(kept, new Double[] {0.2, 0.3, 0.5}, 2.0);
        logloss.accumulate(kept, new Double[] {0.0, 1.0, 0.0}, 0.0, 3.0);
        assertThat(logloss.getValue(kept))
                .isCloseTo((Math.log(2) - 3 * Math.log(1e-15)) / 4, within(1e-12));
        assertThatThrownBy(() -> logloss.accumulate(kept, new Double[] {0.5, 0.5}, 2.0))
                .hasMessage(
                        "PS_LOGLOSS: label must be the place of a score, from 0 to 1, but a row has"
                                + " 2.0");
        assertThatThrownBy(() -> logloss.accumulate(kept, new Double[] {3.0, null}, 1.0))
                .hasMessageStartingWith("PS_LOGLOSS: score must be a probability between 0 and 1");
        assertThatThrownBy(() -> logloss.accumulate(kept, new Double[] {3.0, null}, 0.0))
                .hasMessageContaining("but a row has 3.0");
    }
}
