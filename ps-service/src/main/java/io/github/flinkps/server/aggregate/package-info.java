/**
 * Aggregates computed next to the rows. {@link
 * io.github.flinkps.server.aggregate.AggregateFunction} is an API for users, found by {@link
 * java.util.ServiceLoader}; it runs on the owner thread of the partition, in turns with other
 * requests.
 */
package io.github.flinkps.server.aggregate;
