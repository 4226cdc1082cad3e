package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.TIMEOUT;
import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.server.ServerConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what changes rows beside a cut that is being written. */
class SavedRowsITCase {
    private static final int ROWS = 1 << 16;
    private static final int WIDTH = 64;
    private static final TableSpec TABLE =
            TableSpec.dense("rows", ROWS, WIDTH, UpdateSpec.of("add")).withPartitions(8);

    @TempDir private Path folder;

    private static CompletableFuture<Void> push(ModelSession session, Duration timeout) {
        float[] ones = new float[ROWS * WIDTH];
        return session.exchange().timeout(timeout).pushRange("rows", 0, ROWS, ones, 1).send();
    }

    private static CompletableFuture<Void> load(ModelSession session) {
        long[] keys = LongStream.range(0, 64).toArray();
        float[] values = new float[keys.length * WIDTH];
        return session.load("rows", new RowChunk(0, keys, values, new float[0][], 0, RowChunk.END));
    }

    private static ModelSession hasty(TestingCluster cluster) {
        Duration soon = Duration.ofSeconds(2);
        int worker = SessionSpec.NO_WORKER;
        ConsistencySpec asp = ConsistencySpec.asp();
        ModelSession session =
                get(cluster.client().open(new SessionSpec("m", "run", 0, worker, 1, asp, soon)));
        get(session.describe("rows"));
        return session;
    }

    /** A worker's pushes wait; so must those of others, which take the same memory. */
    @Test
    void plainPushesAndLoadsWaitWhenTooManyRowsAreSavedFromThem() throws Exception {
        GatedStorage storage = new GatedStorage();
        ServerConfig config =
                ServerConfig.of(
                        Map.of("owners", "1", "cut-saved-bytes", "1m"),
                        Runtime.getRuntime().maxMemory());
        try (TestingCluster cluster = new TestingCluster(1, config, storage)) {
            ModelSession worker = cluster.worker("m", 1, 0, 1, ConsistencySpec.asp());
            get(worker.createTable(TABLE));
            String directory = LocalModelStorage.path(folder.resolve("model"));
            get(worker.beginCuts(directory, null, TIMEOUT));
            ModelSession plain = cluster.session("m");
            get(plain.describe("rows"));
            get(push(plain, TIMEOUT));
            storage.gated = ".arrow";
            get(worker.marker(1, 0));
            assertThat(storage.reading.await(20, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> get(push(plain, Duration.ofSeconds(2))))
                    .hasMessageContaining("too many rows change");
            ModelSession hasty = hasty(cluster);
            assertThatThrownBy(() -> get(load(hasty))).hasMessageContaining("too many rows change");
            ModelSession other = cluster.session("m");
            get(other.describe("rows"));
            CompletableFuture<Void> loaded = load(other);
            CompletableFuture<Void> pushed = push(other, TIMEOUT);
            storage.gated = null;
            storage.gate.countDown();
            get(worker.awaitCut(1, TIMEOUT));
            get(loaded);
            get(pushed);
        }
    }
}
