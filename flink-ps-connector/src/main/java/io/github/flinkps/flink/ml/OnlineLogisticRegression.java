package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.OnlineParams;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** {@link LogisticRegression} on tables without end: a version of the model every save interval. */
public final class OnlineLogisticRegression
        extends PsEstimator<OnlineLogisticRegression, LogisticRegressionModel>
        implements HasFeaturesCol<OnlineLogisticRegression>,
                HasFeaturesCols<OnlineLogisticRegression>,
                HasNumFeatures<OnlineLogisticRegression>,
                HasLabelValues<OnlineLogisticRegression>,
                HasRawPredictionCol<OnlineLogisticRegression>,
                HasLabelCol<OnlineLogisticRegression>,
                OnlineParams<OnlineLogisticRegression> {
    private static final long serialVersionUID = 1L;

    public OnlineLogisticRegression() {
        super("logistic-regression");
    }

    @Override
    LogisticRegressionModel newModel() {
        return new LogisticRegressionModel();
    }

    /** Loads params that were saved. */
    public static OnlineLogisticRegression load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
