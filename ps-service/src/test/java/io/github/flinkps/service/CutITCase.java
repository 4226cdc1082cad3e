package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.TIMEOUT;
import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.CutOrigin;
import io.github.flinkps.client.CutReport;
import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelStorage;
import io.github.flinkps.model.cut.CutManifests;
import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerConfig.CutLimits;
import io.github.flinkps.testing.Polling;
import io.github.flinkps.testing.TestingCuts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cuts over real servers, sockets and files. */
class CutITCase {
    private static final TableSpec COUNTS =
            TableSpec.dense("counts", 8, 1, UpdateSpec.of("add")).withPartitions(8);
    private static final TableSpec DENSE =
            TableSpec.dense("dense", 100, 3, UpdateSpec.of("adagrad")).withPartitions(7);
    private static final TableSpec SPARSE =
            TableSpec.sparse("sparse", 2, UpdateSpec.of("ftrl").with("l2", 0.01))
                    .withPartitions(16);
    private static final ServerConfig CONFIG = ServerConfig.defaults().withOwners(2);

    private final ModelStorage storage = new LocalModelStorage();
    @TempDir private Path folder;

    private String directory() {
        return LocalModelStorage.path(folder.resolve("model"));
    }

    private static void fails(ErrorCode code, String part, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(part);
    }

    private ModelSession[] workers(
            TestingCluster cluster, long fence, int count, ConsistencySpec consistency) {
        ModelSession[] workers = new ModelSession[count];
        for (int i = 0; i < count; i++) {
            workers[i] = cluster.worker("m", fence, i, count, consistency);
            for (TableSpec table : List.of(COUNTS, DENSE, SPARSE)) {
                get(workers[i].createTable(table));
            }
        }
        return workers;
    }

    private void begin(ModelSession[] workers, ManifestRef from) {
        for (ModelSession worker : workers) {
            get(worker.beginCuts(directory(), from, TIMEOUT));
        }
    }

    private static CompletableFuture<Void> push(ModelSession worker) {
        float[] ones = {1, 1, 1, 1, 1, 1, 1, 1};
        return worker.exchange().pushRange("counts", 0, 8, ones, 1).clock().send();
    }

    private static float pull(ModelSession session) {
        float[] values = new float[8];
        get(session.exchange().pullRange("counts", 0, 8, values).send());
        assertThat(values).containsOnly(values[0]);
        return values[0];
    }

    private static float count(TestingCluster cluster) {
        ModelSession plain = cluster.session("m");
        get(plain.describe("counts"));
        return pull(plain);
    }

    private static ModelSession plain(TestingCluster cluster) {
        ModelSession plain = cluster.session("m");
        get(plain.describe("counts"));
        return plain;
    }

    @Test
    void holdsWhatComesBehindAMarkerUntilTheCutIsFrozen() {
        try (TestingCluster cluster = new TestingCluster(2, CONFIG, storage);
                TestingCuts cuts = cuts(ConsistencySpec.asp(), 2)) {
            ModelSession[] two = workers(cluster, 1, 2, ConsistencySpec.asp());
            begin(two, null);
            get(push(two[0]));
            get(two[0].marker(1, 0));
            get(push(two[0])); // acknowledged, and deferred
            get(push(two[1]));
            assertThat(count(cluster)).isEqualTo(2);
            get(two[1].marker(1, 0));
            CutReport report = get(two[0].awaitCut(1, TIMEOUT));
            assertThat(count(cluster)).isEqualTo(3);
            ManifestRef ref = cuts.write(1, 1, report);
            assertThat(cuts.write(1, 1, get(two[1].awaitCut(1, TIMEOUT)))).isEqualTo(ref);
            assertThat(cuts.read(ref).get("counts").values()).containsOnly(2f).hasSize(8);
        }
    }

    private TestingCuts cuts(ConsistencySpec consistency, int workers) {
        return new TestingCuts(storage, directory(), consistency, workers);
    }

