package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.BoundedParams;
import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasItemCol;
import io.github.flinkps.flink.ml.param.HasUserCol;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * Factors of users and items that met: the prediction, a score, ranks the items of a user. It looks
 * at no labels.
 */
public final class ImplicitMatrixFactorization
        extends PsEstimator<ImplicitMatrixFactorization, ImplicitMatrixFactorizationModel>
        implements HasUserCol<ImplicitMatrixFactorization>,
                HasItemCol<ImplicitMatrixFactorization>,
                HasFactors<ImplicitMatrixFactorization>,
                BoundedParams<ImplicitMatrixFactorization> {
    private static final long serialVersionUID = 1L;

    public ImplicitMatrixFactorization() {
        super("implicit-matrix-factorization");
    }

    @Override
    ImplicitMatrixFactorizationModel newModel() {
        return new ImplicitMatrixFactorizationModel();
    }

    /** Loads params that were saved. */
    public static ImplicitMatrixFactorization load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
