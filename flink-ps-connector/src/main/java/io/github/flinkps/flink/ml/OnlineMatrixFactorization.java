package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasItemCol;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasUserCol;
import io.github.flinkps.flink.ml.param.OnlineParams;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * {@link MatrixFactorization} on tables without end: a version of the model every save interval.
 */
public final class OnlineMatrixFactorization
        extends PsEstimator<OnlineMatrixFactorization, MatrixFactorizationModel>
        implements HasUserCol<OnlineMatrixFactorization>,
                HasItemCol<OnlineMatrixFactorization>,
                HasFactors<OnlineMatrixFactorization>,
                HasLabelCol<OnlineMatrixFactorization>,
                OnlineParams<OnlineMatrixFactorization> {
    private static final long serialVersionUID = 1L;

    public OnlineMatrixFactorization() {
        super("matrix-factorization");
    }

    @Override
    MatrixFactorizationModel newModel() {
        return new MatrixFactorizationModel();
    }

    /** Loads params that were saved. */
    public static OnlineMatrixFactorization load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
