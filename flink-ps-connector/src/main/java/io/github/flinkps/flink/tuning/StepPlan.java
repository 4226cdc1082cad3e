package io.github.flinkps.flink.tuning;

import io.github.flinkps.flink.algorithm.TuningRule;

/**
 * Says how long to train, and in which steps: few rows are gone through often, many rarely.
 *
 * @param batchSize rows of a mini-batch
 * @param epochs passes over the rows
 */
record StepPlan(int batchSize, int epochs) {
    /** The rows of the largest mini-batches of a set of some 100,000 rows, and of any set. */
    private static final int MANY_ROWS = 1024;

    private static final int MOST_ROWS = 8192;

    /** The least mini-batches of a pass whose mini-batches are larger than that. */
    private static final int MANY_BATCHES = 128;

    private static final double BATCHES = 20;

    /** The rows of a mini-batch are as many times this, so that 1, 2 and 4 workers share alike. */
    private static final int PARTS = 4;

    private static final double PASSES = 3_000;

    /** Rows that all passes together go through at least: what few rows need to converge. */
    private static final double VISITS = 120_000;

    /** The passes of models with hidden layers, which L2 holds back after fewer of them. */
    private static final double PASSES_OF_LAYERS = 1_500;

    private static final double VISITS_OF_LAYERS = 24_000;

    private static final int LEAST_PASSES = 2;
    private static final int MOST_PASSES = 1_000;

    /** Returns the plan for so many rows. */
    static StepPlan of(long rows) {
        return of(rows, PASSES, VISITS);
    }

    /** Returns the plan for so many rows of a model of some kind. */
    static StepPlan of(TuningRule.Kind kind, long rows) {
        return kind.hasLayers() ? of(rows, PASSES_OF_LAYERS, VISITS_OF_LAYERS) : of(rows);
    }

    private static StepPlan of(long rows, double rootPasses, double visits) {
        long most = Math.max(MANY_ROWS, Math.min(MOST_ROWS, rows / MANY_BATCHES / PARTS * PARTS));
        long parts = Math.round(rows / BATCHES / PARTS);
        long batch =
                parts > 0 ? Math.min(most, PARTS * parts) : Math.max(1, Math.round(rows / BATCHES));
        double some = Math.max(1, rows);
        long passes = Math.round(Math.max(rootPasses / Math.sqrt(some), visits / some));
        return new StepPlan(
                (int) batch, (int) Math.max(LEAST_PASSES, Math.min(MOST_PASSES, passes)));
    }

    /** Returns whether there are so many rows that few passes and large steps suffice. */
    static boolean areMany(long rows) {
        return rows > (long) MANY_ROWS * MANY_BATCHES;
    }

    /** Returns the mini-batches of all passes. */
    long steps(long rows) {
        return epochs * ((rows + batchSize - 1) / batchSize);
    }
}
