package io.github.flinkps.flink.algorithm;

/** Makes {@link FactorizationMachine} models from named options. */
public final class FactorizationMachineFactory extends ReadingFactory {
    public FactorizationMachineFactory() {
        super(FactorizationMachine.NAME, FactorizationMachine.OPTIONS, FactorizationMachine::new);
    }
}
