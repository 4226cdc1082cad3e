package io.github.flinkps.flink.data;

/** A batch with where its split goes on after it; see {@link BlockSplit}. */
record PositionedBatch(RowBatch batch, long block, long offset, int row) {}
