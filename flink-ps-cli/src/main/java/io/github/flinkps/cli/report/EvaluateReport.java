package io.github.flinkps.cli.report;

/**
 * The report that {@code evaluate --report} writes.
 *
 * @param seconds of the whole command
 */
public record EvaluateReport(double seconds, TestReport test, ModelReport model) {}
