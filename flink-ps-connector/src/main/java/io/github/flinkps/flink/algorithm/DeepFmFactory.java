package io.github.flinkps.flink.algorithm;

/** Makes {@link DeepFm} models from named options. */
public final class DeepFmFactory extends ReadingFactory {
    public DeepFmFactory() {
        super(DeepFm.NAME, DeepFm.OPTIONS, DeepFm::new);
    }

    @Override
    public RowShape rowShape() {
        return RowShape.FIELDS;
    }
}
