package io.github.flinkps.flink.algorithm;

import io.github.flinkps.common.TableSpec;
import java.util.List;
import java.util.Map;

/** Makes {@link LogisticRegression} models from named options. */
public final class LogisticRegressionFactory implements TrainingModelFactory {
    private static final List<ModelOption> OPTIONS = FeatureSpace.OPTIONS;

    @Override
    public String name() {
        return LogisticRegression.NAME;
    }

    @Override
    public List<ModelOption> options() {
        return OPTIONS;
    }

    @Override
    public TrainingModel create(Map<String, String> options) {
        OptionReader reader = new OptionReader(options);
        LogisticRegression.Builder builder =
                LogisticRegression.builder()
                        .optimizer(reader.update(OPTIONS, LogisticRegression.DEFAULT_UPDATE));
        long features =
                reader.whole(ModelOption.FEATURES.name(), TableSpec.SPARSE, 1, Long.MAX_VALUE);
        if (features != TableSpec.SPARSE) {
            builder.features(features);
        }
        int partitions = reader.count(ModelOption.PARTITIONS.name(), 0, 1, Integer.MAX_VALUE);
        if (partitions != 0) {
            builder.partitions(partitions);
        }
        return builder.build();
    }
}
