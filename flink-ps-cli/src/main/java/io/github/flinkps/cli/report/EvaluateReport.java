package io.github.flinkps.cli.report;

/**
 * What {@code evaluate --report} writes.
 *
 * @param seconds of the whole command
 */
public record EvaluateReport(double seconds, TestReport test, ModelReport model) {}
