package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArrowModelArchiveITCase {
    private static final TableSpec TABLE =
            TableSpec.sparse("weights", 1, UpdateSpec.sgd(1)).withPartitions(4);

    @TempDir Path root;
    private final ArrowModelArchive archive = new ArrowModelArchive("m", "none", Map.of(), "");
    private final List<TableSpec> tables = List.of(TABLE);
    private ParameterServer server;
    private ParameterClient client;
    private String directory;

    @BeforeEach
    void start() throws Exception {
        server = ParameterServer.start(ServerConfig.defaults());
        client = ParameterClients.create(List.of(server.address()), ClientConfig.defaults());
        directory = root.resolve("model").toString();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    private ModelSession open(String model) throws Exception {
        SessionSpec spec =
                new SessionSpec(
                        model, "run", 1, 0, 1, ConsistencySpec.asp(), Duration.ofSeconds(10));
        ModelSession session = get(client.open(spec));
        get(session.createTable(TABLE));
        return session;
    }

    /** A session of a model whose keys {@code [0, count)} have this value. */
    private ModelSession trained(String model, int count, float value) throws Exception {
        ModelSession session = open(model);
        KeyList keys = session.keys(TABLE.name(), LongStream.range(0, count).toArray(), 0, count);
        float[] gradients = new float[count];
        Arrays.fill(gradients, -value);
        get(session.exchange().push(keys, gradients, 1).clock(1).send());
        return session;
    }

    private static Map<Long, Float> rows(ModelSession session) throws Exception {
        Map<Long, Float> rows = new TreeMap<>();
        for (int partition = 0; partition < TABLE.partitions(); partition++) {
            RowChunk chunk = get(session.scan(TABLE.name(), partition, 0, false));
            assertThat(chunk.nextCursor()).isEqualTo(RowChunk.END);
            for (int i = 0; i < chunk.keys().length; i++) {
                rows.put(chunk.keys()[i], chunk.values()[i]);
            }
        }
        return rows;
    }

    /** A session that does something else before each of its loads. */
    private static ModelSession beforeEachLoad(ModelSession session, Callable<Void> otherwise) {
        return (ModelSession)
                Proxy.newProxyInstance(
                        ArrowModelArchiveITCase.class.getClassLoader(),
                        new Class<?>[] {ModelSession.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("load")) {
                                otherwise.call();
                            }
                            return method.invoke(session, arguments);
                        });
    }

    @Test
    void aModelThatIsReplacedWhileItIsLoadedIsLoadedAnew() throws Exception {
        try (ModelSession before = trained("before", 100, 1f);
                ModelSession after = trained("after", 90, 2f);
                ModelSession loaded = open("loaded")) {
            archive.save(before, tables, directory, false);
            AtomicInteger loads = new AtomicInteger();
            ModelSession replacing =
                    beforeEachLoad(
                            loaded,
                            () -> {
                                if (loads.incrementAndGet() == 2) {
                                    archive.save(after, tables, directory, false);
                                }
                                return null;
                            });
            archive.load(replacing, tables, directory);
            assertThat(rows(loaded))
                    .as("all of the second model and none of the first")
                    .isEqualTo(rows(after))
                    .hasSize(90);
            assertThat(loads).hasValueGreaterThan(TABLE.partitions());
        }
    }

    @Test
    void aModelThatIsReplacedAgainAndAgainIsGivenUp() throws Exception {
        try (ModelSession trained = trained("trained", 100, 1f);
                ModelSession loaded = open("loaded")) {
            archive.save(trained, tables, directory, false);
            ModelSession replacing =
                    beforeEachLoad(
                            loaded,
                            () -> {
                                archive.save(trained, tables, directory, false);
                                return null;
                            });
            assertThatThrownBy(() -> archive.load(replacing, tables, directory))
                    .isInstanceOf(PsException.class)
                    .hasMessageContaining("it is missing");
        }
    }

    @Test
    void aModelWithoutAFileIsRefusedAtOnce() throws Exception {
        try (ModelSession trained = trained("trained", 100, 1f);
                ModelSession loaded = open("loaded")) {
            archive.save(trained, tables, directory, false);
            Path lost;
            try (Stream<Path> files = Files.walk(Path.of(directory))) {
                lost =
                        files.filter(file -> file.toString().endsWith("p00002.arrow"))
                                .findAny()
                                .orElseThrow();
            }
            Files.delete(lost);
            assertThatThrownBy(() -> archive.load(loaded, tables, directory))
                    .hasMessageContaining("p00002.arrow")
                    .hasMessageContaining("it is missing");
        }
    }
}
