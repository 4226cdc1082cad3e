package io.github.flinkps.flink.training.rows;

import io.github.flinkps.common.KeyHash;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.training.TrainingException;

/**
 * A worker's rows that do not train but measure each pass. Which they are the reader has drawn, or
 * else a hash of the seed and their place in the input, or their number at the worker where they
 * have no place. Belongs to the task's thread.
 */
public final class ValidationRows implements AutoCloseable {
    private static final long SALT = 0x7A11DA7EL;

    private final double share;
    private final long seed;
    private final int worker;
    private final BatchAssembler assembler;
    private final RowCache cache;
    private final RowBatchBuilder training = new RowBatchBuilder();
    private long unplaced;
    private long rows;

    public ValidationRows(double share, long seed, int worker, int batchSize, RowCache cache) {
        this.share = share;
        this.seed = KeyHash.mix64(seed + SALT);
        this.worker = worker;
        this.assembler = new BatchAssembler(BatchGrowth.none(batchSize), true);
        this.cache = cache;
    }

    /** Keeps the validation rows, and returns the training rows, maybe none. */
    public RowBatch split(RowBatch batch) throws TrainingException {
        int from = 0;
        for (int row = 0; row < batch.rows(); row++) {
            if (takes(batch, row)) {
                training.append(batch, from, row);
                assembler.open().append(batch, row, row + 1);
                appended(1);
                from = row + 1;
            }
        }
        if (from == 0) {
            return batch;
        }
        return training.append(batch, from, batch.rows()).build();
    }

    private boolean takes(RowBatch batch, int row) {
        if (batch.drawn()) {
            return batch.validates(row);
        }
        return batch.block() == RowBatch.NO_BLOCK
                ? takesNext()
                : draw(batch.block(), batch.firstRow() + (long) row);
    }

    /** Returns whether the next row without a place validates. */
    boolean takesNext() {
        return draw(~(long) worker, unplaced++);
    }

    private boolean draw(long place, long number) {
        long hash = KeyHash.mix64(KeyHash.mix64(seed + place) + number);
        return (hash >>> 11) * 0x1p-53 < share;
    }

    /** Returns the mini-batch that is filling; say {@link #appended} after adding to it. */
    RowBatchBuilder open() {
        return assembler.open();
    }

    void appended(int more) throws TrainingException {
        rows += more;
        assembler.appended(more);
        store();
    }

    /** Says that no rows will come. */
    public void endOfInput() throws TrainingException {
        assembler.flush();
        store();
    }

    private void store() throws TrainingException {
        for (MiniBatch filled = assembler.poll(); filled != null; filled = assembler.poll()) {
            cache.add(filled);
        }
    }

    /** Returns the number of rows so far. */
    public long rows() {
        return rows;
    }

    /** Returns the number of their mini-batches; complete after the end of input. */
    public int batches() {
        return cache.size();
    }

    public MiniBatch batch(int number) throws TrainingException {
        MiniBatch batch = cache.get(number);
        if (number + 1 < cache.size()) {
            cache.readAhead(number + 1);
        }
        return batch;
    }

    /**
     * Returns what the model draws by: the same in each pass, so that their losses can be compared.
     */
    public long drawSeed(int number) {
        return KeyHash.mix64(KeyHash.mix64(seed + worker) + number);
    }

    @Override
    public void close() {
        cache.close();
    }
}
