package io.github.flinkps.flink.metrics;

/**
 * Rows of about the same score, and how often their label is 1: of a model whose scores are
 * probabilities the two means are alike.
 *
 * @param rows their number
 * @param meanScore by weight
 * @param meanLabel by weight
 */
public record CalibrationBin(long rows, double meanScore, double meanLabel) {}
