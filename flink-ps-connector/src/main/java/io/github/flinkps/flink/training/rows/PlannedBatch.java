package io.github.flinkps.flink.training.rows;

import io.github.flinkps.common.KeyHash;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.training.TrainingException;

/**
 * A mini-batch and the pass it is trained in. (The same mini-batch may be under way for two passes
 * at a time.)
 *
 * @param batch its rows
 * @param epoch the pass, from 0
 * @param number place in the pass, from 0
 */
public record PlannedBatch(MiniBatch batch, int epoch, long number) {
    /**
     * Returns the seed of the rows, the pass and the job. Rows without a known position get one of
     * their worker.
     */
    public long seed(long jobSeed, int worker) {
        RowBatch rows = batch.rows;
        boolean unknown = rows.block() == RowBatch.NO_BLOCK;
        long place = unknown ? ~worker : rows.block();
        long row = unknown ? number : rows.firstRow() + (long) batch.from;
        long mixed = KeyHash.mix64(KeyHash.mix64(jobSeed) + epoch);
        return KeyHash.mix64(KeyHash.mix64(mixed + place) + row);
    }

    /**
     * Describes a loss or a gradient that is NaN or infinite.
     *
     * @param cause null if there is none
     */
    public TrainingException notFinite(String what, int worker, Throwable cause) {
        return new TrainingException(
                what
                        + " is NaN or infinite in pass "
                        + (epoch + 1)
                        + ", mini-batch "
                        + (number + 1)
                        + " of worker "
                        + worker
                        + " ("
                        + batch.size()
                        + " rows): use a smaller learning-rate, or look for values in the input"
                        + " that are too large",
                cause);
    }
}
