package io.github.flinkps.flink.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.algorithm.FactorizationMachine;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.algorithm.MultiLayerPerceptron;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.EmbeddedServer;
import io.github.flinkps.flink.service.LocalServerBackend;
import io.github.flinkps.flink.service.ModelArchive;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.TaskHost;
import io.github.flinkps.security.JobKeys;
import io.github.flinkps.security.Token;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.service.CuttingProxy;
import io.github.flinkps.testing.LogLines;
import io.github.flinkps.testing.Polling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ModelPredictorTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration REFRESH = Duration.ofSeconds(10);
    private static final TrainingModel MODEL = LogisticRegression.builder().partitions(1).build();
    private static final RowBatch ROW = row();

    @TempDir Path folder;
    private final List<AutoCloseable> open = new ArrayList<>();
    private final SetLocator locator = new SetLocator();
    private long nanos = 1;

    /** SetLocator that a test sets. */
    private static final class SetLocator implements ModelLocator {
        private static final long serialVersionUID = 1L;
        private List<ServiceAddress> live = List.of();
        private volatile Version newest;

        @Override
        public List<ServiceAddress> live() {
            return live;
        }

        @Override
        public Optional<Version> version() {
            return Optional.ofNullable(newest);
        }
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        assertThat(LoadedModels.count()).isZero();
    }

    private static RowBatch row() {
        RowBatchBuilder builder = new RowBatchBuilder().add(7, 2f).add(9).add(11, 5f);
        builder.endRow(0);
        return builder.build();
    }

    private static float probability(double z) {
        return (float) (1 / (1 + Math.exp(-z)));
    }

    private EmbeddedServer server() {
        EmbeddedServer server =
                new LocalServerBackend().startServer(0, 0, TaskHost.ofMachine(1L << 28));
        open.add(server);
        return server;
    }

    /** Stores weights of keys 7 and 9, and a bias. */
    private static void store(EmbeddedServer server, float seven, float nine) throws Exception {
        store(server.address(), seven, nine);
    }

    private static void store(String server, float seven, float nine) throws Exception {
        try (ParameterClient client =
                        ServedModel.client(List.of(server), ClientSecurity.NONE, TIMEOUT, TIMEOUT);
                ModelSession session = ServedModel.session(client, "ctr", TIMEOUT)) {
            createTables(session);
            load(session, 0, new long[] {7, 9}, seven, nine);
            load(session, 1, new long[] {0}, .25f);
        }
    }

    private static void load(ModelSession session, int table, long[] keys, float... values)
            throws Exception {
        RowChunk rows = new RowChunk(0, keys, values, new float[0][], 0, RowChunk.END);
        session.load(MODEL.tables().get(table).name(), rows).get(20, TimeUnit.SECONDS);
    }

    private ModelLocator.Version version(String id, float seven, float nine) throws Exception {
        EmbeddedServer server = server();
        store(server, seven, nine);
        return save(server, id, archive());
    }

    private static ArrowModelArchive archive() {
        return new ArrowModelArchive("ctr", MODEL.name(), MODEL.options(), "");
    }

    private ModelLocator.Version save(EmbeddedServer server, String id, ModelArchive archive)
            throws Exception {
        String directory = folder.resolve(id).toString();
        try (ParameterClient client =
                        ServedModel.client(
                                List.of(server.address()), ClientSecurity.NONE, TIMEOUT, TIMEOUT);
                ModelSession session = ServedModel.session(client, "ctr", TIMEOUT)) {
            archive.save(session, MODEL.tables(), directory, false);
        }
        return new ModelLocator.Version(id, directory);
    }

    private ModelPredictor predictor(List<String> servers) {
        return predictor(servers, ClientSecurity.NONE);
    }

    private ModelPredictor predictor(List<String> servers, ClientSecurity security) {
        PredictorSpec spec =
                new PredictorSpec(
                        "ads.ctr", "ctr", locator, servers, security, TIMEOUT, REFRESH, 100,
                        TIMEOUT);
        ModelPredictor predictor = new ModelPredictor(MODEL, spec, () -> nanos);
        open.add(predictor);
        return predictor;
    }

    private void seconds(long seconds) {
        nanos += Duration.ofSeconds(seconds).toNanos();
    }

    /** Scores until the place is another, which a thread of its own is looking for. */
    private static float scoreAt(ModelPredictor predictor, String place) throws Exception {
        float[] scores = predictor.score(ROW);
        while (!place.equals(predictor.place())) {
            Thread.sleep(5);
            scores = predictor.score(ROW);
        }
        return scores[0];
    }

    private static Offset<Float> closely() {
        return within(1e-6f);
    }

    @Test
    void theNewestVersionPredicts() throws Exception {
        locator.newest = version("1", .5f, -1f);
        ModelPredictor predictor = predictor(List.of());
        assertThat(predictor.score(ROW)).hasSize(1);
        assertThat(predictor.score(ROW)[0]).isCloseTo(probability(1 - 1 + .25), closely());
        assertThat(predictor.place()).isEqualTo("version 1");
        ModelPredictor other = predictor(List.of());
        other.score(ROW);
        assertThat(LoadedModels.count()).isEqualTo(1);
        locator.newest = version("2", 0, 0);
        seconds(9);
        predictor.score(ROW);
        assertThat(predictor.place()).isEqualTo("version 1");
        seconds(2);
        assertThat(scoreAt(predictor, "version 2")).isCloseTo(probability(.25), closely());
        assertThat(other.place()).isEqualTo("version 1");
        assertThat(LoadedModels.count()).isEqualTo(2);
    }

    @Test
    void aJobThatRenewsItsEntryPredictsWhateverItsClock() throws Exception {
        locator.newest = version("1", 0, 0);
        EmbeddedServer server = server();
        store(server, 2, 0);
        locator.live = List.of(new ServiceAddress("run", 3, List.of(server.address()), 5));
        ModelPredictor predictor = predictor(List.of());
        predictor.score(ROW);
        assertThat(predictor.place()).isEqualTo("version 1");
        locator.live = List.of(new ServiceAddress("run", 3, List.of(server.address()), 6));
        seconds(20);
        String servers = "servers [" + server.address() + "], attempt 3";
        assertThat(scoreAt(predictor, servers)).isCloseTo(probability(4.25), closely());
        seconds(70);
        assertThat(scoreAt(predictor, "version 1")).isCloseTo(probability(.25), closely());
    }

    /** Its clock is behind, and there is nothing else to predict with. */
    @Test
    void aJobOfWhichThereIsNoVersionPredictsWhateverItsClock() throws Exception {
        EmbeddedServer server = server();
        store(server, 2, 0);
        locator.live = List.of(new ServiceAddress("run", 3, List.of(server.address()), 5));
        assertThat(predictor(List.of()).score(ROW)[0]).isCloseTo(probability(4.25), closely());
    }

    @Test
    void aJobWhoseServersTakeNobodyElseIsPassedOver() throws Exception {
        ClientSecurity keys = ClientSecurity.ofPeers(JobKeys.create());
        EmbeddedServer server =
                LocalServerBackend.of(keys, TIMEOUT)
                        .startServer(0, 0, new TaskHost(1L << 28, "127.0.0.2", "127.0.0.2"));
        open.add(server);
        String address = server.address().replace("#", "#another-process-");
        locator.live = List.of(new ServiceAddress("run", 3, List.of(address), Long.MAX_VALUE));
        ModelPredictor predictor = predictor(List.of());
        assertThatThrownBy(() -> predictor.score(ROW))
                .isInstanceOf(ServingException.class)
                .hasMessageContainingAll(
                        "no version yet", address, "takes connections of that job only");
        locator.newest = version("1", 1, 0);
        try (LogLines log = LogLines.warnings(ModelPredictor.class.getName())) {
            ModelPredictor another = predictor(List.of());
            another.score(ROW);
            another.score(ROW);
            assertThat(another.place()).isEqualTo("version 1");
            assertThat(log.said()).singleElement().asString().contains("reader-token-file");
        }
    }

    @Test
    void readersWithATokenAreAnsweredByAJobOfAnotherProcess() throws Exception {
        Path tokens = folder.resolve("tokens");
        Files.writeString(tokens, "search:sixteen characters\n");
        LocalServerBackend job =
                new LocalServerBackend(
                        Map.of(Token.FILE, tokens.toString()),
                        ClientSecurity.ofPeers(JobKeys.create()),
                        TIMEOUT);
        EmbeddedServer server =
                job.startServer(0, 0, new TaskHost(1L << 28, "127.0.0.2", "127.0.0.2"));
        open.add(server);
        store(server, 2, 0);
        String address = server.address().replace("#", "#another-process-");
        locator.live = List.of(new ServiceAddress("run", 3, List.of(address), Long.MAX_VALUE));
        locator.newest = version("1", 0, 0);
        ModelPredictor predictor =
                predictor(List.of(), ClientSecurity.NONE.withReaderToken(tokens.toString()));
        assertThat(predictor.score(ROW)[0]).isCloseTo(probability(4.25), closely());
        assertThat(predictor.place()).isEqualTo("servers [" + address + "], attempt 3");

        ModelPredictor without = predictor(List.of(), ClientSecurity.NONE.withReaderToken("/none"));
        assertThat(without.score(ROW)[0]).isCloseTo(probability(.25), closely());
        assertThat(without.place()).isEqualTo("version 1");
    }

    @Test
    void aModelThatIsTrainedPredicts() throws Exception {
        locator.newest = version("1", 0, 0);
        EmbeddedServer server = server();
        store(server, 2, 0);
        locator.live =
                List.of(new ServiceAddress("run", 3, List.of(server.address()), Long.MAX_VALUE));
        ModelPredictor predictor = predictor(List.of());
        assertThat(predictor.score(ROW)[0]).isCloseTo(probability(4.25), closely());
        store(server, 3, 0);
        seconds(9);
        assertThat(predictor.score(ROW)[0]).isCloseTo(probability(4.25), closely());
        seconds(2);
        assertThat(predictor.score(ROW)[0]).isCloseTo(probability(6.25), closely());
        locator.live = List.of();
        server.close();
        seconds(11);
        assertThat(scoreAt(predictor, "version 1")).isCloseTo(probability(.25), closely());
    }

    @Test
    void serversAreAskedWhileTheyHaveWhatTheNewestVersionWasSavedFrom() throws Exception {
        locator.newest = version("1", 0, 0);
        EmbeddedServer server = server();
        List<String> servers = List.of(server.address());
        grant(server, "first");
        store(server, 2, 0);
        ModelPredictor predictor = predictor(servers);
        assertThat(predictor.score(ROW)[0]).isCloseTo(probability(.25), closely());
        assertThat(predictor.place()).as("of another job").isEqualTo("version 1");
        locator.newest = save(server, "2", archive().servedBy(servers, "first"));
        store(server, 3, 0);
        seconds(11);
        String left = "servers " + servers + ", as first has left them";
        assertThat(scoreAt(predictor, left)).isCloseTo(probability(6.25), closely());
        locator.newest = version("3", 0, 0);
        seconds(11);
        assertThat(scoreAt(predictor, "version 3")).isCloseTo(probability(.25), closely());
        locator.newest = save(server, "4", archive().servedBy(List.of("other:1"), "first"));
        seconds(11);
        assertThat(scoreAt(predictor, "version 4")).isCloseTo(probability(6.25), closely());
    }

    @Test
    void serversThatAnotherJobHasTakenOverAreNotAsked() throws Exception {
        EmbeddedServer server = server();
        List<String> servers = List.of(server.address());
        grant(server, "first");
        store(server, 2, 0);
        locator.newest = save(server, "1", archive().servedBy(servers, "first"));
        ModelPredictor before = predictor(servers);
        before.score(ROW);
        assertThat(before.place()).isEqualTo("servers " + servers + ", as first has left them");
        grant(server, "second");
        store(server, 0, 0);
        seconds(11);
        for (ModelPredictor predictor : List.of(before, predictor(servers))) {
            assertThat(predictor.score(ROW)[0]).isCloseTo(probability(4.25), closely());
            assertThat(predictor.place()).isEqualTo("version 1");
        }
    }

    /** An attempt has announced servers on which it has not rolled the model back yet. */
    @Test
    void serversThatAreRolledBackAreNotAskedBeforeTheirRowsAreThere() throws Exception {
        EmbeddedServer server = server();
        try (ParameterClient client =
                        ServedModel.client(
                                List.of(server.address()), ClientSecurity.NONE, TIMEOUT, TIMEOUT);
                ModelSession attempt = attempt(client)) {
            attempt.suspend().get(20, TimeUnit.SECONDS);
            createTables(attempt);
            locator.live =
                    List.of(
                            new ServiceAddress(
                                    "run", 3, List.of(server.address()), Long.MAX_VALUE));
            locator.newest = version("1", 0, 0);
            ModelPredictor predictor = predictor(List.of());
            assertThat(predictor.score(ROW)[0]).isCloseTo(probability(.25), closely());
            assertThat(predictor.place()).isEqualTo("version 1");
            assertThat(predictor.score(ROW)[0]).isCloseTo(probability(.25), closely());

            load(attempt, 0, new long[] {7, 9}, 2, 0);
            load(attempt, 1, new long[] {0}, .25f);
            attempt.serve().get(20, TimeUnit.SECONDS);
            seconds(11);
            String place = "servers [" + server.address() + "], attempt 3";
            assertThat(scoreAt(predictor, place)).isCloseTo(probability(4.25), closely());
        }
    }

    @Test
    void aModelWithoutVersionsIsWaitedForWhileItIsRolledBack() throws Exception {
        EmbeddedServer server = server();
        try (ParameterClient client =
                        ServedModel.client(
                                List.of(server.address()), ClientSecurity.NONE, TIMEOUT, TIMEOUT);
                ModelSession attempt = attempt(client)) {
            attempt.suspend().get(20, TimeUnit.SECONDS);
            createTables(attempt);
            locator.live =
                    List.of(
                            new ServiceAddress(
                                    "run", 3, List.of(server.address()), Long.MAX_VALUE));
            ModelPredictor predictor = predictor(List.of());
            CompletableFuture<float[]> waiting =
                    CompletableFuture.supplyAsync(() -> score(predictor));
            load(attempt, 0, new long[] {7, 9}, 2, 0);
            assertThat(waiting).isNotDone();
            load(attempt, 1, new long[] {0}, .25f);
            attempt.serve().get(20, TimeUnit.SECONDS);
            assertThat(waiting.get(20, TimeUnit.SECONDS)[0])
                    .isCloseTo(probability(4.25), closely());
        }
    }

    private static float[] score(ModelPredictor predictor) {
        try {
            return predictor.score(ROW);
        } catch (ServingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ModelSession attempt(ParameterClient client) throws Exception {
        SessionSpec spec =
                new SessionSpec(
                        "ctr", "run", 3, SessionSpec.NO_WORKER, 1, ConsistencySpec.asp(), TIMEOUT);
        return client.open(spec).get(20, TimeUnit.SECONDS);
    }

    private static void createTables(ModelSession session) throws Exception {
        for (TableSpec table : MODEL.tables()) {
            session.createTable(table).get(20, TimeUnit.SECONDS);
        }
    }

    /** Takes the model over, as a job does. */
    private static void grant(EmbeddedServer server, String attempt) throws Exception {
        try (ParameterClient client =
                ServedModel.client(
                        List.of(server.address()), ClientSecurity.NONE, TIMEOUT, TIMEOUT)) {
            long fence =
                    client.grantFence("ctr", attempt + " run", attempt, TIMEOUT)
                            .get(20, TimeUnit.SECONDS);
            client.dropModel("ctr", fence, TIMEOUT).get(20, TimeUnit.SECONDS);
        }
    }

    /** As with a machine that has lost its cable: nothing comes, and no end of the connection. */
    @Test
    void aServerThatSaysNothingIsGivenUpAndReachedAnew() throws Exception {
        try (ParameterServer server = ParameterServer.start(ServerConfig.defaults());
                CuttingProxy proxy = new CuttingProxy(server.address())) {
            store(server.address(), 2, 0);
            locator.live =
                    List.of(new ServiceAddress("run", 3, List.of(proxy.address()), Long.MAX_VALUE));
            PredictorSpec spec =
                    new PredictorSpec(
                            "ads.ctr",
                            "ctr",
                            locator,
                            List.of(),
                            ClientSecurity.NONE,
                            Duration.ofSeconds(1),
                            REFRESH,
                            0,
                            Duration.ofSeconds(8)); // less than the default of the peer timeout
            try (ModelPredictor predictor = new ModelPredictor(MODEL, spec, () -> nanos)) {
                assertThat(predictor.score(ROW)[0]).isCloseTo(probability(4.25), closely());
                locator.live = List.of(); // so that only the same client can make a connection
                proxy.swallow(true);
                int before = proxy.accepted();
                CompletableFuture<float[]> waiting =
                        CompletableFuture.supplyAsync(() -> score(predictor));
                Polling.await("no new connection", () -> proxy.accepted() > before);
                proxy.swallow(false);
                proxy.cut(); // those that were made meanwhile
                assertThat(waiting.get(20, TimeUnit.SECONDS)[0])
                        .isCloseTo(probability(4.25), closely());
            }
        }
    }

    @Test
    void aModelThatIsNowhereIsNamed() {
        ModelPredictor predictor = predictor(List.of());
        assertThatThrownBy(() -> predictor.score(ROW))
                .isInstanceOf(ServingException.class)
                .hasMessageContaining("ads.ctr cannot predict: it has no version yet");
        locator.newest = new ModelLocator.Version("1", folder.resolve("gone").toString());
        assertThatThrownBy(() -> predictor.score(ROW))
                .isInstanceOf(ServingException.class)
                .hasMessageContaining(folder.resolve("gone") + " cannot be loaded");
        assertThat(LoadedModels.count()).isZero();
    }

    /** Tables touched by ranges, and rows that were never trained, are as on the servers. */
    @Test
    void modelsWithLayersAndFactorsPredict() throws Exception {
        for (TrainingModel model :
                List.<TrainingModel>of(
                        MultiLayerPerceptron.builder().features(20).hidden(32).build(),
                        FactorizationMachine.builder().initStd(.5).build())) {
            try (EmbeddedServer server =
                            new LocalServerBackend()
                                    .startServer(0, 0, TaskHost.ofMachine(1L << 28));
                    ParameterClient client =
                            ServedModel.client(
                                    List.of(server.address()),
                                    ClientSecurity.NONE,
                                    TIMEOUT,
                                    TIMEOUT);
                    ModelSession session = ServedModel.session(client, "m", TIMEOUT)) {
                for (TableSpec table : model.tables()) {
                    session.createTable(table).get(20, TimeUnit.SECONDS);
                }
                RowScorer cached =
                        new RowScorer(session, model, 100, REFRESH, TIMEOUT, () -> nanos);
                RowScorer anew = new RowScorer(session, model, 0, REFRESH, TIMEOUT, () -> nanos);
                float[] once = cached.score(ROW);
                assertThat(once[0]).isNotEqualTo(.5f).isBetween(0f, 1f);
                assertThat(cached.score(ROW)).isEqualTo(once);
                assertThat(anew.score(ROW)).isEqualTo(once);
            }
        }
    }
}
