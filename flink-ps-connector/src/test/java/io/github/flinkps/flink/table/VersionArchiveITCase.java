package io.github.flinkps.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.PendingModel;
import io.github.flinkps.flink.testing.TestingObjectStore;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Versions in a folder, and in an object store, which cannot rename. */
class VersionArchiveITCase {
    private static final TableSpec TABLE =
            TableSpec.dense("weights", 8, 1, UpdateSpec.sgd(1)).withPartitions(2);
    private static final List<TableSpec> TABLES = List.of(TABLE);
    private static final int WRITERS = 8;
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    @TempDir Path folder;
    private ParameterServer server;
    private ParameterClient client;
    private ModelSession session;

    @BeforeEach
    void start() throws Exception {
        server = ParameterServer.start(ServerConfig.defaults());
        client = ParameterClients.create(List.of(server.address()), ClientConfig.defaults());
        SessionSpec spec =
                new SessionSpec("m", "run", 1, 0, 1, ConsistencySpec.asp(), Duration.ofSeconds(20));
        session = client.open(spec).get(20, TimeUnit.SECONDS);
        session.createTable(TABLE).get(20, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    private String root(String scheme) {
        return scheme + "://" + folder;
    }

    private static String versions(String root) {
        return root + "/default/m/versions";
    }

    /** Returns an archive; all archives of a root name the next version at the same time. */
    private static VersionArchive archive(String root) {
        return new VersionArchive(
                new ArrowModelArchive("m", "none", Map.of(), ""),
                (any, ahead) -> new ModelRoot(root).next("default", "m", NOW, ahead).directory());
    }

    private List<String> left() throws IOException {
        try (Stream<Path> names = Files.list(folder.resolve("default/m/versions"))) {
            return names.map(name -> name.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", TestingObjectStore.SCHEME})
    void writersAtATimeTakeAVersionEach(String scheme) throws Exception {
        String root = root(scheme);
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try {
            List<Callable<Void>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(
                        () -> {
                            archive(root).save(session, TABLES, versions(root), false);
                            return null;
                        });
            }
            for (Future<Void> saved : threads.invokeAll(writers)) {
                saved.get();
            }
        } finally {
            threads.shutdownNow();
        }
        List<ModelVersion> found = new ModelRoot(root).versions("default", "m");
        assertThat(found).hasSize(WRITERS);
        assertThat(left()).containsExactlyElementsOf(found.stream().map(ModelVersion::id).toList());
        for (ModelVersion version : found) {
            assertThat(version.manifest("m", false).tables().get(0).rows()).isEqualTo(8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", TestingObjectStore.SCHEME})
    void whatIsNotPublishedIsNoVersionAndLeavesNothing(String scheme) throws Exception {
        String root = root(scheme);
        VersionArchive archive = archive(root);
        archive.checkWritable(TABLES, versions(root));
        try (PendingModel given = archive.write(session, TABLES, versions(root), false)) {
            assertThat(new ModelRoot(root).versions("default", "m")).isEmpty();
        }
        assertThat(new ModelRoot(root).versions("default", "m")).isEmpty();
        List<TableSpec> absent = List.of(TableSpec.dense("other", 8, 1, UpdateSpec.sgd(1)));
        assertThatThrownBy(() -> archive.write(session, absent, versions(root), false))
                .hasMessageContaining("other");
        assertThat(left()).allMatch(ModelVersion::isId);
        archive.save(session, TABLES, versions(root), false);
        assertThat(new ModelRoot(root).versions("default", "m")).hasSize(1);
    }

    @Test
    void aStoreThatFlinkDoesNotKnowIsNamed() {
        VersionArchive archive = archive("nowhere://bucket");
        assertThatThrownBy(() -> archive.checkWritable(TABLES, "nowhere://bucket/m"))
                .hasMessageContaining("the model directory nowhere://bucket/m cannot be reached")
                .hasMessageContaining("nowhere");
    }
}
