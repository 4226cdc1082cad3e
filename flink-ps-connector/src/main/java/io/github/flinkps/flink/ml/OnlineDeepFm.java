package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasHidden;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasTask;
import io.github.flinkps.flink.ml.param.OnlineParams;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** {@link DeepFm} on tables without end: a version of the model every save interval. */
public final class OnlineDeepFm extends PsEstimator<OnlineDeepFm, DeepFmModel>
        implements HasFeaturesCols<OnlineDeepFm>,
                HasFeaturesCol<OnlineDeepFm>,
                HasFactors<OnlineDeepFm>,
                HasHidden<OnlineDeepFm>,
                HasTask<OnlineDeepFm>,
                HasLabelValues<OnlineDeepFm>,
                HasRawPredictionCol<OnlineDeepFm>,
                HasLabelCol<OnlineDeepFm>,
                OnlineParams<OnlineDeepFm> {
    private static final long serialVersionUID = 1L;

    public OnlineDeepFm() {
        super("deep-fm");
    }

    @Override
    DeepFmModel newModel() {
        return new DeepFmModel();
    }

    /** Loads params that were saved. */
    public static OnlineDeepFm load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
