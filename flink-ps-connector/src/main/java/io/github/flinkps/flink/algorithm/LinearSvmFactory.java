package io.github.flinkps.flink.algorithm;

/** Makes {@link LinearSvm} models from named options. */
public final class LinearSvmFactory extends ReadingFactory {
    public LinearSvmFactory() {
        super(LinearSvm.NAME, FeatureSpace.OPTIONS, LinearSvm::new);
    }
}
