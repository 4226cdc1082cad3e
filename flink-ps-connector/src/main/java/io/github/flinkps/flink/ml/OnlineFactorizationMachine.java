package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasTask;
import io.github.flinkps.flink.ml.param.OnlineParams;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * {@link FactorizationMachine} on tables without end: a version of the model every save interval.
 */
public final class OnlineFactorizationMachine
        extends PsEstimator<OnlineFactorizationMachine, FactorizationMachineModel>
        implements HasFeaturesCol<OnlineFactorizationMachine>,
                HasFeaturesCols<OnlineFactorizationMachine>,
                HasNumFeatures<OnlineFactorizationMachine>,
                HasFactors<OnlineFactorizationMachine>,
                HasTask<OnlineFactorizationMachine>,
                HasLabelValues<OnlineFactorizationMachine>,
                HasRawPredictionCol<OnlineFactorizationMachine>,
                HasLabelCol<OnlineFactorizationMachine>,
                OnlineParams<OnlineFactorizationMachine> {
    private static final long serialVersionUID = 1L;

    public OnlineFactorizationMachine() {
        super("factorization-machine");
    }

    @Override
    FactorizationMachineModel newModel() {
        return new FactorizationMachineModel();
    }

    /** Loads params that were saved. */
    public static OnlineFactorizationMachine load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
