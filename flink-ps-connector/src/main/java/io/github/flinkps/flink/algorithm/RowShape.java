package io.github.flinkps.flink.algorithm;

/** Says which entries an algorithm expects in a row. */
public enum RowShape {
    /** Entries of any kind: the algorithm makes no demands on the row. */
    ANY,
    /** One entry for each field, always in the same order. */
    FIELDS,
    /** Two entries of value 1: the user, then the item. */
    PAIR,
    /** The words of a text in their order, as entries of value 1. */
    SEQUENCE
}
