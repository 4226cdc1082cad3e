package io.github.flinkps.flink.table;

import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.SqlPage;
import io.github.flinkps.testing.GeneratedDoc;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/sql.md} says is so. */
class SqlDocITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final String PAGE = "sql.md";

    @TempDir Path folder;

    /** Flink's client changes the mode within a session, for which a new one stands here. */
    @Test
    void thePageShowsWhatItsStatementsPrint() throws Exception {
        Iterator<Boolean> batch = List.of(false, true, false, true, false, true, false).iterator();
        SqlPage.of(PAGE)
                .replace("file:///tmp/models", folder.resolve("models").toUri().toString())
                .replace("/tmp/export", folder.resolve("export").toString())
                .run(
                        () ->
                                StreamTableEnvironment.create(
                                        CLUSTER.environment(1), settings(batch.next())));
    }

    private static EnvironmentSettings settings(boolean batch) {
        EnvironmentSettings.Builder settings = EnvironmentSettings.newInstance();
        return (batch ? settings.inBatchMode() : settings.inStreamingMode()).build();
    }

    @Test
    void everyOptionHasItsRow() throws IOException {
        check(
                "catalog",
                List.of(
                        FlinkPsCatalogFactory.MODEL_ROOT,
                        FlinkPsCatalogFactory.DEFAULT_DATABASE,
                        FlinkPsCatalogFactory.SERVERS));
        check("rows", ModelOptions.OF_ROWS);
        check("jobs", ModelOptions.OF_JOBS);
        check("lookups", LookupSettings.ALL);
    }

    private static void check(String table, List<ConfigOption<?>> options) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        for (ConfigOption<?> option : options) {
            Object value = option.defaultValue();
            rows.add(
                    List.of(
                            "`" + option.key() + "`",
                            value == null
                                    ? ""
                                    : value instanceof Duration time
                                            ? time.toSeconds() + " s"
                                            : value instanceof List<?> all && all.isEmpty()
                                                    ? ""
                                                    : value.toString(),
                            new HtmlFormatter()
                                    .format(option.description())
                                    .replaceAll("</?code[^>]*>", "`")));
        }
        GeneratedDoc.checkTable(PAGE, table, List.of("option", "default", "meaning"), rows);
    }
}
