package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import java.io.IOException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** The model of {@link LinearSvm} and {@link OnlineLinearSvm}. */
public final class LinearSvmModel extends PsModel<LinearSvmModel>
        implements HasFeaturesCol<LinearSvmModel>,
                HasFeaturesCols<LinearSvmModel>,
                HasNumFeatures<LinearSvmModel>,
                HasLabelValues<LinearSvmModel>,
                HasRawPredictionCol<LinearSvmModel> {
    private static final long serialVersionUID = 1L;

    public LinearSvmModel() {
        super("linear-svm");
    }

    /** Loads the newest version of a model that was saved. */
    public static LinearSvmModel load(StreamTableEnvironment environment, String path)
            throws IOException {
        return PsModel.<LinearSvmModel>newest(environment, path);
    }
}
