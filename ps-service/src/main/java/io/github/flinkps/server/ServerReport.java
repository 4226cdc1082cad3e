package io.github.flinkps.server;

import io.github.flinkps.protocol.AdminMessages;
import java.time.Duration;
import java.util.List;

/**
 * Tells what a server hosts and has done, as its own threads say.
 *
 * @param uptime since it was started
 * @param models hosted
 * @param tables hosted
 * @param requests answered by the control thread
 * @param owners what each owner thread tells, in their order
 */
public record ServerReport(
        Duration uptime, int models, int tables, long requests, List<OfOwner> owners) {
    /**
     * Tells what an owner thread has and does.
     *
     * @param rows in its partitions
     * @param bytes of their pages and indexes
     * @param requests answered
     * @param parked pulls that wait for a clock
     * @param deferredBytes of entries that wait behind a marker
     * @param savedBytes of rows saved from being overwritten before a cut has copied them
     */
    public record OfOwner(
            long rows,
            long bytes,
            long requests,
            int parked,
            long deferredBytes,
            long savedBytes) {}

    /** Returns the sums that clients may ask for. */
    AdminMessages.Stats stats() {
        return new AdminMessages.Stats(
                uptime.toMillis(),
                models,
                tables,
                owners.stream().mapToLong(OfOwner::rows).sum(),
                owners.stream().mapToLong(OfOwner::bytes).sum(),
                requests + owners.stream().mapToLong(OfOwner::requests).sum(),
                owners.size());
    }
}
