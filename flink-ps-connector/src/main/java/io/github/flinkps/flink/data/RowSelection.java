package io.github.flinkps.flink.data;

import io.github.flinkps.common.KeyHash;
import java.io.Serializable;

/**
 * Which rows of an input are read: all, or one of two parts by a hash of their position, so that
 * the parts depend on the input and the seed alone. A row tests if its hash, taken as a number in
 * [0, 1), lies below the share.
 *
 * @param part all rows, those that train or those that test
 * @param seed of the hash
 * @param share of the rows that test, between 0 and 1
 */
public record RowSelection(Part part, long seed, double share) implements Serializable {
    /** The parts of an input. */
    public enum Part {
        ALL,
        TRAIN,
        TEST
    }

    private static final long serialVersionUID = 1L;

    public RowSelection {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("test-share must be between 0 and 1, not " + share);
        }
    }

    public static RowSelection all() {
        return new RowSelection(Part.ALL, 0, 0);
    }

    /** The rows that do not test. */
    public static RowSelection train(long seed, double share) {
        return new RowSelection(Part.TRAIN, seed, share);
    }

    /** The rows that test. */
    public static RowSelection test(long seed, double share) {
        return new RowSelection(Part.TEST, seed, share);
    }

    /**
     * Whether a row is read.
     *
     * @param file place of its file in the input, from 0
     * @param position of the row in its file: the uncompressed byte where it begins, or its number
     */
    public boolean accepts(int file, long position) {
        if (part == Part.ALL) {
            return true;
        }
        long hash = KeyHash.mix64(KeyHash.mix64(KeyHash.mix64(seed) + file) + position);
        boolean tests = (hash >>> 11) * 0x1p-53 < share;
        return tests == (part == Part.TEST);
    }
}
