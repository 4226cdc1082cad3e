package io.github.flinkps.client;

import io.github.flinkps.protocol.ExchangeLayout;

/**
 * Rows of one table that travel in one section of a request to one owner thread: runs of the
 * caller's array.
 *
 * @param route of the table
 * @param link to the owner thread
 * @param hashes of the whole key list, sorted; null for a range
 * @param keys of the whole key list in that order; null for a range
 * @param runs pairs of first row and end in the caller's array, ascending
 * @param rows in all runs
 * @param partitions touched, ascending
 * @param word signature of the keys, or first key of the range
 * @param rangeEnd of a range, exclusive
 */
record RowPart(
        TableRoute route,
        int link,
        long[] hashes,
        long[] keys,
        int[] runs,
        int rows,
        int[] partitions,
        long word,
        long rangeEnd) {
    boolean isRange() {
        return keys == null;
    }

    int addressing(boolean cached) {
        return isRange()
                ? ExchangeLayout.RANGE
                : cached ? ExchangeLayout.CACHED : ExchangeLayout.KEYS;
    }

    /** Bytes of the values. */
    long valueBytes() {
        return 4L * rows * route.spec().width();
    }
}
