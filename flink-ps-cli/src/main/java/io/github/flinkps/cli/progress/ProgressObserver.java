package io.github.flinkps.cli.progress;

/** Is told how a training goes, on the main thread. */
public interface ProgressObserver {
    /** Milliseconds between two points within a pass. */
    long intervalMillis();

    /** A point within a pass, or its end. */
    void point(ProgressPoint point);

    /** The command goes on to something else, such as {@code testing}. */
    default void phase(String name) {}
}
