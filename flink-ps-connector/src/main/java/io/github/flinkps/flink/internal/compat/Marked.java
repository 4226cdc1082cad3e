package io.github.flinkps.flink.internal.compat;

/** Carries a mark while a job is put together, and not into it. */
interface Marked {
    /** Empty if there is none. */
    String mark();

    void mark(String mark);
}
