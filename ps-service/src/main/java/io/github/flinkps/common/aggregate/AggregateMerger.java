package io.github.flinkps.common.aggregate;

import java.util.List;

/**
 * Makes one result, at a client, of the partial results of an aggregate's partitions. Found by
 * {@link java.util.ServiceLoader}; must be stateless and thread-safe. The scanning of a partition
 * is the server's {@code AggregateFunction} of the same name; one class may be both.
 */
public interface AggregateMerger {
    /** Returns the aggregate's name. */
    String name();

    /** Returns one partial result of two; associative. Clients merge in the order of partitions. */
    PartialAggregate merge(PartialAggregate left, PartialAggregate right, List<String> arguments);

    /** Returns the result, of everything merged. */
    default PartialAggregate finish(PartialAggregate merged, List<String> arguments) {
        return merged;
    }
}
