package io.github.flinkps.flink.algorithm;

/** Makes {@link Softmax} models from named options. */
public final class SoftmaxFactory extends ReadingFactory {
    public SoftmaxFactory() {
        super(Softmax.NAME, Softmax.OPTIONS, Softmax::new);
    }
}
