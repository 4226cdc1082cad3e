package io.github.flinkps.flink.algorithm;

/** Makes {@link LinearRegression} models from named options. */
public final class LinearRegressionFactory extends ReadingFactory {
    public LinearRegressionFactory() {
        super(LinearRegression.NAME, FeatureSpace.OPTIONS, LinearRegression::new);
    }
}
