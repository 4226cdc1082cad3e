package io.github.flinkps.flink.training.rows;

/**
 * A mini-batch of the first pass that later passes train again, as a checkpoint holds it.
 *
 * @param due the first pass in which it is still to be trained; the number of passes if none is
 * @param begun whether single rows of it may have been trained in that pass already
 * @param rows of the mini-batch
 */
public record CachedBatch(int due, boolean begun, RowFileEntry rows) {}
