package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.BoundedParams;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** Least squares for labels of any number, which are predicted. */
public final class LinearRegression extends PsEstimator<LinearRegression, LinearRegressionModel>
        implements HasFeaturesCol<LinearRegression>,
                HasFeaturesCols<LinearRegression>,
                HasNumFeatures<LinearRegression>,
                HasLabelCol<LinearRegression>,
                BoundedParams<LinearRegression> {
    private static final long serialVersionUID = 1L;

    public LinearRegression() {
        super("linear-regression");
    }

    @Override
    LinearRegressionModel newModel() {
        return new LinearRegressionModel();
    }

    /** Loads params that were saved. */
    public static LinearRegression load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
