package io.github.flinkps.cli;

import java.util.concurrent.Callable;

/**
 * Marks a command that a jar on the class path adds to {@code flink-ps}. Its picocli annotation
 * names and describes it; {@code META-INF/services} names its class, which has a constructor
 * without parameters and loads little: it is made whatever command runs.
 */
public interface Subcommand extends Callable<Integer> {}
