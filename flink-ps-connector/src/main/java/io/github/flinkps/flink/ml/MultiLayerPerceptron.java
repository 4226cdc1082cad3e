package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.BoundedParams;
import io.github.flinkps.flink.ml.param.HasClasses;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasHidden;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasTask;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * Network with hidden layers (numFeatures must be set): for classes, or with task regression for
 * any number.
 */
public final class MultiLayerPerceptron
        extends PsEstimator<MultiLayerPerceptron, MultiLayerPerceptronModel>
        implements HasFeaturesCol<MultiLayerPerceptron>,
                HasFeaturesCols<MultiLayerPerceptron>,
                HasNumFeatures<MultiLayerPerceptron>,
                HasHidden<MultiLayerPerceptron>,
                HasClasses<MultiLayerPerceptron>,
                HasTask<MultiLayerPerceptron>,
                HasLabelValues<MultiLayerPerceptron>,
                HasRawPredictionCol<MultiLayerPerceptron>,
                HasLabelCol<MultiLayerPerceptron>,
                BoundedParams<MultiLayerPerceptron> {
    private static final long serialVersionUID = 1L;

    public MultiLayerPerceptron() {
        super("multi-layer-perceptron");
    }

    @Override
    MultiLayerPerceptronModel newModel() {
        return new MultiLayerPerceptronModel();
    }

    /** Loads params that were saved. */
    public static MultiLayerPerceptron load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
