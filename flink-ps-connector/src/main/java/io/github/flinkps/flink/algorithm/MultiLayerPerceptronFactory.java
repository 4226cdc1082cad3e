package io.github.flinkps.flink.algorithm;

/** Makes {@link MultiLayerPerceptron} models from named options. */
public final class MultiLayerPerceptronFactory extends ReadingFactory {
    public MultiLayerPerceptronFactory() {
        super(MultiLayerPerceptron.NAME, MultiLayerPerceptron.OPTIONS, MultiLayerPerceptron::new);
    }
}
