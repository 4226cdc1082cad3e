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

/** Wide and deep network over columns of one value each, its fields (set featuresCols). */
public final class WideAndDeep extends PsEstimator<WideAndDeep, WideAndDeepModel>
        implements HasFeaturesCols<WideAndDeep>,
                HasFeaturesCol<WideAndDeep>,
                HasFactors<WideAndDeep>,
                HasHidden<WideAndDeep>,
                HasTask<WideAndDeep>,
                HasLabelValues<WideAndDeep>,
                HasRawPredictionCol<WideAndDeep>,
                HasLabelCol<WideAndDeep>,
                BoundedParams<WideAndDeep> {
    private static final long serialVersionUID = 1L;

    public WideAndDeep() {
        super("wide-and-deep");
    }

    @Override
    WideAndDeepModel newModel() {
        return new WideAndDeepModel();
    }

    /** Loads params that were saved. */
    public static WideAndDeep load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
