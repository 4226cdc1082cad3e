package io.github.flinkps.flink.tuning;

import io.github.flinkps.flink.algorithm.MatrixFactorization;
import io.github.flinkps.flink.data.RowSample;
import java.util.Arrays;
import java.util.Map;

/**
 * Finds what a factorization of ratings learns by on a bounded input where nothing is given. The
 * mean begins at that of the ratings (Koren, Bell, Volinsky, 2009). Rate and first factors are in
 * units of the ratings' deviation. L2 is that of one prior for the vector of each user and item
 * (Salakhutdinov, Mnih: Probabilistic matrix factorization, 2007), which is spread over its
 * ratings.
 */
final class RatingDefaults {
    /** The options that are found, beside those of the way through the rows. */
    private static final String RATE = "learning-rate";

    private static final String L2 = "l2";
    private static final double UNIT_RATE = .1;
    private static final double UNIT_INIT = .1;

    /** The strength of the prior of a vector, in units of the deviation. */
    private static final double STRENGTH = 5;

    private static final int BATCH = 64;
    private static final double PASSES = 6_000;
    private static final int LEAST_PASSES = 5;
    private static final int MOST_PASSES = 60;

    private RatingDefaults() {}

    /** Returns whether there are such defaults for an algorithm. */
    static boolean areFor(String algorithm) {
        return algorithm.equals(MatrixFactorization.NAME);
    }

    /** Returns the plan for so many ratings. */
    static StepPlan plan(long rows) {
        long passes = Math.round(PASSES / Math.sqrt((double) Math.max(1, rows)));
        return new StepPlan(BATCH, (int) Math.max(LEAST_PASSES, Math.min(MOST_PASSES, passes)));
    }

    /**
     * Adds the options that are found, none that is given.
     *
     * @param moments of the sample
     * @param together rows of a step, which holds back what it touches by as many rows
     */
    static void find(
            Map<String, String> options, RowSample sample, Moments moments, long together) {
        double unit = moments.labelDeviation();
        offer(options, "mean", moments.labelMean());
        offer(options, "init-std", UNIT_INIT * Math.sqrt(unit));
        offer(options, RATE, UNIT_RATE * unit);
        double keys = Arrays.stream(sample.rows().keys()).distinct().count();
        double ratingsOfKey = 2 * sample.count() / keys;
        offer(options, L2, STRENGTH * unit / ratingsOfKey / together);
    }

    private static void offer(Map<String, String> options, String option, double value) {
        options.putIfAbsent(option, Double.toString(value));
    }
}
