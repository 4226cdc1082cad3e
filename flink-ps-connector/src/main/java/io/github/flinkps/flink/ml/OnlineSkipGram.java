package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasWindow;
import io.github.flinkps.flink.ml.param.OnlineParams;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** {@link SkipGram} on tables without end: a version of the model every save interval. */
public final class OnlineSkipGram extends PsEstimator<OnlineSkipGram, SkipGramModel>
        implements HasFeaturesCol<OnlineSkipGram>,
                HasFactors<OnlineSkipGram>,
                HasWindow<OnlineSkipGram>,
                OnlineParams<OnlineSkipGram> {
    private static final long serialVersionUID = 1L;

    public OnlineSkipGram() {
        super("skip-gram");
    }

    @Override
    SkipGramModel newModel() {
        return new SkipGramModel();
    }

    /** Loads params that were saved. */
    public static OnlineSkipGram load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
