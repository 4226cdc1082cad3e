package io.github.flinkps.flink.tuning;

import io.github.flinkps.common.ConsistencySpec;

/**
 * Says how long to train, and in which steps: few rows are gone through often, many rarely.
 *
 * @param batchSize rows of the mini-batches that all workers take at a time
 * @param epochs passes over the rows
 */
public record StepPlan(int batchSize, int epochs) {
    private static final int MOST_ROWS = 1024;
    private static final double BATCHES = 20;
    private static final double PASSES = 3_000;
    private static final int LEAST_PASSES = 5;
    private static final int MOST_PASSES = 75;

    /** The most rows that change their places between passes. */
    private static final long FEW_ROWS = 100_000;

    /**
     * Returns the plan for so many rows, but for what is given.
     *
     * @param batchSize of each worker, or 0 for a default
     * @param epochs or 0 for a default
     */
    public static StepPlan of(long rows, int batchSize, int epochs, int workers) {
        StepPlan plan = of(rows);
        int own =
                batchSize > 0
                        ? batchSize
                        : (int) Math.max(1, Math.round(plan.batchSize / (double) workers));
        return new StepPlan(
                (int) Math.min(Integer.MAX_VALUE, (long) own * workers),
                epochs > 0 ? epochs : plan.epochs);
    }

    /** Returns the plan for so many rows. */
    static StepPlan of(long rows) {
        long batch = Math.max(1, Math.min(MOST_ROWS, Math.round(rows / BATCHES)));
        long passes = Math.round(PASSES / Math.sqrt((double) Math.max(1, rows)));
        return new StepPlan(
                (int) batch, (int) Math.max(LEAST_PASSES, Math.min(MOST_PASSES, passes)));
    }

    /** Returns the rows of a mini-batch of each of so many workers. */
    public int batchSize(int workers) {
        return Math.max(1, batchSize / workers);
    }

    /**
     * Returns whether so many rows change their places between passes, rather than mini-batches.
     */
    public static boolean movesRows(long rows) {
        return rows <= FEW_ROWS;
    }

    /** Returns the mini-batches of all passes. */
    long steps(long rows) {
        return steps(rows, batchSize, 1, epochs, ConsistencySpec.Kind.BSP);
    }

    /**
     * Returns the steps that an optimizer takes in all passes over so many rows: a round of all
     * workers is one with BSP; else each mini-batch is.
     *
     * @param batchSize of each worker
     */
    public static long steps(
            long rows, int batchSize, int workers, int epochs, ConsistencySpec.Kind consistency) {
        long together = (long) batchSize * workers;
        long rounds = epochs * ((rows + together - 1) / together);
        return consistency == ConsistencySpec.Kind.BSP ? rounds : rounds * workers;
    }
}
