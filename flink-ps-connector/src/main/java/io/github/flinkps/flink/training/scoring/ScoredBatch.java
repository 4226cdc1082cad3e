package io.github.flinkps.flink.training.scoring;

import java.util.Arrays;

/**
 * The scores of rows that stand next to each other in the input. Sorted by (block, first row),
 * batches stand in its order.
 *
 * @param block of the input that held the rows, see {@code RowBatch.block}
 * @param firstRow place of the first row among those read of its block
 * @param labels as read, one for each row
 * @param weights of the rows; null if all are 1
 * @param scores of the model, row after row, see {@code TrainingModel.score}
 */
public record ScoredBatch(
        long block, long firstRow, float[] labels, float[] weights, float[] scores) {
    /** Returns the number of rows. */
    public int rows() {
        return labels.length;
    }

    /** Returns how many scores each row has. */
    public int scoresPerRow() {
        return scores.length / labels.length;
    }

    /** Returns the weight of the row at an index. */
    public float weight(int row) {
        return weights == null ? 1 : weights[row];
    }

    /** Returns a copy of the row at an index. */
    public ScoredRow row(int row) {
        int from = row * scoresPerRow();
        return new ScoredRow(
                block,
                firstRow + row,
                labels[row],
                weight(row),
                Arrays.copyOfRange(scores, from, from + scoresPerRow()));
    }
}
