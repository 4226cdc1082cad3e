package io.github.flinkps.flink.data;

/**
 * The text format of Vowpal Wabbit, its common subset: {@code label weight 'tag|namespace:scale
 * feature:value feature ... |namespace feature ...}. All but the bars may be missing. The weight is
 * the row's, a namespace's scale multiplies the values of its features, and a value that is missing
 * is 1. A tag is skipped. The key of a feature is the hash of its namespace, as of a column, and
 * its name ({@link FeatureHash}). There are no initial predictions, and no labels of several parts.
 *
 * @param labels which labels are allowed, and what becomes of -1
 * @param hashBits of the keys
 */
public record VwFormat(Labels labels, int hashBits) implements RowFormat {
    /** The name of the format on the command line. */
    public static final String NAME = "vw";

    private static final long serialVersionUID = 1L;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RowParser newParser() {
        return new VwParser(labels, hashBits);
    }
}
