package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasClasses;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasHidden;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasTask;
import io.github.flinkps.flink.ml.param.OnlineParams;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * {@link MultiLayerPerceptron} on tables without end: a version of the model every save interval.
 */
public final class OnlineMultiLayerPerceptron
        extends PsEstimator<OnlineMultiLayerPerceptron, MultiLayerPerceptronModel>
        implements HasFeaturesCol<OnlineMultiLayerPerceptron>,
                HasFeaturesCols<OnlineMultiLayerPerceptron>,
                HasNumFeatures<OnlineMultiLayerPerceptron>,
                HasHidden<OnlineMultiLayerPerceptron>,
                HasClasses<OnlineMultiLayerPerceptron>,
                HasTask<OnlineMultiLayerPerceptron>,
                HasLabelValues<OnlineMultiLayerPerceptron>,
                HasRawPredictionCol<OnlineMultiLayerPerceptron>,
                HasLabelCol<OnlineMultiLayerPerceptron>,
                OnlineParams<OnlineMultiLayerPerceptron> {
    private static final long serialVersionUID = 1L;

    public OnlineMultiLayerPerceptron() {
        super("multi-layer-perceptron");
    }

    @Override
    MultiLayerPerceptronModel newModel() {
        return new MultiLayerPerceptronModel();
    }

    /** Loads params that were saved. */
    public static OnlineMultiLayerPerceptron load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
