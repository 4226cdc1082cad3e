package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.BoundedParams;
import io.github.flinkps.flink.ml.param.HasClasses;
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
 * Softmax regression for labels 0 to classes, exclusively, or others that are named: the prediction
 * is the likeliest class, the raw prediction the probabilities of all.
 */
public final class Softmax extends PsEstimator<Softmax, SoftmaxModel>
        implements HasFeaturesCol<Softmax>,
                HasFeaturesCols<Softmax>,
                HasNumFeatures<Softmax>,
                HasClasses<Softmax>,
                HasLabelValues<Softmax>,
                HasRawPredictionCol<Softmax>,
                HasLabelCol<Softmax>,
                BoundedParams<Softmax> {
    private static final long serialVersionUID = 1L;

    public Softmax() {
        super("softmax");
    }

    @Override
    SoftmaxModel newModel() {
        return new SoftmaxModel();
    }

    /** Loads params that were saved. */
    public static Softmax load(StreamTableEnvironment environment, String path) throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
