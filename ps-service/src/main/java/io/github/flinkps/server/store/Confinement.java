package io.github.flinkps.server.store;

/**
 * Tells whether something is used by one thread alone, to be asserted where it is used. Costs one
 * reference.
 */
public final class Confinement {
    private Thread owner;

    /** Returns whether the current thread is the owner; the first to ask becomes it. */
    public boolean isOwnThread() {
        if (owner == null) {
            owner = Thread.currentThread();
        }
        return owner == Thread.currentThread();
    }

    /**
     * Lets the next thread that asks become the owner; the caller provides the happens-before edge.
     */
    void handOver() {
        owner = null;
    }
}
