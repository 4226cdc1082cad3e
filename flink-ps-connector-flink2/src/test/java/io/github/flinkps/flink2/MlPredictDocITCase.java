package io.github.flinkps.flink2;

import io.github.flinkps.flink.table.function.FeatureScorer;
import io.github.flinkps.flink.testing.OptionTable;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.SqlPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Checks that what {@code docs/ml-predict.md} says is so. */
class MlPredictDocITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final String PAGE = "ml-predict.md";

    @TempDir Path folder;

    @Test
    void thePageShowsWhatItsStatementsPrint() throws Exception {
        SqlPage.of(PAGE)
                .replace(
                        "file:///tmp/ml-predict-models",
                        folder.resolve("models").toUri().toString())
                .run(
                        () ->
                                StreamTableEnvironment.create(
                                        CLUSTER.environment(1),
                                        EnvironmentSettings.inStreamingMode()));
    }

    @Test
    void everyOptionHasItsRow() throws IOException {
        List<ConfigOption<?>> options = new ArrayList<>(List.of(PsModelProviderFactory.MODEL));
        FeatureScorer.OPTIONS.stream()
                .sorted(Comparator.comparing(ConfigOption::key))
                .forEach(options::add);
        OptionTable.check(PAGE, "provider", options);
    }
}
