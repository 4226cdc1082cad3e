package io.github.flinkps.flink.training;

import io.github.flinkps.common.KeyHash;
import io.github.flinkps.flink.data.RowBatch;

/**
 * A mini-batch and the pass it is trained in. (The same mini-batch may be under way for two passes
 * at a time.)
 *
 * @param batch its rows
 * @param epoch the pass, from 0
 * @param number place in the pass, from 0
 */
record PlannedBatch(MiniBatch batch, int epoch, long number) {
    /**
     * Returns the seed of the rows, the pass and the job. Rows without a known position get one of
     * their worker.
     */
    long seed(long jobSeed, int worker) {
        RowBatch rows = batch.rows;
        boolean unknown = rows.block() == RowBatch.NO_BLOCK;
        long place = unknown ? ~worker : rows.block();
        long row = unknown ? number : rows.firstRow() + (long) batch.from;
        long mixed = KeyHash.mix64(KeyHash.mix64(jobSeed) + epoch);
        return KeyHash.mix64(KeyHash.mix64(mixed + place) + row);
    }
}
