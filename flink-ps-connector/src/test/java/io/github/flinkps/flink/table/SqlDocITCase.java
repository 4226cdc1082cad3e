package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteSecurity;
import io.github.flinkps.flink.table.connector.FlinkPsCatalogFactory;
import io.github.flinkps.flink.table.connector.LookupSettings;
import io.github.flinkps.flink.table.module.PsModuleFactory;
import io.github.flinkps.flink.testing.OptionTable;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.SqlPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Checks that what {@code docs/sql.md} says is so. */
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
        OptionTable.check(
                PAGE,
                "catalog",
                List.of(
                        FlinkPsCatalogFactory.MODEL_ROOT,
                        FlinkPsCatalogFactory.DEFAULT_DATABASE,
                        PsOptions.REMOTE,
                        PsOptions.TLS_TRUST,
                        PsOptions.TLS_CERTIFICATE,
                        PsOptions.TLS_KEY,
                        PsOptions.TOKEN_FILE,
                        RemoteSecurity.READER_TOKEN_FILE));
        OptionTable.check(PAGE, "rows", ModelOptions.OF_ROWS);
        OptionTable.check(PAGE, "tuning", ModelOptions.OF_TUNING);
        OptionTable.check(PAGE, "jobs", ModelOptions.OF_JOBS);
        OptionTable.check(PAGE, "lookups", LookupSettings.ALL);
        List<ConfigOption<?>> module =
                List.of(
                        PsOptions.MODEL_ROOT,
                        PsOptions.REMOTE,
                        PsOptions.TLS_TRUST,
                        PsOptions.TLS_CERTIFICATE,
                        PsOptions.TLS_KEY,
                        PsOptions.TOKEN_FILE,
                        RemoteSecurity.READER_TOKEN_FILE,
                        PsOptions.REFRESH_INTERVAL,
                        PsOptions.CACHE_ROWS,
                        PsOptions.TIMEOUT,
                        PsOptions.PEER_TIMEOUT);
        assertThat(new PsModuleFactory().optionalOptions())
                .containsExactlyInAnyOrderElementsOf(module);
        OptionTable.check(PAGE, "module", module);
    }
}
