package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasClasses;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasHidden;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasTask;
import java.io.IOException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** The model of {@link MultiLayerPerceptron} and {@link OnlineMultiLayerPerceptron}. */
public final class MultiLayerPerceptronModel extends PsModel<MultiLayerPerceptronModel>
        implements HasFeaturesCol<MultiLayerPerceptronModel>,
                HasFeaturesCols<MultiLayerPerceptronModel>,
                HasNumFeatures<MultiLayerPerceptronModel>,
                HasHidden<MultiLayerPerceptronModel>,
                HasClasses<MultiLayerPerceptronModel>,
                HasTask<MultiLayerPerceptronModel>,
                HasLabelValues<MultiLayerPerceptronModel>,
                HasRawPredictionCol<MultiLayerPerceptronModel> {
    private static final long serialVersionUID = 1L;

    public MultiLayerPerceptronModel() {
        super("multi-layer-perceptron");
    }

    /** Loads the newest version of a model that was saved. */
    public static MultiLayerPerceptronModel load(StreamTableEnvironment environment, String path)
            throws IOException {
        return PsModel.<MultiLayerPerceptronModel>newest(environment, path);
    }
}
