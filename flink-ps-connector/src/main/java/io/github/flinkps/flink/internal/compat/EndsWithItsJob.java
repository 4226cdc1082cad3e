package io.github.flinkps.flink.internal.compat;

/**
 * A source that calls itself unbounded, but ends when all that it serves has: other sources decide
 * whether there is an end.
 */
public interface EndsWithItsJob {}
