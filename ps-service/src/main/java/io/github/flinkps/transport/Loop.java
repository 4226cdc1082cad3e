package io.github.flinkps.transport;

import java.util.concurrent.Executor;

/**
 * A thread that runs what it is given, in order: an event loop, or a simulated one on virtual time.
 */
public interface Loop extends Executor {
    /** Returns whether the caller is this loop's thread. */
    boolean inLoop();

    /** Runs a command once after a delay, on this loop; the returned action cancels it. */
    Runnable schedule(Runnable command, long delayNanos);

    /** Tells the host of this loop's thread of a problem of which nobody else can be told. */
    default void report(Throwable problem) {}

    /** Returns the monotonic time as this loop sees it, in nanoseconds. */
    long nanoTime();
}
