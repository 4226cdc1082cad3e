package io.github.flinkps.flink.ml;

import io.github.flinkps.flink.ml.param.HasFactors;
import io.github.flinkps.flink.ml.param.HasFeaturesCol;
import io.github.flinkps.flink.ml.param.HasWindow;
import java.io.IOException;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** The model of {@link SkipGram} and {@link OnlineSkipGram}. */
public final class SkipGramModel extends PsModel<SkipGramModel>
        implements HasFeaturesCol<SkipGramModel>,
                HasFactors<SkipGramModel>,
                HasWindow<SkipGramModel> {
    private static final long serialVersionUID = 1L;

    public SkipGramModel() {
        super("skip-gram");
    }

    /** Loads the newest version of a model that was saved. */
    public static SkipGramModel load(StreamTableEnvironment environment, String path)
            throws IOException {
        return PsModel.<SkipGramModel>newest(environment, path);
    }
}
