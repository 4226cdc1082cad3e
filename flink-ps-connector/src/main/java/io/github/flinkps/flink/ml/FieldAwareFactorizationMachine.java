package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.BoundedParams;
import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasTask;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * Field-aware factorization machine over columns of one value each, its fields (set featuresCols).
 */
public final class FieldAwareFactorizationMachine
        extends PsEstimator<FieldAwareFactorizationMachine, FieldAwareFactorizationMachineModel>
        implements HasFeaturesCols<FieldAwareFactorizationMachine>,
                HasFeaturesCol<FieldAwareFactorizationMachine>,
                HasFactors<FieldAwareFactorizationMachine>,
                HasTask<FieldAwareFactorizationMachine>,
                HasLabelValues<FieldAwareFactorizationMachine>,
                HasRawPredictionCol<FieldAwareFactorizationMachine>,
                HasLabelCol<FieldAwareFactorizationMachine>,
                BoundedParams<FieldAwareFactorizationMachine> {
    private static final long serialVersionUID = 1L;

    public FieldAwareFactorizationMachine() {
        super("field-aware-factorization-machine");
    }

    @Override
    FieldAwareFactorizationMachineModel newModel() {
        return new FieldAwareFactorizationMachineModel();
    }

    /** Loads params that were saved. */
    public static FieldAwareFactorizationMachine load(
            StreamTableEnvironment environment, String path) throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
