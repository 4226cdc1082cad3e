package io.github.flinkps.flink.algorithm;

/** Makes {@link WideAndDeep} models from named options. */
public final class WideAndDeepFactory extends ReadingFactory {
    public WideAndDeepFactory() {
        super(WideAndDeep.NAME, WideAndDeep.OPTIONS, WideAndDeep::new);
    }

    @Override
    public RowShape rowShape() {
        return RowShape.FIELDS;
    }
}
