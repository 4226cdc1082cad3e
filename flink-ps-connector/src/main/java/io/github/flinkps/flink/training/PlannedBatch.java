package io.github.flinkps.flink.training;

/**
 * A mini-batch and the pass it is trained in. (The same mini-batch may be under way for two passes
 * at a time.)
 *
 * @param batch its rows
 * @param epoch the pass, from 0
 * @param number place in the pass, from 0
 */
record PlannedBatch(MiniBatch batch, int epoch, long number) {}
