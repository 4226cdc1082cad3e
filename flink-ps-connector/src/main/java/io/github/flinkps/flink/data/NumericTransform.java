package io.github.flinkps.flink.data;

import java.util.Locale;

/** The transforms of the numbers of a column before a model sees them. */
public enum NumericTransform {
    /**
     * Brings numbers to about one size. A column is scaled as by {@link #STANDARD}. So is an index
     * of libsvm that most rows have, which counts as 0 where it is absent. A rarer index is divided
     * by the root of the mean of its squares.
     */
    AUTO,
    /** Leaves numbers as they are. */
    NONE,
    /** Subtracts the mean and divides by the standard deviation, both of the training rows. */
    STANDARD,
    /** {@code sign(x) log(1 + |x|)}. */
    LOG,
    /** Makes a category of the quantile that a number lies in. */
    BUCKET;

    /** Returns its name in options. */
    public String option() {
        return name().toLowerCase(Locale.ROOT);
    }
}
