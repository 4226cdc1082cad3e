package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasTask;
import java.io.IOException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * The model of {@link FieldAwareFactorizationMachine} and {@link
 * OnlineFieldAwareFactorizationMachine}.
 */
public final class FieldAwareFactorizationMachineModel
        extends PsModel<FieldAwareFactorizationMachineModel>
        implements HasFeaturesCols<FieldAwareFactorizationMachineModel>,
                HasFeaturesCol<FieldAwareFactorizationMachineModel>,
                HasFactors<FieldAwareFactorizationMachineModel>,
                HasTask<FieldAwareFactorizationMachineModel>,
                HasLabelValues<FieldAwareFactorizationMachineModel>,
                HasRawPredictionCol<FieldAwareFactorizationMachineModel> {
    private static final long serialVersionUID = 1L;

    public FieldAwareFactorizationMachineModel() {
        super("field-aware-factorization-machine");
    }

    /** Loads the newest version of a model that was saved. */
    public static FieldAwareFactorizationMachineModel load(
            StreamTableEnvironment environment, String path) throws IOException {
        return PsModel.<FieldAwareFactorizationMachineModel>newest(environment, path);
    }
}
