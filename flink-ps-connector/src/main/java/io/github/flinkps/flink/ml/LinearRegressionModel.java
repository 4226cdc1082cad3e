package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import java.io.IOException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** The model of {@link LinearRegression} and {@link OnlineLinearRegression}. */
public final class LinearRegressionModel extends PsModel<LinearRegressionModel>
        implements HasFeaturesCol<LinearRegressionModel>,
                HasFeaturesCols<LinearRegressionModel>,
                HasNumFeatures<LinearRegressionModel> {
    private static final long serialVersionUID = 1L;

    public LinearRegressionModel() {
        super("linear-regression");
    }

    /** Loads the newest version of a model that was saved. */
    public static LinearRegressionModel load(StreamTableEnvironment environment, String path)
            throws IOException {
        return PsModel.<LinearRegressionModel>newest(environment, path);
    }
}
