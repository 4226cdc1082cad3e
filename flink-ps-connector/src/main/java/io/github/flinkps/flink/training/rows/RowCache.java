package io.github.flinkps.flink.training.rows;

import io.github.flinkps.flink.training.TrainingException;

/** Keeps the mini-batches of the first pass for the others. Belongs to the task's thread. */
public interface RowCache extends AutoCloseable {
    /**
     * Adds one; its number is the count before.
     *
     * @throws TrainingException when there is no room for it, saying what to change
     */
    void add(MiniBatch batch) throws TrainingException;

    int size();

    /** Says that {@link #get} will be called for this one next. */
    void readAhead(int number);

    /**
     * Returns the mini-batch of a number: the one that was added, or another of the same rows.
     *
     * @throws TrainingException when it cannot be had any more
     */
    MiniBatch get(int number) throws TrainingException;

    /**
     * Returns the rows of a number, for another thread, until {@link #close}.
     *
     * @throws TrainingException as {@link #get}
     */
    RowSource source(int number) throws TrainingException;

    /** Forgets everything, and leaves no file; idempotent. */
    @Override
    void close();
}
