package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.BoundedParams;
import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasWindow;
import java.io.IOException;
import org.apache.flink.ml.util.ReadWriteUtils;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * Vectors of words, learned of the words around them: features are arrays of words. The prediction
 * is the loss of the row, all its pairs of words together; the vectors are in the model data.
 */
public final class SkipGram extends PsEstimator<SkipGram, SkipGramModel>
        implements HasFeaturesCol<SkipGram>,
                HasFactors<SkipGram>,
                HasWindow<SkipGram>,
                BoundedParams<SkipGram> {
    private static final long serialVersionUID = 1L;

    public SkipGram() {
        super("skip-gram");
    }

    @Override
    SkipGramModel newModel() {
        return new SkipGramModel();
    }

    /** Loads params that were saved. */
    public static SkipGram load(StreamTableEnvironment environment, String path)
            throws IOException {
        return ReadWriteUtils.loadStageParam(path);
    }
}
