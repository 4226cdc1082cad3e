package io.github.flinkps.flink.data;

/**
 * The format of libsvm: {@code label index:value index:value ... # comment}. Indices are whole
 * numbers from 0, taken as keys as they are, in any order, none twice; values and labels are finite
 * decimal numbers. As in XGBoost a label may carry the row's weight: {@code label:weight}. Blank
 * lines and lines of comment hold no row.
 *
 * @param labels which labels are allowed, and what becomes of -1
 * @param features indices must be below this number; {@link #ANY_INDEX} for no limit
 */
public record LibsvmFormat(Labels labels, long features) implements RowFormat {
    /** Stands for no limit of indices. */
    public static final long ANY_INDEX = Long.MAX_VALUE;

    private static final long serialVersionUID = 1L;

    public LibsvmFormat {
        if (features < 1) {
            throw new IllegalArgumentException("features must be at least 1, not " + features);
        }
    }

    /** Returns the format without a limit for indices. */
    public static LibsvmFormat of(Labels labels) {
        return new LibsvmFormat(labels, ANY_INDEX);
    }

    /** Returns a copy that refuses indices from {@code count} on. */
    public LibsvmFormat withFeatures(long count) {
        return new LibsvmFormat(labels, count);
    }

    @Override
    public String name() {
        return "libsvm";
    }

    @Override
    public RowParser newParser() {
        return new LibsvmParser(labels, features, false);
    }
}
