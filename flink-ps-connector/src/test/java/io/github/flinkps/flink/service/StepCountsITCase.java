package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.StepCounts;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.TestingCuts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Steps and rounds of models that go on as others were saved or cut. Four workers have trained one
 * key by six mini-batches: a round, and half of the next. All other partitions have no rows.
 */
class StepCountsITCase {
    private static final Duration TIME = Duration.ofSeconds(20);
    private static final int PARTITIONS = 4;
    private static final int WORKERS = 4;
    private static final int BATCHES = 6;

    private static final UpdateSpec HALVING =
            UpdateSpec.of("adagrad")
                    .with("learning-rate", 1)
                    .with("step-every", 1)
                    .with("step-factor", .5);

    /** The second is never touched. */
    private static final List<TableSpec> TABLES =
            List.of(
                    TableSpec.sparse("weights", 1, HALVING).withPartitions(PARTITIONS),
                    TableSpec.sparse("factors", 1, HALVING).withPartitions(PARTITIONS));

    @TempDir private Path root;
    private final ArrowModelArchive archive = new ArrowModelArchive("m", "none", Map.of(), "");
    private final List<ParameterClient> clients = new ArrayList<>();
    private final LocalModelStorage storage = new LocalModelStorage();
    private ParameterServer server;

    @BeforeEach
    void start() throws Exception {
        server = ParameterServer.start(ServerConfig.defaults(), storage);
    }

    @AfterEach
    void stop() throws Exception {
        for (ParameterClient client : clients) {
            client.close();
        }
        server.close();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(TIME.toSeconds(), TimeUnit.SECONDS);
    }

    private List<ModelSession> workers(String model, int count) throws Exception {
        List<ModelSession> workers = new ArrayList<>();
        for (int worker = 0; worker < count; worker++) {
            ParameterClient client =
                    ParameterClients.create(List.of(server.address()), ClientConfig.defaults());
            clients.add(client);
            SessionSpec spec =
                    new SessionSpec(model, "run", 1, worker, count, ConsistencySpec.asp(), TIME);
            ModelSession session = get(client.open(spec));
            for (TableSpec table : TABLES) {
                get(session.createTable(table));
            }
            workers.add(session);
        }
        return workers;
    }

    /** Lets workers push one mini-batch after the other. */
    private static void train(List<ModelSession> workers, int batches, long... keys)
            throws Exception {
        for (int batch = 0; batch < batches; batch++) {
            ModelSession worker = workers.get(batch % workers.size());
            float[] gradients = new float[keys.length];
            Arrays.fill(gradients, 1);
            get(
                    worker.exchange()
                            .push(worker.keys("weights", keys, 0, keys.length), gradients, 1)
                            .clock()
                            .send());
        }
    }

    /** Begins a model with what another has, by a saved model or a cut. */
    private void begin(ModelSession model, List<ModelSession> as, boolean cut) throws Exception {
        if (!cut) {
            String directory = root.resolve("model").toString();
            archive.save(as.get(0), TABLES, directory, true);
            archive.load(model, TABLES, directory);
            return;
        }
        for (ModelSession worker : as) {
            get(worker.marker(1, 0));
        }
        try (TestingCuts cuts =
                new TestingCuts(storage, directory(), ConsistencySpec.asp(), WORKERS)) {
            ManifestRef written = cuts.write(1, 1, get(as.get(0).awaitCut(1, TIME)));
            new StartCut(written).load(model, TABLES);
        }
    }

    private String directory() {
        return LocalModelStorage.path(root.resolve("cuts").toString());
    }

    private List<ModelSession> trained() throws Exception {
        List<ModelSession> workers = workers("trained", WORKERS);
        get(workers.get(0).beginCuts(directory(), null, TIME));
        train(workers, BATCHES, 7);
        return workers;
    }

    private static List<StepCounts> counts(ModelSession session) throws Exception {
        List<StepCounts> counts = new ArrayList<>();
        for (TableSpec table : TABLES) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                counts.add(get(session.scan(table.name(), partition, 0, false)).steps());
            }
        }
        return counts;
    }

    private static Map<Long, Float> rows(ModelSession session) throws Exception {
        Map<Long, Float> rows = new TreeMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            RowChunk chunk = get(session.scan("weights", partition, 0, false));
            assertThat(chunk.nextCursor()).isEqualTo(RowChunk.END);
            for (int i = 0; i < chunk.keys().length; i++) {
                rows.put(chunk.keys()[i], chunk.values()[i]);
            }
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void asManyWorkersTrainOnAsIfNothingHadBeen(boolean cut) throws Exception {
        List<ModelSession> trained = trained();
        List<ModelSession> other = workers("other", WORKERS);
        begin(other.get(0), trained, cut);
        assertThat(counts(other.get(0)))
                .isEqualTo(counts(trained.get(0)))
                .containsOnly(new StepCounts(BATCHES, 1, 2));
        long[] born = LongStream.range(100, 108).toArray();
        for (List<ModelSession> workers : List.of(trained, other)) {
            train(workers, WORKERS, born);
        }
        assertThat(counts(other.get(0))).containsOnly(new StepCounts(BATCHES + WORKERS, 2, 2));
        assertThat(rows(other.get(0))).isEqualTo(rows(trained.get(0))).hasSize(1 + born.length);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fewerWorkersEndTheRoundThatIsOpen(boolean cut) throws Exception {
        List<ModelSession> trained = trained();
        List<ModelSession> other = workers("other", 2);
        begin(other.get(0), trained, cut);
        assertThat(counts(other.get(0))).containsOnly(new StepCounts(BATCHES, 1, 1));
        train(other, 1, 100);
        assertThat(counts(other.get(0))).containsOnly(new StepCounts(BATCHES + 1, 2, 0));
    }
}
