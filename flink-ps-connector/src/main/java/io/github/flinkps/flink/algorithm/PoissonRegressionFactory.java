package io.github.flinkps.flink.algorithm;

/** Makes {@link PoissonRegression} models from named options. */
public final class PoissonRegressionFactory extends ReadingFactory {
    public PoissonRegressionFactory() {
        super(PoissonRegression.NAME, FeatureSpace.OPTIONS, PoissonRegression::new);
    }
}
