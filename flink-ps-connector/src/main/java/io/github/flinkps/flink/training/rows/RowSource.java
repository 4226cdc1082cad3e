package io.github.flinkps.flink.training.rows;

import java.io.IOException;

/** Rows that are kept somewhere and do not change; by any thread, one at a time. */
interface RowSource {
    int rows();

    /** Puts them into the record, in the place of what it holds. */
    void writeTo(RowRecord record) throws IOException;
}
