package io.github.flinkps.flink.ml;

import java.io.Serializable;
import org.apache.flink.types.Row;

/** Measures rows as they come. Serializable with all it has counted; for one thread at a time. */
interface Measure extends Serializable {
    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException naming the param and column for what cannot be measured
     */
    void add(Row row);

    /** Returns the measures, in the order of their columns; null for one that is not defined. */
    Object[] results();

    /** Returns a number, null where it is not defined. */
    static Double defined(double number) {
        return Double.isNaN(number) ? null : number;
    }
}
