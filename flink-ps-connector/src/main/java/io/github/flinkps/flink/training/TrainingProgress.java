package io.github.flinkps.flink.training;

/**
 * How far a worker is: one at the end of each pass and, in between, one per interval.
 *
 * @param worker its index
 * @param epoch the pass, from 0
 * @param endOfEpoch whether the pass is over
 * @param batches mini-batches of the pass so far
 * @param lossSum sum of the pass so far of the rows' losses, each times its weight
 * @param weightSum sum of the pass so far of the rows' weights
 */
public record TrainingProgress(
        int worker,
        int epoch,
        boolean endOfEpoch,
        long batches,
        double lossSum,
        double weightSum) {}
