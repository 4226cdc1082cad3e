package io.github.flinkps.cli.progress;

/** Observes how a training goes, on the main thread. */
public interface ProgressObserver {
    /** Returns the milliseconds between two points within a pass. */
    long intervalMillis();

    /** Receives a point within a pass, or the one at its end. */
    void point(ProgressPoint point);

    /** Learns that the command goes on to something else, such as {@code testing}. */
    default void phase(String name) {}
}
