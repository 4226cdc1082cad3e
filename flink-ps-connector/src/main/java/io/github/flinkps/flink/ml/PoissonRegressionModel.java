package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import java.io.IOException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** The model of {@link PoissonRegression} and {@link OnlinePoissonRegression}. */
public final class PoissonRegressionModel extends PsModel<PoissonRegressionModel>
        implements HasFeaturesCol<PoissonRegressionModel>,
                HasFeaturesCols<PoissonRegressionModel>,
                HasNumFeatures<PoissonRegressionModel> {
    private static final long serialVersionUID = 1L;

    public PoissonRegressionModel() {
        super("poisson-regression");
    }

    /** Loads the newest version of a model that was saved. */
    public static PoissonRegressionModel load(StreamTableEnvironment environment, String path)
            throws IOException {
        return PsModel.<PoissonRegressionModel>newest(environment, path);
    }
}
