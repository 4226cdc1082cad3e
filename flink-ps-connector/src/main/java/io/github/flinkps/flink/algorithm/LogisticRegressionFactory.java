package io.github.flinkps.flink.algorithm;

/** Makes {@link LogisticRegression} models from named options. */
public final class LogisticRegressionFactory extends ReadingFactory {
    public LogisticRegressionFactory() {
        super(LogisticRegression.NAME, FeatureSpace.OPTIONS, LogisticRegression::new);
    }
}
