package io.github.flinkps.client;

/**
 * The statistics that a server gives of itself.
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
