package io.github.flinkps.flink.training.rows;

import java.io.Serializable;

/**
 * The sizes of a worker's mini-batches by the rows that it has seen, so that what is trained is the
 * same in every run. They begin small, since the first steps learn most; later ones are of an even
 * share of the rows seen, up to a largest. So late steps are few, their keys repeat, and they cost
 * little.
 *
 * @param first rows of the first ones
 * @param most rows of the last ones; {@code first} times a power of two
 */
public record BatchGrowth(int first, int most) implements Serializable {
    /** The rows seen of which a mini-batch has at most one part in so many. */
    private static final int SHARE = 64;

    /** Returns mini-batches that stay as large as they are. */
    public static BatchGrowth none(int rows) {
        return new BatchGrowth(rows, rows);
    }

    /**
     * Returns the rows of a mini-batch.
     *
     * @param seen rows of the mini-batches before it
     */
    int rows(long seen) {
        long rows = first;
        while (2 * rows <= Math.min(most, seen / SHARE)) {
            rows *= 2;
        }
        return (int) rows;
    }
}
