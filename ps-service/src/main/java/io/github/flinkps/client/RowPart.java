package io.github.flinkps.client;

import io.github.flinkps.protocol.ExchangeSection;

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
 * @param signature of the keys; 0 for a range
 * @param firstKey of a range; else 0
 * @param endKey of a range, exclusive; else 0
 */
record RowPart(
        TableRoute route,
        int link,
        long[] hashes,
        long[] keys,
        int[] runs,
        int rows,
        int[] partitions,
        long signature,
        long firstKey,
        long endKey) {
    boolean isRange() {
        return keys == null;
    }

    int addressing(boolean cached) {
        return isRange()
                ? ExchangeSection.RANGE
                : cached ? ExchangeSection.CACHED : ExchangeSection.KEYS;
    }

    /** Returns the bytes of the values. */
    long valueBytes() {
        return 4L * rows * route.spec().width();
    }
}
