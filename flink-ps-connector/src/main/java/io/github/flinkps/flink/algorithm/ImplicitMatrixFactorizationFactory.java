package io.github.flinkps.flink.algorithm;

/** Makes {@link ImplicitMatrixFactorization} models from named options. */
public final class ImplicitMatrixFactorizationFactory extends ReadingFactory {
    public ImplicitMatrixFactorizationFactory() {
        super(
                ImplicitMatrixFactorization.NAME,
                ImplicitMatrixFactorization.OPTIONS,
                ImplicitMatrixFactorization::new);
    }

    @Override
    public RowShape rowShape() {
        return RowShape.PAIR;
    }

    @Override
    public boolean learnsLabels() {
        return false;
    }
}
