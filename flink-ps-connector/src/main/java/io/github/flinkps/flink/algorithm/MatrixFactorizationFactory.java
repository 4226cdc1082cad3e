package io.github.flinkps.flink.algorithm;

/** Makes {@link MatrixFactorization} models from named options. */
public final class MatrixFactorizationFactory extends ReadingFactory {
    public MatrixFactorizationFactory() {
        super(MatrixFactorization.NAME, MatrixFactorization.OPTIONS, MatrixFactorization::new);
    }

    @Override
    public RowShape rowShape() {
        return RowShape.PAIR;
    }
}
