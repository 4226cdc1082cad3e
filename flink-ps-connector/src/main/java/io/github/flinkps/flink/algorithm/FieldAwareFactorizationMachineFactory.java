package io.github.flinkps.flink.algorithm;

/** Makes {@link FieldAwareFactorizationMachine} models from named options. */
public final class FieldAwareFactorizationMachineFactory extends ReadingFactory {
    public FieldAwareFactorizationMachineFactory() {
        super(
                FieldAwareFactorizationMachine.NAME,
                FieldAwareFactorizationMachine.OPTIONS,
                FieldAwareFactorizationMachine::new);
    }

    @Override
    public RowShape rowShape() {
        return RowShape.FIELDS;
    }
}
