package io.github.flinkps.protocol;

import java.util.ArrayList;
import java.util.Objects;

/** Messages of administration, carried by {@link AdminCodec}. */
public final class AdminMessages {
    private AdminMessages() {}

    /**
     * What a server says of itself.
     *
     * @param uptimeMillis since start
     * @param models hosted
     * @param tables hosted
     * @param rows in all partitions
     * @param bytes of pages and indexes
     * @param requests answered
     * @param owners owner threads
     */
    public record Stats(
            long uptimeMillis,
            int models,
            int tables,
            long rows,
            long bytes,
            long requests,
            int owners) {}

    /**
     * Arrival at a barrier.
     *
     * @param session that arrives
     * @param name of the barrier
     * @param parties that must arrive
     * @param once whether it is met once only, and who comes later is told what the others were
     * @param values that all parties are to know
     */
    public record Barrier(int session, String name, int parties, boolean once, double[] values) {
        public Barrier {
            Objects.requireNonNull(name);
            Objects.requireNonNull(values);
        }
    }

    /**
     * An aggregate over an owner's partitions.
     *
     * @param session that asks
     * @param table its number
     * @param function name
     * @param arguments of the function
     */
    public record Aggregate(int session, int table, String function, ArrayList<String> arguments) {}

    /**
     * What an aggregate found in one partition; the answer is a list of them.
     *
     * @param partition its number
     * @param keys for aggregates that name rows, else empty
     * @param values the numbers
     */
    public record Partial(int partition, long[] keys, double[] values) {}
}
