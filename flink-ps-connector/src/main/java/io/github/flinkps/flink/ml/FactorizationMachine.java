package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.BoundedParams;
import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasTask;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * Factorization machine: logistic regression, or with task regression least squares, of features
 * and all their pairs.
 */
public final class FactorizationMachine
        extends PsEstimator<FactorizationMachine, FactorizationMachineModel>
        implements HasFeaturesCol<FactorizationMachine>,
                HasFeaturesCols<FactorizationMachine>,
                HasNumFeatures<FactorizationMachine>,
                HasFactors<FactorizationMachine>,
                HasTask<FactorizationMachine>,
                HasLabelValues<FactorizationMachine>,
                HasRawPredictionCol<FactorizationMachine>,
                HasLabelCol<FactorizationMachine>,
                BoundedParams<FactorizationMachine> {
    private static final long serialVersionUID = 1L;

    public FactorizationMachine() {
        super("factorization-machine");
    }

    @Override
    FactorizationMachineModel newModel() {
        return new FactorizationMachineModel();
    }

    /** Loads params that were saved. */
    public static FactorizationMachine load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
