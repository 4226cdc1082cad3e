package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.BoundedParams;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasFeaturesCols;
import io.github.flinkps.flink.ml.param.HasLabelCol;
import io.github.flinkps.flink.ml.param.HasNumFeatures;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** Poisson regression for labels that count something: the prediction is the expected count. */
public final class PoissonRegression extends PsEstimator<PoissonRegression, PoissonRegressionModel>
        implements HasFeaturesCol<PoissonRegression>,
                HasFeaturesCols<PoissonRegression>,
                HasNumFeatures<PoissonRegression>,
                HasLabelCol<PoissonRegression>,
                BoundedParams<PoissonRegression> {
    private static final long serialVersionUID = 1L;

    public PoissonRegression() {
        super("poisson-regression");
    }

    @Override
    PoissonRegressionModel newModel() {
        return new PoissonRegressionModel();
    }

    /** Loads params that were saved. */
    public static PoissonRegression load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
