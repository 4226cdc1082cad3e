package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasItemCol;
import io.github.flinkps.flink.ml.param.HasUserCol;
import io.github.flinkps.flink.ml.param.OnlineParams;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * {@link ImplicitMatrixFactorization} on tables without end: a version of the model every save
 * interval.
 */
public final class OnlineImplicitMatrixFactorization
        extends PsEstimator<OnlineImplicitMatrixFactorization, ImplicitMatrixFactorizationModel>
        implements HasUserCol<OnlineImplicitMatrixFactorization>,
                HasItemCol<OnlineImplicitMatrixFactorization>,
                HasFactors<OnlineImplicitMatrixFactorization>,
                OnlineParams<OnlineImplicitMatrixFactorization> {
    private static final long serialVersionUID = 1L;

    public OnlineImplicitMatrixFactorization() {
        super("implicit-matrix-factorization");
    }

    @Override
    ImplicitMatrixFactorizationModel newModel() {
        return new ImplicitMatrixFactorizationModel();
    }

    /** Loads params that were saved. */
    public static OnlineImplicitMatrixFactorization load(
            StreamTableEnvironment environment, String path) throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
