package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.BoundedParams;
import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasItemCol;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasUserCol;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** Factors of users and items, whose product and biases predict the label, a rating. */
public final class MatrixFactorization
        extends PsEstimator<MatrixFactorization, MatrixFactorizationModel>
        implements HasUserCol<MatrixFactorization>,
                HasItemCol<MatrixFactorization>,
                HasFactors<MatrixFactorization>,
                HasLabelCol<MatrixFactorization>,
                BoundedParams<MatrixFactorization> {
    private static final long serialVersionUID = 1L;

    public MatrixFactorization() {
        super("matrix-factorization");
    }

    @Override
    MatrixFactorizationModel newModel() {
        return new MatrixFactorizationModel();
    }

    /** Loads params that were saved. */
    public static MatrixFactorization load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
