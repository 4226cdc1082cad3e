package io.github.flinkps.flink.data;

import java.io.Closeable;

/** Reads the rows of a split in order; belongs to one thread. */
interface BlockReader extends Closeable {
    /** Returns the next rows, or null at the end of the split. */
    PositionedBatch next() throws InputException;
}
