package io.github.flinkps.client;

/**
 * The answer of an aggregate.
 *
 * @param keys for aggregates that name rows (top-k), else empty
 * @param values the numbers, one per key where there are keys
 */
public record AggregateResult(long[] keys, double[] values) {}
