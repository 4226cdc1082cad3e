package io.github.flinkps.flink.algorithm;

/**
 * An option of a model, for command lines, SQL and documents.
 *
 * @param name hyphenated
 * @param type of its value
 * @param defaultValue what it is when not given, or what then holds, for people
 * @param description a phrase
 */
public record ModelOption(String name, Type type, String defaultValue, String description) {
    /** Makes the table of feature weights dense. */
    public static final ModelOption FEATURES =
            whole(
                    "features",
                    "any index goes",
                    "number of features: indices are 0 to N-1 and weights lie in a dense table");

    /** Makes the space of keys smaller, so that their lists are shorter on the wire. */
    public static final ModelOption KEY_BITS =
            whole(
                    "key-bits",
                    "64",
                    "feature indices are below 2 to this power, which makes their lists shorter on"
                            + " the wire");

    /** Says into how many partitions the tables of features are cut. */
    public static final ModelOption PARTITIONS =
            whole("partitions", "64", "partitions of the tables of features");

    /** Says where the bias of a linear model begins. */
    public static final ModelOption INITIAL_BIAS =
            number("initial-bias", "0", "value of the bias before training");

    /** Says how many items there are to draw from, of an algorithm that draws some. */
    public static final ModelOption ITEMS =
            whole("items", "those of the mini-batch", "number of items to draw from, evenly");

    /** Says which the first of them is. */
    public static final ModelOption FIRST_ITEM =
            whole("first-item", "0", "with items, the least index of an item");

    /** The type of an option's values. */
    public enum Type {
        WHOLE_NUMBER,
        NUMBER,
        TEXT,
        FLAG
    }

    /** Returns an option of a whole number. */
    public static ModelOption whole(String name, String defaultValue, String description) {
        return new ModelOption(name, Type.WHOLE_NUMBER, defaultValue, description);
    }

    /** Returns an option of any number. */
    public static ModelOption number(String name, String defaultValue, String description) {
        return new ModelOption(name, Type.NUMBER, defaultValue, description);
    }

    /** Returns an option of text. */
    public static ModelOption text(String name, String defaultValue, String description) {
        return new ModelOption(name, Type.TEXT, defaultValue, description);
    }

    /** Returns an option that is true or false, which is its default. */
    public static ModelOption flag(String name, String description) {
        return new ModelOption(name, Type.FLAG, "false", description);
    }
}
