package io.github.flinkps.cli.job;

/**
 * How well a model predicts rows.
 *
 * @param rows their number
 * @param logloss mean, by weight
 * @param auc NaN unless both labels occur
 * @param accuracy share of rows predicted right, by weight
 */
public record TestResult(long rows, double logloss, double auc, double accuracy) {}
