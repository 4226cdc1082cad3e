package io.github.flinkps.flink.algorithm;

/** Says which entries an algorithm expects in a row. */
public enum RowShape {
    /** Any. */
    ANY,
    /** One for each field, always in the same order. */
    FIELDS,
    /** Two of value 1: user, then item. */
    PAIR,
    /** Words in their order, of value 1. */
    SEQUENCE
}
