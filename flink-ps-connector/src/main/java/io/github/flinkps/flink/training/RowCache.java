package io.github.flinkps.flink.training;

/** Keeps the mini-batches of the first pass for the others. Belongs to the task's thread. */
interface RowCache extends AutoCloseable {
    /** Adds one; its number is the count before. */
    void add(MiniBatch batch);

    int size();

    /** The mini-batch of a number. */
    MiniBatch get(int number);

    /** Forgets everything; idempotent. */
    @Override
    void close();
}
