package io.github.flinkps.flink.data;

import io.github.flinkps.common.KeyHash;
import io.github.flinkps.common.Range;
import java.io.Serializable;

/**
 * Selects the rows of an input that are read: all, or one of two parts by a hash of their position.
 * So the parts depend on the input and the seed alone. Another such hash selects the validation
 * rows. A row tests, or validates, if its hash, taken as a number in [0, 1), is below the share.
 *
 * @param part all rows, the training rows or the test rows
 * @param seed of the hashes
 * @param share of the test rows, between 0 and 1
 * @param validationShare of the rows read that validate, 0 where the selection does not say
 * @param withoutValidation whether validation rows are left out
 */
public record RowSelection(
        Part part, long seed, double share, double validationShare, boolean withoutValidation)
        implements Serializable {
    /** The parts of an input. */
    public enum Part {
        ALL,
        TRAIN,
        TEST
    }

    private static final long serialVersionUID = 1L;
    private static final Range<Double> SHARE = Range.between(0.0, 1.0);
    private static final long VALIDATION_SALT = 0x7A11DA7EL;

    public RowSelection {
        SHARE.check("test-share", share);
        SHARE.check("validation-share", validationShare);
    }

    public static RowSelection all() {
        return new RowSelection(Part.ALL, 0, 0, 0, false);
    }

    /** Returns the rows that do not test. */
    public static RowSelection train(long seed, double share) {
        return new RowSelection(Part.TRAIN, seed, share, 0, false);
    }

    /** Returns the test rows. */
    public static RowSelection test(long seed, double share) {
        return new RowSelection(Part.TEST, seed, share, 0, false);
    }

    /** Returns the same rows, a share of which validates. */
    public RowSelection withValidation(double rows) {
        return new RowSelection(part, seed, share, rows, false);
    }

    /** Returns those of these rows that do not validate. */
    public RowSelection withoutValidating() {
        return new RowSelection(part, seed, share, validationShare, true);
    }

    /** Returns whether it says of each row if it validates. */
    public boolean drawsValidation() {
        return validationShare > 0;
    }

    /**
     * Returns whether a row is read.
     *
     * @param file position of its file in the input, from 0
     * @param position of the row in its file: the uncompressed byte where it begins, or its number
     */
    public boolean accepts(int file, long position) {
        boolean inPart =
                part == Part.ALL || draw(seed, file, position, share) == (part == Part.TEST);
        return inPart && !(withoutValidation && validates(file, position));
    }

    /** Returns whether a row that is read validates; see {@link #accepts}. */
    public boolean validates(int file, long position) {
        return drawsValidation() && draw(seed + VALIDATION_SALT, file, position, validationShare);
    }

    private static boolean draw(long seed, int file, long position, double share) {
        long hash = KeyHash.mix64(KeyHash.mix64(KeyHash.mix64(seed) + file) + position);
        return (hash >>> 11) * 0x1p-53 < share;
    }
}
