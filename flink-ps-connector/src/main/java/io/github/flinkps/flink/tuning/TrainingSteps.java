package io.github.flinkps.flink.tuning;

import io.github.flinkps.common.ConsistencySpec;

/**
 * Says how workers go through the rows.
 *
 * @param batchSize rows of a mini-batch of a worker, or 0 where the rows say it
 * @param epochs passes over the rows, or 0 where the rows say it
 * @param workers that train
 * @param consistency by which they do
 */
public record TrainingSteps(
        int batchSize, int epochs, int workers, ConsistencySpec.Kind consistency) {
    /** The most rows that change their places between passes. */
    private static final long FEW_ROWS = 100_000;

    /** Returns it with what a plan says and is not given. */
    TrainingSteps by(StepPlan plan) {
        int own = (int) Math.max(1, Math.round(plan.batchSize() / (double) workers));
        return new TrainingSteps(
                batchSize > 0 ? batchSize : own,
                epochs > 0 ? epochs : plan.epochs(),
                workers,
                consistency);
    }

    /** Returns the steps that an optimizer takes while each worker goes through a mini-batch. */
    int ofRound() {
        return consistency == ConsistencySpec.Kind.BSP ? 1 : workers;
    }

    /** Returns the rows of a step. */
    long together() {
        return (long) batchSize * workers / ofRound();
    }

    /**
     * Returns the steps that an optimizer takes in all passes over so many rows: a round of all
     * workers is one with BSP; else each mini-batch is.
     */
    public long count(long rows) {
        long together = (long) batchSize * workers;
        long rounds = epochs * ((rows + together - 1) / together);
        return rounds * ofRound();
    }

    /**
     * Returns whether so many rows change their places between passes, rather than mini-batches.
     */
    public static boolean moveRows(long rows) {
        return rows <= FEW_ROWS;
    }
}
