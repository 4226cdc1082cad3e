package io.github.flinkps.flink.data;

import java.util.Locale;

/** The transforms of the numbers of a column before a model sees them. */
public enum NumericTransform {
    /**
     * They are brought to about one size: those of columns as {@link #STANDARD} does, and so is an
     * index of libsvm that most rows have, which is 0 where it is absent. A rarer one is divided by
     * the root of the mean of its squares.
     */
    AUTO,
    /** They stay as they are. */
    NONE,
    /** Less the mean, over the standard deviation, both of the rows that train. */
    STANDARD,
    /** {@code sign(x) log(1 + |x|)}. */
    LOG,
    /** The quantile they lie in, as a category. */
    BUCKET;

    /** Returns its name in options. */
    public String option() {
        return name().toLowerCase(Locale.ROOT);
    }
}