    @Test
    void tellsAWorkerWhoWaitsForOneBehindABarrierToGoOn() throws InterruptedException {
        try (TestingCluster cluster = new TestingCluster(1, CONFIG, storage)) {
            ModelSession[] two = workers(cluster, 1, 2, ConsistencySpec.bsp());
            begin(two, null);
            CountDownLatch pending = new CountDownLatch(1);
            two[1].onCutPending(pending::countDown);
            get(two[0].marker(1, 0));
            get(push(two[0]));
            get(push(two[1]));
            float[] values = new float[8];
            CompletableFuture<Void> pulled =
                    two[1].exchange().pullRange("counts", 0, 8, values).send();
            assertThat(pending.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(pulled).isNotDone();
            get(two[1].marker(1, 0));
            get(pulled);
            assertThat(values).containsOnly(2);
            get(two[1].awaitCut(1, TIMEOUT));
        }
    }

    @Test
    void anAbortLetsGoAndLateMarkersHoldNothing() throws Exception {
        try (TestingCluster cluster = new TestingCluster(2, CONFIG, storage)) {
            ModelSession[] two = workers(cluster, 1, 2, ConsistencySpec.asp());
            begin(two, null);
            get(two[0].marker(5, 0));
            get(push(two[0]));
            CompletableFuture<CutReport> waiting = two[0].awaitCut(5, TIMEOUT);
            get(two[1].abortCut(5, "as the test wants it"));
            fails(ErrorCode.CUT_FAILED, "as the test wants it", () -> get(waiting));
            ModelSession plain = plain(cluster);
            Polling.await("the deferred push has had no effect", () -> pull(plain) == 1);
            get(two[1].marker(5, 0));
            get(push(two[1]));
            assertThat(pull(plain)).isEqualTo(2);
            // The next one is taken, although another has failed.
            get(two[0].marker(6, 0));
            get(two[1].marker(6, 0));
            assertThat(get(two[0].awaitCut(6, TIMEOUT)).base()).isZero();
        }
    }

    @Test
    void aWorkerThatGoesOnToALaterBarrierGivesTheEarlierOneUp() {
        try (TestingCluster cluster = new TestingCluster(1, CONFIG, storage)) {
            ModelSession[] two = workers(cluster, 1, 2, ConsistencySpec.asp());
            begin(two, null);
            get(two[0].marker(1, 0));
            get(two[0].marker(2, 0));
            get(two[1].marker(2, 0));
            get(two[1].awaitCut(2, TIMEOUT));
            fails(
                    ErrorCode.CUT_FAILED,
                    "worker 1 has gone on to barrier 2",
                    () -> get(two[1].awaitCut(1, TIMEOUT)));
        }
    }

    /** The server's, or that which the job asks for. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHoldEndsAtItsDeadline(boolean ofServer) throws Exception {
        Duration shorter = Duration.ofMillis(300);
        Duration longer = Duration.ofHours(1);
        CutLimits limits = new CutLimits(ofServer ? shorter : longer, 1 << 20, 1 << 20);
        CutOrigin origin =
                new CutOrigin(directory(), null, false, ofServer ? Duration.ZERO : shorter);
        try (TestingCluster cluster = new TestingCluster(1, CONFIG.withCuts(limits), storage)) {
            ModelSession[] two = workers(cluster, 1, 2, ConsistencySpec.asp());
            for (ModelSession worker : two) {
                get(worker.beginCuts(origin, TIMEOUT));
            }
            get(two[0].marker(1, 0));
            get(push(two[0]));
            fails(
                    ErrorCode.CUT_FAILED,
                    "have not come in time",
                    () -> get(two[0].awaitCut(1, TIMEOUT)));
            ModelSession plain = plain(cluster);
            Polling.await("the deferred push has had no effect", () -> pull(plain) == 1);
        }
    }

    @Test
    void pushesWaitWhenTooManyAreHeld() {
        CutLimits limits = new CutLimits(Duration.ofMinutes(1), 1 << 20, 1 << 20);
        TableSpec wide = TableSpec.dense("wide", 1 << 16, 1, UpdateSpec.of("add"));
        try (TestingCluster cluster = new TestingCluster(1, CONFIG.withCuts(limits), storage)) {
            ModelSession[] two = workers(cluster, 1, 2, ConsistencySpec.asp());
            begin(two, null);
            get(two[0].createTable(wide));
            get(two[1].describe("wide"));
            get(two[0].marker(1, 0));
            List<CompletableFuture<Void>> pushed = new ArrayList<>();
            float[] ones = new float[1 << 16];
            Arrays.fill(ones, 1);
            for (int i = 0; i < 16; i++) { // 4 MiB
                pushed.add(two[0].exchange().pushRange("wide", 0, 1 << 16, ones, 1).send());
            }
            get(pushed.get(0));
            assertThat(pushed.get(15)).isNotDone();
            get(two[1].marker(1, 0));
            pushed.forEach(TestingCluster::get);
            get(two[1].awaitCut(1, TIMEOUT));
            float[] values = new float[1 << 16];
            get(two[1].exchange().pullRange("wide", 0, 1 << 16, values).send());
            assertThat(values).containsOnly(16);
        }
    }

    /** Bits of every value and slot, by table and key. */
    private static String bits(TestingCluster cluster) {
        ModelSession plain = cluster.session("m");
        StringBuilder all = new StringBuilder();
        for (TableSpec table : List.of(COUNTS, DENSE, SPARSE)) {
            get(plain.describe(table.name()));
            List<String> rows = new ArrayList<>();
            for (int p = 0; p < table.partitions(); p++) {
                long cursor = 0;
                while (cursor != RowChunk.END) {
                    RowChunk chunk = get(plain.scan(table.name(), p, cursor, true));
                    add(rows, chunk, table.width());
                    cursor = chunk.nextCursor();
                }
            }
            rows.sort(null);
            all.append(table.name()).append(rows);
        }
        return all.toString();
    }

    private static void add(List<String> rows, RowChunk chunk, int width) {
        for (int i = 0; i < chunk.keys().length; i++) {
            StringBuilder row = new StringBuilder().append(chunk.keys()[i]);
            for (int j = i * width; j < (i + 1) * width; j++) {
                row.append(' ').append(Float.floatToRawIntBits(chunk.values()[j]));
                for (float[] slot : chunk.slots()) {
                    row.append(' ').append(Float.floatToRawIntBits(slot[j]));
                }
            }
            rows.add(row.append(" at ").append(chunk.steps()).toString());
        }
    }

    private static void train(ModelSession[] workers, Random random, int batches) {
        for (int batch = 0; batch < batches; batch++) {
            for (ModelSession worker : workers) {
                long[] raw = random.longs(200, 0, 5000).toArray();
                KeyList keys = worker.keys("sparse", raw, 0, raw.length);
                float[] sparse = floats(random, 2 * keys.size());
                get(
                        worker.exchange()
                                .push(keys, sparse, 1)
                                .pushRange("dense", 0, 100, floats(random, 300), 1)
                                .pushRange("counts", 0, 8, floats(random, 8), 1)
                                .clock()
                                .send());
            }
        }
    }

    private static float[] floats(Random random, int count) {
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            floats[i] = random.nextFloat() - 0.5f;
        }
        return floats;
    }

