package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasHidden;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasTask;
import java.io.IOException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** The model of {@link DeepFm} and {@link OnlineDeepFm}. */
public final class DeepFmModel extends PsModel<DeepFmModel>
        implements HasFeaturesCols<DeepFmModel>,
                HasFeaturesCol<DeepFmModel>,
                HasFactors<DeepFmModel>,
                HasHidden<DeepFmModel>,
                HasTask<DeepFmModel>,
                HasLabelValues<DeepFmModel>,
                HasRawPredictionCol<DeepFmModel> {
    private static final long serialVersionUID = 1L;

    public DeepFmModel() {
        super("deep-fm");
    }

    /** Loads the newest version of a model that was saved. */
    public static DeepFmModel load(StreamTableEnvironment environment, String path)
            throws IOException {
        return PsModel.<DeepFmModel>newest(environment, path);
    }
}
