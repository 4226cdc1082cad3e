package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.OnlineParams;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** {@link PoissonRegression} on tables without end: a version of the model every save interval. */
public final class OnlinePoissonRegression
        extends PsEstimator<OnlinePoissonRegression, PoissonRegressionModel>
        implements HasFeaturesCol<OnlinePoissonRegression>,
                HasFeaturesCols<OnlinePoissonRegression>,
                HasNumFeatures<OnlinePoissonRegression>,
                HasLabelCol<OnlinePoissonRegression>,
                OnlineParams<OnlinePoissonRegression> {
    private static final long serialVersionUID = 1L;

    public OnlinePoissonRegression() {
        super("poisson-regression");
    }

    @Override
    PoissonRegressionModel newModel() {
        return new PoissonRegressionModel();
    }

    /** Loads params that were saved. */
    public static OnlinePoissonRegression load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
