package io.github.flinkps.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * One asynchronous operation over any tables of a model: pushes, then a clock, then pulls, each
 * optional; used once, by one thread. At each partition its pushes and clock take effect together
 * and once, whatever retries it took.
 *
 * <p>Arrays handed to {@code push} and {@code pull} belong to the operation until its future
 * completes: large operations are encoded as the servers take them, and again when they are
 * retried. When an operation with a push or a clock has failed, whether it took effect is not
 * known; the session can only be closed.
 */
public interface Exchange {
    /**
     * Adds a push of one row of gradients (or of values, for {@code assign}) per key.
     *
     * @param gradients {@code keys.size() * width} values in the order of {@link KeyList#key}
     * @param weight the sum of the row weights of the mini-batch
     * @throws io.github.flinkps.common.PsException NOT_FINITE when a gradient is NaN or infinite;
     *     nothing is sent
     */
    Exchange push(KeyList keys, float[] gradients, double weight);

    /** Adds a push to the rows {@code [fromKey, toKey)} of a dense table. */
    Exchange pushRange(String table, long fromKey, long toKey, float[] gradients, double weight);

    /**
     * Finishes the worker's mini-batch, of the weight its pushes of this operation say (the
     * largest, if they differ): its clock grows by one after them.
     */
    Exchange clock();

    /**
     * Advances the worker's clock, as {@link #clock()} does, and says the weight of the mini-batch.
     *
     * @param weight the sum of the row weights of the whole mini-batch, also of rows that pushed
     *     nothing: under BSP the mean of a round divides by the weights of all its mini-batches
     */
    Exchange clock(double weight);

    /**
     * Adds a pull.
     *
     * @param into receives {@code keys.size() * width} values in the order of {@link KeyList#key}
     */
    Exchange pull(KeyList keys, float[] into);

    /** Adds a pull of the rows {@code [fromKey, toKey)} of a dense table. */
    Exchange pullRange(String table, long fromKey, long toKey, float[] into);

    /**
     * Sets the mini-batch of the pulls to the one {@code batches} after the worker's clock
     * (prefetching); at most the staleness. It is 0 unless called.
     */
    Exchange ahead(int batches);

    /**
     * Sends only after the operations of these timestamps have completed; fails if one of them
     * failed.
     */
    Exchange after(long... timestamps);

    /**
     * Sets the deadline, retries included; the session's default unless called. A server gives up
     * what waits there somewhat earlier, by a quarter of it and at most .4 s, so that it can say
     * why.
     */
    Exchange timeout(Duration timeout);

    /**
     * Returns the timestamp by which later operations may wait for this one; known before {@link
     * #send}.
     */
    long timestamp();

    /**
     * Sends the operation. Completes when every push is acknowledged and every pull has been
     * answered, exceptionally with a {@link io.github.flinkps.common.PsException} otherwise.
     */
    CompletableFuture<Void> send();
}
