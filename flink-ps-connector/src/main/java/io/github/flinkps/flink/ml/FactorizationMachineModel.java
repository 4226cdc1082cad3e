package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelValues;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import io.github.flinkps.flink.ml.param.HasRawPredictionCol;
import io.github.flinkps.flink.ml.param.HasTask;
import java.io.IOException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** The model of {@link FactorizationMachine} and {@link OnlineFactorizationMachine}. */
public final class FactorizationMachineModel extends PsModel<FactorizationMachineModel>
        implements HasFeaturesCol<FactorizationMachineModel>,
                HasFeaturesCols<FactorizationMachineModel>,
                HasNumFeatures<FactorizationMachineModel>,
                HasFactors<FactorizationMachineModel>,
                HasTask<FactorizationMachineModel>,
                HasLabelValues<FactorizationMachineModel>,
                HasRawPredictionCol<FactorizationMachineModel> {
    private static final long serialVersionUID = 1L;

    public FactorizationMachineModel() {
        super("factorization-machine");
    }

    /** Loads the newest version of a model that was saved. */
    public static FactorizationMachineModel load(StreamTableEnvironment environment, String path)
            throws IOException {
        return PsModel.<FactorizationMachineModel>newest(environment, path);
    }
}