    /**
     * A full cut and two increments, and another, since one of the workers names no cut to add to:
     * restored to other servers and workers.
     */
    @Test
    void rollsBackToTheBitOnOtherServersAndWorkers() {
        long seed = System.nanoTime();
        System.out.println("CutITCase: seed " + seed);
        Random random = new Random(seed);
        ConsistencySpec bsp = ConsistencySpec.bsp();
        List<String> expected = new ArrayList<>();
        List<ManifestRef> refs = new ArrayList<>();
        try (TestingCluster cluster = new TestingCluster(1, CONFIG, storage);
                TestingCuts cuts = cuts(bsp, 2)) {
            ModelSession[] two = workers(cluster, 1, 2, bsp);
            begin(two, null);
            for (int cut = 1; cut <= 5; cut++) {
                train(two, random, 5);
                expected.add(bits(cluster));
                int base = cut == 4 ? 0 : cut - 1;
                get(two[0].marker(cut, base));
                get(two[1].marker(cut, cut - 1));
                CutReport report = get(two[1].awaitCut(cut, TIMEOUT));
                assertThat(report.base()).isEqualTo(base);
                refs.add(cuts.write(1, cut, report));
            }
            train(two, random, 3);
        }
        for (int servers : new int[] {1, 3}) {
            try (TestingCluster cluster = new TestingCluster(servers, CONFIG, storage)) {
                for (int cut = 5; cut >= 1; cut--) {
                    int workers = servers == 1 ? 2 : 4;
                    ModelSession[] all = workers(cluster, 10 - cut, workers, bsp);
                    begin(all, refs.get(cut - 1));
                    assertThat(all[workers - 1].clock()).isEqualTo(5L * cut);
                    assertThat(bits(cluster)).isEqualTo(expected.get(cut - 1));
                }
            }
        }
    }

