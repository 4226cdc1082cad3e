package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasItemCol;
import io.github.flinkps.flink.ml.param.HasUserCol;
import java.io.IOException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** The model of {@link MatrixFactorization} and {@link OnlineMatrixFactorization}. */
public final class MatrixFactorizationModel extends PsModel<MatrixFactorizationModel>
        implements HasUserCol<MatrixFactorizationModel>,
                HasItemCol<MatrixFactorizationModel>,
                HasFactors<MatrixFactorizationModel> {
    private static final long serialVersionUID = 1L;

    public MatrixFactorizationModel() {
        super("matrix-factorization");
    }

    /** Loads the newest version of a model that was saved. */
    public static MatrixFactorizationModel load(StreamTableEnvironment environment, String path)
            throws IOException {
        return PsModel.<MatrixFactorizationModel>newest(environment, path);
    }
}
