package io.github.flinkps.flink.training;

/**
 * The units that change their place after the first pass, in which rows train in the order they
 * come in.
 */
public enum Shuffle {
    /**
     * Whole mini-batches. They keep their keys, so that servers are sent a signature in the place
     * of a key list they have seen.
     */
    BATCHES,

    /**
     * Rows: the mini-batches are put in an order drawn for the pass, and the rows of as many of
     * them at a time as fit a window of 32 MiB are dealt anew, in an order drawn too. (A row can so
     * meet any other, but those of one mini-batch always meet those of the same few hundred or
     * thousand others in a pass.) Key lists change with each pass and are sent in full.
     */
    ROWS
}
