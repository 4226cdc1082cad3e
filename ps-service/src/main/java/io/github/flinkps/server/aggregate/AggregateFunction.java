package io.github.flinkps.server.aggregate;

import io.github.flinkps.common.aggregate.PartialAggregate;
import java.util.List;
import java.util.function.Function;

/**
 * An aggregate of a table, computed by partition. Found by {@link java.util.ServiceLoader}; must be
 * stateless and thread-safe. The client finds an {@link
 * io.github.flinkps.common.aggregate.AggregateMerger} of the same name.
 */
public interface AggregateFunction {
    /** Returns the name by which clients ask for it. */
    String name();

    /**
     * Returns the partial result of one partition; runs on its owner thread and must neither wait
     * nor keep {@code rows}.
     *
     * @param others the partition of the same number of another table of the model, by the table's
     *     name
     * @throws IllegalArgumentException naming the argument that is wrong
     */
    PartialAggregate scan(
            TableRows rows, List<String> arguments, Function<String, TableRows> others);
}
