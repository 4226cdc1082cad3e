package io.github.flinkps.server.aggregate;

import io.github.flinkps.common.aggregate.PartialAggregate;
import java.util.List;
import java.util.function.Function;

/**
 * An aggregate of a table, computed by partition and in blocks of rows, between which the owner of
 * the partition answers other requests. Found by {@link java.util.ServiceLoader}; must be stateless
 * and thread-safe. The client finds an {@link io.github.flinkps.common.aggregate.AggregateMerger}
 * of the same name.
 */
public interface AggregateFunction {
    /** The aggregate of one partition under way. Confined to the owner thread; must not wait. */
    interface Accumulator {
        /**
         * Adds rows.
         *
         * @param keys of the rows; not to be kept
         * @param values the table's width of values per row; not to be kept
         * @param count how many rows the arrays hold, which may be longer
         */
        void add(long[] keys, float[] values, int count);

        /** Returns the partial result; called once, behind all rows. */
        PartialAggregate result();
    }

    /** Returns the name by which clients ask for it. */
    String name();

    /** Returns whether the rows are read; else the result of a partition is that of no block. */
    default boolean readsRows() {
        return true;
    }

    /**
     * Begins the aggregate of one partition, on its owner thread; must not wait.
     *
     * @param others the partition of the same number of another table of the model, by the table's
     *     name
     * @throws IllegalArgumentException naming the argument that is wrong
     */
    Accumulator begin(TableRows rows, List<String> arguments, Function<String, TableRows> others);
}
