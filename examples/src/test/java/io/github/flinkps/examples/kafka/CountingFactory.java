package io.github.flinkps.examples.kafka;

import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModelFactory;
import io.github.flinkps.flink.testing.CountingModel;
import io.github.flinkps.flink.testing.TestingFailures;
import java.util.List;
import java.util.Map;

/** Makes models of SQL that count rows. */
public final class CountingFactory implements TrainingModelFactory {
    @Override
    public String name() {
        return "counting";
    }

    @Override
    public String description() {
        return "counts of rows";
    }

    @Override
    public List<ModelOption> options() {
        return List.of();
    }

    @Override
    public TrainingModel create(Map<String, String> options) {
        return new CountingModel(TestingFailures.some("sql", 1, 0));
    }
}
