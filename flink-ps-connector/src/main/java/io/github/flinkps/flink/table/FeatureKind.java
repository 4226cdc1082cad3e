package io.github.flinkps.flink.table;

import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.MapType;

/**
 * The kinds of features: how a column's values become entries (key, value) of a row of the model.
 */
public enum FeatureKind {
    /** A number: one entry, its scaled value under the hash of the column's name. */
    NUMBER,
    /** A text, a truth value, or a number declared categorical: one entry of value 1. */
    CATEGORY,
    /** An array of categories: an entry of value 1 for each. */
    CATEGORIES,
    /** An array of whole numbers, which are keys as they are: an entry of value 1 for each. */
    IDS,
    /** An array of numbers: an entry for each, by its place. */
    DENSE,
    /** A map of categories to numbers: an entry for each. */
    WEIGHTED_CATEGORIES,
    /** A map of whole numbers, which are keys as they are, to numbers: an entry for each. */
    WEIGHTED_IDS;

    /**
     * Returns the kind of a type; null for one that is no feature.
     *
     * @param categorical whether whole numbers are categories and not numbers or keys
     */
    static FeatureKind of(LogicalType type, boolean categorical) {
        if (type instanceof ArrayType array) {
            LogicalType element = array.getElementType();
            if (isWhole(element)) {
                return categorical ? CATEGORIES : IDS;
            }
            return isCategory(element) ? CATEGORIES : isNumber(element) ? DENSE : null;
        }
        if (type instanceof MapType map) {
            if (!isNumber(map.getValueType())) {
                return null;
            }
            if (isWhole(map.getKeyType())) {
                return categorical ? WEIGHTED_CATEGORIES : WEIGHTED_IDS;
            }
            return isCategory(map.getKeyType()) ? WEIGHTED_CATEGORIES : null;
        }
        if (isNumber(type)) {
            return categorical && isWhole(type) ? CATEGORY : NUMBER;
        }
        return isCategory(type) ? CATEGORY : null;
    }

    /** Returns whether keys come of hashes, not of numbers in the data. */
    boolean hashed() {
        return this != IDS && this != WEIGHTED_IDS;
    }

    /** Returns whether every row has exactly one entry of it. */
    boolean single() {
        return this == NUMBER || this == CATEGORY;
    }

    static boolean isNumber(LogicalType type) {
        return type.is(LogicalTypeFamily.NUMERIC);
    }

    static boolean isWhole(LogicalType type) {
        return type.is(LogicalTypeFamily.INTEGER_NUMERIC);
    }

    static boolean isText(LogicalType type) {
        return type.is(LogicalTypeFamily.CHARACTER_STRING);
    }

    private static boolean isCategory(LogicalType type) {
        return isText(type) || type.is(LogicalTypeRoot.BOOLEAN);
    }
}
