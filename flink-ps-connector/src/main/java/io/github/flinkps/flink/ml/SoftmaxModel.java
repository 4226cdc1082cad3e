package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasClasses;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import java.io.IOException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** The model of {@link Softmax} and {@link OnlineSoftmax}. */
public final class SoftmaxModel extends PsModel<SoftmaxModel>
        implements HasFeaturesCol<SoftmaxModel>,
                HasFeaturesCols<SoftmaxModel>,
                HasNumFeatures<SoftmaxModel>,
                HasClasses<SoftmaxModel>,
                HasLabelValues<SoftmaxModel>,
                HasRawPredictionCol<SoftmaxModel> {
    private static final long serialVersionUID = 1L;

    public SoftmaxModel() {
        super("softmax");
    }

    /** Loads the newest version of a model that was saved. */
    public static SoftmaxModel load(StreamTableEnvironment environment, String path)
            throws IOException {
        return PsModel.<SoftmaxModel>newest(environment, path);
    }
}
