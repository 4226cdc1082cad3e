package io.github.flinkps.flink.data;

import java.util.Locale;

/** What becomes of the numbers of a column before a model sees them. */
public enum NumericTransform {
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
