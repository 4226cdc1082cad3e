package io.github.flinkps.flink.training.scoring;

/**
 * The scores of a row. Sorted by (block, row), scores stand in the order of the input.
 *
 * @param block of the input that held the row, see {@code RowBatch.block}
 * @param row place of the row among those read of its block
 * @param label as read
 * @param weight of the row
 * @param scores of the model, see {@code TrainingModel.score}
 */
public record ScoredRow(long block, long row, float label, float weight, float[] scores) {
    /** Returns the first score; for a binary model the probability of label 1. */
    public float score() {
        return scores[0];
    }
}
