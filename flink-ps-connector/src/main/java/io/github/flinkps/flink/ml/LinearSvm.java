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
 * Support vector machine for labels 0 and 1, or two others that are named: the raw prediction is
 * the margin of each, the prediction the one whose margin is positive.
 */
public final class LinearSvm extends PsEstimator<LinearSvm, LinearSvmModel>
        implements HasFeaturesCol<LinearSvm>,
                HasFeaturesCols<LinearSvm>,
                HasNumFeatures<LinearSvm>,
                HasLabelValues<LinearSvm>,
                HasRawPredictionCol<LinearSvm>,
                HasLabelCol<LinearSvm>,
                BoundedParams<LinearSvm> {
    private static final long serialVersionUID = 1L;

    public LinearSvm() {
        super("linear-svm");
    }

    @Override
    LinearSvmModel newModel() {
        return new LinearSvmModel();
    }

    /** Loads params that were saved. */
    public static LinearSvm load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
