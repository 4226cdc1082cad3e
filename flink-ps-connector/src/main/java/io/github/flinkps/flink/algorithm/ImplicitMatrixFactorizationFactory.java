package io.github.flinkps.flink.algorithm;

import java.util.ArrayList;
import java.util.List;

/** Makes {@link ImplicitMatrixFactorization} models from named options. */
public final class ImplicitMatrixFactorizationFactory extends ReadingFactory {
    public ImplicitMatrixFactorizationFactory() {
        super(
                ImplicitMatrixFactorization.NAME,
                ImplicitMatrixFactorization.OPTIONS,
                ImplicitMatrixFactorization::new);
    }

    @Override
    public List<ModelOption> columnOptions() {
        List<ModelOption> all = new ArrayList<>(options());
        all.remove(ImplicitMatrixFactorization.ITEMS);
        all.remove(ImplicitMatrixFactorization.FIRST_ITEM);
        return all;
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
