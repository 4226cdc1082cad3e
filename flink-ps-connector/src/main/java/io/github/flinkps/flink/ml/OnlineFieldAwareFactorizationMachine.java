package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasTask;
import io.github.flinkps.flink.ml.param.OnlineParams;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * {@link FieldAwareFactorizationMachine} on tables without end: a version of the model every save
 * interval.
 */
public final class OnlineFieldAwareFactorizationMachine
        extends PsEstimator<
                OnlineFieldAwareFactorizationMachine, FieldAwareFactorizationMachineModel>
        implements HasFeaturesCols<OnlineFieldAwareFactorizationMachine>,
                HasFeaturesCol<OnlineFieldAwareFactorizationMachine>,
                HasFactors<OnlineFieldAwareFactorizationMachine>,
                HasTask<OnlineFieldAwareFactorizationMachine>,
                HasLabelValues<OnlineFieldAwareFactorizationMachine>,
                HasRawPredictionCol<OnlineFieldAwareFactorizationMachine>,
                HasLabelCol<OnlineFieldAwareFactorizationMachine>,
                OnlineParams<OnlineFieldAwareFactorizationMachine> {
    private static final long serialVersionUID = 1L;

    public OnlineFieldAwareFactorizationMachine() {
        super("field-aware-factorization-machine");
    }

    @Override
    FieldAwareFactorizationMachineModel newModel() {
        return new FieldAwareFactorizationMachineModel();
    }

    /** Loads params that were saved. */
    public static OnlineFieldAwareFactorizationMachine load(
            StreamTableEnvironment environment, String path) throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
