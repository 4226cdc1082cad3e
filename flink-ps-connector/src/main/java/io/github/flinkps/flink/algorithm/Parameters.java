package io.github.flinkps.flink.algorithm;

/**
 * The rows pulled for a mini-batch. The arrays belong to the worker, may be longer than what they
 * hold, must not be changed and are valid during the call.
 */
public interface Parameters {
    /**
     * Returns the number of rows pulled of a table: of its unique keys, or the length of its range.
     */
    int rows(int table);

    /** Returns the rows of a table one after the other, {@code width} values each. */
    float[] values(int table);

    /**
     * Returns for each key collected of a table, in that order, the row that holds its values
     * ({@code positions[i] * width} is the first). Null for a table touched by range: there row
     * {@code k} is that of key {@code fromKey + k}.
     */
    int[] positions(int table);

    /** Returns the number which {@link KeyCollector#seed} gave for this mini-batch. */
    long seed();
}
