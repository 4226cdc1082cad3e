package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.BoundedParams;
import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasHidden;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasTask;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** DeepFM network over columns of one value each, its fields (set featuresCols). */
public final class DeepFm extends PsEstimator<DeepFm, DeepFmModel>
        implements HasFeaturesCols<DeepFm>,
                HasFeaturesCol<DeepFm>,
                HasFactors<DeepFm>,
                HasHidden<DeepFm>,
                HasTask<DeepFm>,
                HasLabelValues<DeepFm>,
                HasRawPredictionCol<DeepFm>,
                HasLabelCol<DeepFm>,
                BoundedParams<DeepFm> {
    private static final long serialVersionUID = 1L;

    public DeepFm() {
        super("deep-fm");
    }

    @Override
    DeepFmModel newModel() {
        return new DeepFmModel();
    }

    /** Loads params that were saved. */
    public static DeepFm load(StreamTableEnvironment environment, String path) throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
