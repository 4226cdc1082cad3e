package io.github.flinkps.harness.bench;

import java.util.concurrent.CompletableFuture;

/** Operations to be measured, that know what they must have done. */
interface Load {
    /** Returns the name of the operation: {@code push} or {@code pull}. */
    String op();

    /** Returns the number of keys of an operation. */
    int keys();

    /** Returns the number of values per key. */
    int width();

    /**
     * Starts an operation of a client. A slot has one operation under way at most; a client's calls
     * come one after the other.
     */
    CompletableFuture<Void> start(int client, int slot);

    /** Returns how many operations a client may start before the next {@link #refill}. */
    long startable();

    /** Prepares what operations use up; nothing is under way. */
    void refill();

    /**
     * Compares what was pulled, or what pushes left at the servers, with what must be there;
     * nothing is under way.
     *
     * @throws io.github.flinkps.common.PsException if a value is wrong
     */
    void verify();
}
