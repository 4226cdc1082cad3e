package io.github.flinkps.flink.training.rows;

import java.io.Serializable;

/**
 * The sizes of a worker's mini-batches by their number, and so by the rows that it has seen, never
 * by time: what is trained is the same in every run. They begin small, since the first steps learn
 * most; later ones are of an even share of the rows seen, up to a largest. So late steps are few,
 * their keys repeat, and they cost little.
 *
 * @param first rows of the first ones
 * @param most rows of the last ones; {@code first} times a power of two
 */
public record BatchGrowth(int first, int most) implements Serializable {
    /** Mini-batches of the first size, and about those in which the rows seen double afterwards. */
    private static final int BEFORE_GROWTH = 128;

    private static final int BEFORE_DOUBLING = 88;

    /** Returns mini-batches that stay as large as they are. */
    public static BatchGrowth none(int rows) {
        return new BatchGrowth(rows, rows);
    }

    /**
     * Returns the rows of a mini-batch.
     *
     * @param number of the mini-batch in the first pass, from 0 on
     */
    int rows(long number) {
        long doublings = Math.max(0, number - BEFORE_GROWTH + BEFORE_DOUBLING) / BEFORE_DOUBLING;
        return (int) Math.min(most, (long) first << Math.min(31, doublings));
    }
}
