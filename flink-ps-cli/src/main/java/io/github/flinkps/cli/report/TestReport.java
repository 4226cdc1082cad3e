package io.github.flinkps.cli.report;

import io.github.flinkps.cli.job.TestResult;

/**
 * How well a model predicts.
 *
 * @param auc null unless both labels occur
 */
public record TestReport(long rows, double logloss, Double auc, double accuracy) {
    public static TestReport of(TestResult test) {
        Double auc = Double.isNaN(test.auc()) ? null : test.auc();
        return new TestReport(test.rows(), test.logloss(), auc, test.accuracy());
    }
}
