package io.github.flinkps.common.aggregate;

/**
 * The result of an aggregate in a partition, in several of them, or in all. The arrays must not be
 * changed.
 *
 * @param keys of the rows it names, else empty
 * @param values its numbers, one per key where there are keys
 */
public record PartialAggregate(long[] keys, double[] values) {
    private static final long[] NO_KEYS = {};

    public static PartialAggregate of(double... values) {
        return new PartialAggregate(NO_KEYS, values);
    }
}
