package io.github.flinkps.flink.service;

import java.util.List;

/**
 * The addresses of the servers of an attempt of a job, as published in the registry.
 *
 * @param run identity of the job
 * @param fence identity of the attempt
 * @param addresses of the servers, in the order that fixes who owns what; none while a job begins
 *     or begins again, and once it has ended
 * @param expiryMillis wall clock, of who leads the job, after which the entry counts as left
 *     behind; moves on when the entry is renewed
 * @param hasEnded whether the job has ended, as far as its last JobManager knows
 */
public record ServiceAddress(
        String run, long fence, List<String> addresses, long expiryMillis, boolean hasEnded) {
    /**
     * The expiry that keeps what the servers have when the job is over, for others to go on with.
     */
    static final long NEVER = Long.MAX_VALUE;

    /** Returns whether the entry says nothing of a job that runs. */
    public boolean outlivesJob() {
        return expiryMillis == NEVER;
    }

    /** Returns the same for somebody who knows that its job runs. */
    public ServiceAddress lasting() {
        return new ServiceAddress(run, fence, addresses, NEVER, hasEnded);
    }

    /** Returns whether servers can be asked. */
    public boolean hasServers() {
        return !addresses.isEmpty();
    }

    /** Makes the address of a job that somebody leads. */
    public ServiceAddress(String run, long fence, List<String> addresses, long expiryMillis) {
        this(run, fence, addresses, expiryMillis, false);
    }

    /** Returns the entry of a job that has ended. */
    static ServiceAddress ended(String run, long fence, long expiryMillis) {
        return new ServiceAddress(run, fence, List.of(), expiryMillis, true);
    }

    public ServiceAddress {
        addresses = List.copyOf(addresses);
    }
}
