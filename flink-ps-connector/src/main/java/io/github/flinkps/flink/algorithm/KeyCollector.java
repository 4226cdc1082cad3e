package io.github.flinkps.flink.algorithm;

/**
 * Takes the keys a mini-batch touches. In one mini-batch a table is touched by keys or by one
 * range, not both. Copies what it is given.
 */
public interface KeyCollector {
    /**
     * Adds the keys {@code keys[from, to)}, which may repeat, to those of a table. Their order
     * fixes {@link Parameters#positions}.
     */
    void add(int table, long[] keys, int from, int to);

    /** Adds one key. */
    void add(int table, long key);

    /**
     * Touches the rows {@code [fromKey, toKey)} of a dense table, once per mini-batch and table.
     */
    void range(int table, long fromKey, long toKey);

    /**
     * Returns a number for models that draw at random ({@link TrainingModel#samples}): the same for
     * the same rows, pass and seed of the job, and {@link Parameters#seed} of this mini-batch.
     */
    long seed();
}
