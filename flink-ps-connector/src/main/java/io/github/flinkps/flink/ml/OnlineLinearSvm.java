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

/** {@link LinearSvm} on tables without end: a version of the model every save interval. */
public final class OnlineLinearSvm extends PsEstimator<OnlineLinearSvm, LinearSvmModel>
        implements HasFeaturesCol<OnlineLinearSvm>,
                HasFeaturesCols<OnlineLinearSvm>,
                HasNumFeatures<OnlineLinearSvm>,
                HasLabelValues<OnlineLinearSvm>,
                HasRawPredictionCol<OnlineLinearSvm>,
                HasLabelCol<OnlineLinearSvm>,
                OnlineParams<OnlineLinearSvm> {
    private static final long serialVersionUID = 1L;

    public OnlineLinearSvm() {
        super("linear-svm");
    }

    @Override
    LinearSvmModel newModel() {
        return new LinearSvmModel();
    }

    /** Loads params that were saved. */
    public static OnlineLinearSvm load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
