package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.TIMEOUT;
import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that is closed while its storage does not answer. */
@Timeout(60)
class CloseDuringCutITCase {
    private static final TableSpec TABLE =
            TableSpec.dense("t", 8, 1, UpdateSpec.of("add")).withPartitions(1);

    @TempDir private Path folder;

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static List<Thread> writers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("flink-ps-cuts"))
                .toList();
    }

    @Test
    void closesAndLeavesMemoryToTheThreadThatWrites() throws Exception {
        GatedStorage storage = new GatedStorage();
        storage.gated = ".arrow";
        try (TestingCluster cluster =
                new TestingCluster(1, ServerConfig.defaults().withOwners(1), storage)) {
            ModelSession worker = cluster.worker("m", 1, 0, 1, ConsistencySpec.asp());
            get(worker.createTable(TABLE));
            String directory = LocalModelStorage.path(folder.resolve("model"));
            get(worker.beginCuts(directory, null, TIMEOUT));
            float[] ones = {1, 1, 1, 1, 1, 1, 1, 1};
            get(worker.exchange().pushRange("t", 0, 8, ones, 1).clock().send());
            get(worker.marker(1, 0));
            assertThat(storage.reading.await(30, TimeUnit.SECONDS)).as("writes").isTrue();
            assertThatCode(() -> cluster.server(0).close()).doesNotThrowAnyException();
            assertThat(writers()).isNotEmpty();
        } finally {
            storage.gate.countDown();
        }
        Polling.await("it writes for ever", () -> writers().isEmpty());
        assertThat(files()).isEmpty();
    }
}
