package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasClasses;
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

/** {@link Softmax} on tables without end: a version of the model every save interval. */
public final class OnlineSoftmax extends PsEstimator<OnlineSoftmax, SoftmaxModel>
        implements HasFeaturesCol<OnlineSoftmax>,
                HasFeaturesCols<OnlineSoftmax>,
                HasNumFeatures<OnlineSoftmax>,
                HasClasses<OnlineSoftmax>,
                HasLabelValues<OnlineSoftmax>,
                HasRawPredictionCol<OnlineSoftmax>,
                HasLabelCol<OnlineSoftmax>,
                OnlineParams<OnlineSoftmax> {
    private static final long serialVersionUID = 1L;

    public OnlineSoftmax() {
        super("softmax");
    }

    @Override
    SoftmaxModel newModel() {
        return new SoftmaxModel();
    }

    /** Loads params that were saved. */
    public static OnlineSoftmax load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
