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

/** The model of {@link WideAndDeep} and {@link OnlineWideAndDeep}. */
public final class WideAndDeepModel extends PsModel<WideAndDeepModel>
        implements HasFeaturesCols<WideAndDeepModel>,
                HasFeaturesCol<WideAndDeepModel>,
                HasFactors<WideAndDeepModel>,
                HasHidden<WideAndDeepModel>,
                HasTask<WideAndDeepModel>,
                HasLabelValues<WideAndDeepModel>,
                HasRawPredictionCol<WideAndDeepModel> {
    private static final long serialVersionUID = 1L;

    public WideAndDeepModel() {
        super("wide-and-deep");
    }

    /** Loads the newest version of a model that was saved. */
    public static WideAndDeepModel load(StreamTableEnvironment environment, String path)
            throws IOException {
        return PsModel.<WideAndDeepModel>newest(environment, path);
    }
}
