/**
 * Aggregates of tables as both ends see them: the partial result of a partition and how partial
 * results become one. {@link io.github.flinkps.common.aggregate.AggregateMerger} is an API for
 * users. Stateless; any thread.
 */
package io.github.flinkps.common.aggregate;
