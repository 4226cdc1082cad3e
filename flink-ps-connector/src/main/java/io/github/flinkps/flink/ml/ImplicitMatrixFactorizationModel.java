package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasItemCol;
import io.github.flinkps.flink.ml.param.HasUserCol;
import java.io.IOException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * The model of {@link ImplicitMatrixFactorization} and {@link OnlineImplicitMatrixFactorization}.
 */
public final class ImplicitMatrixFactorizationModel
        extends PsModel<ImplicitMatrixFactorizationModel>
        implements HasUserCol<ImplicitMatrixFactorizationModel>,
                HasItemCol<ImplicitMatrixFactorizationModel>,
                HasFactors<ImplicitMatrixFactorizationModel> {
    private static final long serialVersionUID = 1L;

    public ImplicitMatrixFactorizationModel() {
        super("implicit-matrix-factorization");
    }

    /** Loads the newest version of a model that was saved. */
    public static ImplicitMatrixFactorizationModel load(
            StreamTableEnvironment environment, String path) throws IOException {
        return PsModel.<ImplicitMatrixFactorizationModel>newest(environment, path);
    }
}
