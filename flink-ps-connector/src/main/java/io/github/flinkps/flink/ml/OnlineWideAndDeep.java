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

/** {@link WideAndDeep} on tables without end: a version of the model every save interval. */
public final class OnlineWideAndDeep extends PsEstimator<OnlineWideAndDeep, WideAndDeepModel>
        implements HasFeaturesCols<OnlineWideAndDeep>,
                HasFeaturesCol<OnlineWideAndDeep>,
                HasFactors<OnlineWideAndDeep>,
                HasHidden<OnlineWideAndDeep>,
                HasTask<OnlineWideAndDeep>,
                HasLabelValues<OnlineWideAndDeep>,
                HasRawPredictionCol<OnlineWideAndDeep>,
                HasLabelCol<OnlineWideAndDeep>,
                OnlineParams<OnlineWideAndDeep> {
    private static final long serialVersionUID = 1L;

    public OnlineWideAndDeep() {
        super("wide-and-deep");
    }

    @Override
    WideAndDeepModel newModel() {
        return new WideAndDeepModel();
    }

    /** Loads params that were saved. */
    public static OnlineWideAndDeep load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
