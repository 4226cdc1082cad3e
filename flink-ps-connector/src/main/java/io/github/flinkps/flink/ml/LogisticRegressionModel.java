package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import java.io.IOException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** The model of {@link LogisticRegression} and {@link OnlineLogisticRegression}. */
public final class LogisticRegressionModel extends PsModel<LogisticRegressionModel>
        implements HasFeaturesCol<LogisticRegressionModel>,
                HasFeaturesCols<LogisticRegressionModel>,
                HasNumFeatures<LogisticRegressionModel>,
                HasLabelValues<LogisticRegressionModel>,
                HasRawPredictionCol<LogisticRegressionModel> {
    private static final long serialVersionUID = 1L;

    public LogisticRegressionModel() {
        super("logistic-regression");
    }

    /** Loads the newest version of a model that was saved. */
    public static LogisticRegressionModel load(StreamTableEnvironment environment, String path)
            throws IOException {
        return PsModel.<LogisticRegressionModel>newest(environment, path);
    }
}
