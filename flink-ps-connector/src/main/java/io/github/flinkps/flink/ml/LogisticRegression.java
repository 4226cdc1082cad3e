package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.BoundedParams;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * Logistic regression for labels 0 and 1, or two others that are named: the prediction is the label
 * of the higher probability, the raw prediction both probabilities.
 */
public final class LogisticRegression
        extends PsEstimator<LogisticRegression, LogisticRegressionModel>
        implements HasFeaturesCol<LogisticRegression>,
                HasFeaturesCols<LogisticRegression>,
                HasNumFeatures<LogisticRegression>,
                HasLabelValues<LogisticRegression>,
                HasRawPredictionCol<LogisticRegression>,
                HasLabelCol<LogisticRegression>,
                BoundedParams<LogisticRegression> {
    private static final long serialVersionUID = 1L;

    public LogisticRegression() {
        super("logistic-regression");
    }

    @Override
    LogisticRegressionModel newModel() {
        return new LogisticRegressionModel();
    }

    /** Loads params that were saved. */
    public static LogisticRegression load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