    @Test
    void workersMustAgreeOnWhatTheyGoOnFrom() {
        try (TestingCluster cluster = new TestingCluster(2, CONFIG, storage)) {
            ModelSession[] two = workers(cluster, 1, 2, ConsistencySpec.asp());
            fails(
                    ErrorCode.INVALID_ARGUMENT,
                    "has not begun its cuts",
                    () -> get(two[1].marker(1, 0)));
            get(two[0].beginCuts(directory(), null, TIMEOUT));
            fails(
                    ErrorCode.CONFLICTING_DEFINITION,
                    "goes on from cut",
                    () ->
                            get(
                                    two[1].beginCuts(
                                            directory(),
                                            new ManifestRef("elsewhere", 0),
                                            TIMEOUT)));
        }
        try (TestingCluster cluster = new TestingCluster(1, CONFIG, storage)) {
            ModelSession[] one = workers(cluster, 1, 1, ConsistencySpec.asp());
            String missing = directory() + "/runs/run/cuts/7-1/manifest.json";
            fails(
                    ErrorCode.CORRUPT,
                    missing,
                    () -> get(one[0].beginCuts(directory(), new ManifestRef(missing, 0), TIMEOUT)));
        }
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            ModelSession[] one = workers(cluster, 1, 1, ConsistencySpec.asp());
            fails(
                    ErrorCode.INVALID_ARGUMENT,
                    "no storage for cuts",
                    () -> get(one[0].beginCuts(directory(), null, TIMEOUT)));
        }
    }

    @Test
    void cutsGoWhereTheServerCanReachOnly() {
        try (TestingCluster cluster = new TestingCluster(1, CONFIG, storage)) {
            ModelSession[] one = workers(cluster, 1, 1, ConsistencySpec.asp());
            fails(
                    ErrorCode.INVALID_ARGUMENT,
                    "model-root cannot be used by this server: s3://bucket/m is not on",
                    () -> get(one[0].beginCuts("s3://bucket/m", null, TIMEOUT)));
            get(one[0].beginCuts("file://" + directory(), null, TIMEOUT));
            get(push(one[0]));
            get(one[0].marker(1, 0));
            get(one[0].awaitCut(1, TIMEOUT));
            assertThat(folder.resolve("model/runs/run/cuts/1-1/data")).isDirectory();
        }
    }

    /** The server also keeps the push of an incomplete round, which its worker has counted. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerThatHasTrainedTheModelMayKeepIt(boolean bsp) {
        ConsistencySpec consistency = bsp ? ConsistencySpec.bsp() : ConsistencySpec.asp();
        try (TestingCluster cluster = new TestingCluster(2, CONFIG, storage);
                TestingCuts cuts = cuts(consistency, 2)) {
            ModelSession[] two = workers(cluster, 1, 2, consistency);
            begin(two, null);
            get(push(two[0]));
            get(push(two[1]));
            get(two[0].marker(1, 0));
            get(two[1].marker(1, 0));
            ManifestRef cut = cuts.write(1, 1, get(two[0].awaitCut(1, TIMEOUT)));
            get(push(two[0]));
            get(push(two[1]));
            get(push(two[0]));
            CutOrigin keeping = new CutOrigin(directory(), cut, true, Duration.ZERO);
            ModelSession[] next = workers(cluster, 2, 2, consistency);
            for (ModelSession worker : next) {
                assertThat(get(worker.beginCuts(keeping, TIMEOUT))).isEqualTo(1);
            }
            assertThat(count(cluster)).isEqualTo(5);
            get(push(next[0]));
            get(push(next[1]));
            assertThat(count(cluster)).isEqualTo(7);
        }
        try (TestingCluster cluster = new TestingCluster(2, CONFIG, storage)) {
            ModelSession[] two = workers(cluster, 3, 2, consistency);
            String path = directory() + "/runs/run/cuts/1-1/manifest.json";
            ManifestRef cut = new ManifestRef(path, CutManifests.at(storage, path).crc32c());
            CutOrigin keeping = new CutOrigin(directory(), cut, true, Duration.ZERO);
            for (ModelSession worker : two) {
                get(worker.beginCuts(keeping, TIMEOUT));
            }
            assertThat(count(cluster)).as("of servers that had nothing").isEqualTo(2);
        }
    }

    @Test
    void aModelIsKeptByAllServersOrByNone() {
        try (TestingCluster cluster = new TestingCluster(2, CONFIG, storage);
                ParameterClient second =
                        ParameterClients.create(
                                cluster.addresses().subList(1, 2), ClientConfig.defaults())) {
            ParameterClient all = cluster.client();
            assertThat(workers(cluster, 1, 1, ConsistencySpec.asp())).hasSize(1);
            assertThat(get(all.keepModel("m", "run", 1, TIMEOUT))).as("not begun").isFalse();
            ModelSession[] one = workers(cluster, 2, 1, ConsistencySpec.asp());
            begin(one, null);
            get(push(one[0]));
            assertThat(get(all.keepModel("m", "run", 2, TIMEOUT))).isTrue();
            assertThat(count(cluster)).isEqualTo(1);
            assertThat(get(second.keepModel("m", "another", 2, TIMEOUT))).isFalse();
            assertThat(get(all.keepModel("m", "run", 2, TIMEOUT))).isFalse();
            assertThat(get(all.stats(TIMEOUT))).allMatch(server -> server.models() == 0);
        }
    }

    @Test
    void trainingGoesOnWhenACutCannotBeWritten() throws IOException {
        Files.writeString(folder.resolve("model"), "a file where the directory should be");
        try (TestingCluster cluster = new TestingCluster(1, CONFIG, storage)) {
            ModelSession[] one = workers(cluster, 1, 1, ConsistencySpec.asp());
            begin(one, null);
            get(one[0].marker(1, 0));
            fails(
                    ErrorCode.CUT_FAILED,
                    folder.resolve("model").toString(),
                    () -> get(one[0].awaitCut(1, TIMEOUT)));
            get(push(one[0]));
            assertThat(count(cluster)).isEqualTo(1);
            Files.delete(folder.resolve("model"));
            get(one[0].marker(2, 0));
            get(one[0].awaitCut(2, TIMEOUT));
        }
    }

    @Test
    void whatAZombieHasHeldNeverTakesEffect() {
        try (TestingCluster cluster = new TestingCluster(1, CONFIG, storage)) {
            ModelSession[] old = workers(cluster, 1, 2, ConsistencySpec.asp());
            begin(old, null);
            get(old[0].marker(1, 0));
            get(push(old[0]));
            ModelSession[] two = workers(cluster, 2, 2, ConsistencySpec.asp());
            begin(two, null);
            fails(ErrorCode.FENCED, "replaced", () -> get(old[1].marker(1, 0)));
            fails(ErrorCode.FENCED, "replaced", () -> get(old[0].awaitCut(1, TIMEOUT)));
            get(two[0].marker(2, 0));
            get(two[1].marker(2, 0));
            get(two[0].awaitCut(2, TIMEOUT));
            assertThat(count(cluster)).isZero();
        }
    }
}
