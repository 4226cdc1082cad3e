package io.github.flinkps.client;

/**
 * Counts of what a server hosts and has done, as it reports them itself.
 *
 * @param endpoint its address
 * @param uptimeMillis since start
 * @param models hosted
 * @param tables hosted
 * @param rows in all partitions
 * @param bytes of pages and indexes
 * @param requests answered since start
 * @param owners owner threads
 */
public record ServerStats(
        String endpoint,
        long uptimeMillis,
        int models,
        int tables,
        long rows,
        long bytes,
        long requests,
        int owners) {}
