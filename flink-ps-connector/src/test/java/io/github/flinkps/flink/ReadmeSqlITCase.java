package io.github.flinkps.flink;

import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.SqlPage;
import java.nio.file.Path;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Runs the SQL of the README. */
@Timeout(240)
class ReadmeSqlITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path folder;

    @Test
    void statementsPrintWhatTheReadmeSays() throws Exception {
        SqlPage.of("../README.md")
                .replace("file:///tmp/models", folder.resolve("models").toUri().toString())
                .run(() -> StreamTableEnvironment.create(CLUSTER.environment(1)));
    }
}
