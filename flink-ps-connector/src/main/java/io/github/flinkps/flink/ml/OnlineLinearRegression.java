package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.OnlineParams;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** {@link LinearRegression} on tables without end: a version of the model every save interval. */
public final class OnlineLinearRegression
        extends PsEstimator<OnlineLinearRegression, LinearRegressionModel>
        implements HasFeaturesCol<OnlineLinearRegression>,
                HasFeaturesCols<OnlineLinearRegression>,
                HasNumFeatures<OnlineLinearRegression>,
                HasLabelCol<OnlineLinearRegression>,
                OnlineParams<OnlineLinearRegression> {
    private static final long serialVersionUID = 1L;

    public OnlineLinearRegression() {
        super("linear-regression");
    }

    @Override
    LinearRegressionModel newModel() {
        return new LinearRegressionModel();
    }

    /** Loads params that were saved. */
    public static OnlineLinearRegression load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
