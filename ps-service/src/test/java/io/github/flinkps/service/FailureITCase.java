package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections, servers and clients that go at a bad moment. */
class FailureITCase {
    private static final ServerConfig CONFIG = ServerConfig.defaults().withOwners(2);
    private static final TableSpec TABLE =
            TableSpec.dense("t", 64, 1, UpdateSpec.of("add")).withPartitions(64);

    private static PsException fails(String part, ThrowingCallable call) {
        PsException[] found = new PsException[1];
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(PsException.class, e -> found[0] = e)
                .hasMessageContaining(part);
        return found[0];
    }

    private static SessionSpec spec(int worker, long fence, Duration timeout) {
        return new SessionSpec("m", "run", fence, worker, 2, ConsistencySpec.asp(), timeout);
    }

    private static ClientConfig patience(long millis) {
        return ClientConfig.defaults()
                .withConnectTimeout(Duration.ofMillis(millis))
                .withReconnectTimeout(Duration.ofMillis(millis));
    }

    private static float[] ones() {
        float[] ones = new float[64];
        java.util.Arrays.fill(ones, 1);
        return ones;
    }

    private static float[] pull(ModelSession session) {
        float[] values = new float[64];
        get(session.exchange().pullRange("t", 0, 64, values).send());
        return values;
    }

    /** Requests made while it closes are answered, and nobody waits for it to come back. */
    @Test
    @Timeout(60)
    void aServerOfThisProcessThatClosesIsGoneForGood() throws Exception {
        ParameterServer server = ParameterServer.start(CONFIG);
        String address = ParameterClients.LOCAL + server.localName();
        Duration patience = Duration.ofMinutes(10);
        try (ParameterClient client =
                ParameterClients.create(List.of(address), patience(600_000))) {
            ModelSession session = get(client.open(spec(-1, 0, patience)));
            List<CompletableFuture<Boolean>> asked = new ArrayList<>();
            Thread closing = new Thread(server::close);
            closing.start();
            do {
                asked.add(session.describe("t").handle((spec, failure) -> failure != null));
            } while (closing.isAlive());
            asked.add(session.describe("t").handle((spec, failure) -> failure != null));
            for (CompletableFuture<Boolean> each : asked) {
                assertThat(get(each)).isTrue();
            }
            fails("no server", () -> get(session.describe("t")));
        } finally {
            server.close();
        }
    }

    @Test
    void cutConnectionsLoseNothingAndRepeatNothing() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        try (ParameterServer server = ParameterServer.start(CONFIG);
                CuttingProxy proxy = new CuttingProxy(server.address());
                ParameterClient client =
                        ParameterClients.create(List.of(proxy.address()), patience(20_000))) {
            ModelSession worker = get(client.open(spec(0, 1, Duration.ofSeconds(25))));
            ModelSession plain = get(client.open(spec(-1, 0, Duration.ofSeconds(25))));
            get(worker.createTable(TABLE));
            get(plain.describe("t"));
            KeyList keys = worker.keys("t", new long[] {1, 5, 9, 60}, 0, 4);
            for (int i = 0; i < 30; i++) {
                List<CompletableFuture<Void>> all = new ArrayList<>();
                for (int j = 0; j < 5; j++) {
                    all.add(
                            worker.exchange()
                                    .pushRange("t", 0, 64, ones(), 1)
                                    .push(keys, ones(), 1)
                                    .clock()
                                    .pullRange("t", 0, 64, new float[64])
                                    .send());
                    all.add(plain.exchange().pushRange("t", 0, 64, ones(), 1).send());
                    if (random.nextInt(5) == 0) {
                        proxy.cut();
                    }
                }
                all.forEach(TestingCluster::get);
            }
            float[] values = pull(plain);
            for (int key = 0; key < 64; key++) {
                boolean listed = key == 1 || key == 5 || key == 9 || key == 60;
                assertThat(values[key]).isEqualTo(listed ? 450 : 300);
            }
            assertThat(worker.clock()).isEqualTo(150);
        }
    }

    /** As with a machine that has lost its cable: nothing comes, and no end of the connection. */
    @Test
    void aServerThatSaysNothingIsGivenUpAndReachedAnew() throws Exception {
        ClientConfig config = patience(20_000).withPeerTimeout(Duration.ofSeconds(1));
        try (ParameterServer server = ParameterServer.start(CONFIG);
                CuttingProxy proxy = new CuttingProxy(server.address());
                ParameterClient client =
                        ParameterClients.create(List.of(proxy.address()), config)) {
            ModelSession worker = get(client.open(spec(0, 1, Duration.ofSeconds(25))));
            get(worker.createTable(TABLE));
            proxy.swallow(true);
            int before = proxy.accepted();
            CompletableFuture<Void> sent =
                    worker.exchange().pushRange("t", 0, 64, ones(), 1).clock().send();
            Polling.await("no new connection", () -> proxy.accepted() > before);
            proxy.swallow(false);
            proxy.cut(); // those that were made meanwhile
            get(sent);
            assertThat(pull(worker)).containsOnly(1f);
        }
    }

    /** One message may take longer on a slow link than a server may say nothing. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSlowLinkIsNoSilence(boolean push) throws Exception {
        int rows = 1 << 20;
        ClientConfig config = patience(20_000).withPeerTimeout(Duration.ofSeconds(3));
        try (ParameterServer server = ParameterServer.start(CONFIG);
                CuttingProxy proxy = new CuttingProxy(server.address());
                ParameterClient client =
                        ParameterClients.create(List.of(proxy.address()), config)) {
            ModelSession worker = get(client.open(spec(0, 1, Duration.ofSeconds(25))));
            get(worker.createTable(TableSpec.dense("t", rows, 1, UpdateSpec.of("add"))));
            get(worker.exchange().pushRange("t", 0, rows, new float[rows], 1).send());
            int before = proxy.accepted();
            proxy.slow(1 << 19);
            Exchange exchange = worker.exchange();
            if (push) {
                exchange.pushRange("t", 0, rows, new float[rows], 1);
            } else {
                exchange.pullRange("t", 0, rows, new float[rows]);
            }
            get(exchange.send());
            assertThat(proxy.accepted()).as("connections").isEqualTo(before);
        }
    }

    /** A pull may wait for others for as long as it likes: the server answers that it is there. */
    @Test
    void aServerThatOnlyLetsAPullWaitIsNotGivenUp() {
        ClientConfig config = patience(20_000).withPeerTimeout(Duration.ofSeconds(1));
        try (ParameterServer server = ParameterServer.start(CONFIG);
                ParameterClient client =
                        ParameterClients.create(List.of(server.address()), config)) {
            ModelSession fast = get(client.open(bsp(0)));
            ModelSession slow = get(client.open(bsp(1)));
            get(fast.createTable(TABLE));
            get(slow.describe("t"));
            get(fast.exchange().clock().send());
            CompletableFuture<Void> waits =
                    fast.exchange().pullRange("t", 0, 64, new float[64]).send();
            long requests = client.traffic().requests();
            assertThat(waits.copy().orTimeout(3, TimeUnit.SECONDS))
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(TimeoutException.class);
            assertThat(client.traffic().requests()).as("sent again").isEqualTo(requests);
            get(slow.exchange().clock().send());
            get(waits);
        }
    }

    private static SessionSpec bsp(int worker) {
        Duration timeout = Duration.ofSeconds(25);
        return new SessionSpec("m", "run", 1, worker, 2, ConsistencySpec.bsp(), timeout);
    }

    @Test
    void aClientThatSleptThroughANewAttemptChangesNothing() throws IOException {
        try (ParameterServer server = ParameterServer.start(CONFIG);
                CuttingProxy proxy = new CuttingProxy(server.address());
                ParameterClient zombie =
                        ParameterClients.create(List.of(proxy.address()), patience(20_000));
                ParameterClient client =
                        ParameterClients.create(List.of(server.address()), patience(20_000))) {
            ModelSession old = get(zombie.open(spec(0, 1, Duration.ofSeconds(25))));
            get(old.createTable(TABLE));
            proxy.swallow(true);
            CompletableFuture<Void> late =
                    old.exchange().pushRange("t", 0, 64, ones(), 1).clock().send();
            ModelSession fresh = get(client.open(spec(0, 2, Duration.ofSeconds(25))));
            get(fresh.describe("t"));
            get(fresh.exchange().pushRange("t", 0, 64, ones(), 1).clock().send());
            proxy.swallow(false);
            proxy.cut(); // it wakes up, reconnects and sends again
            assertThat(fails("attempt", () -> get(late)).code()).isEqualTo(ErrorCode.FENCED);
            assertThat(pull(fresh)).containsOnly(1f);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aServerThatDiesIsAClearErrorWithinThePatience(boolean local) {
        ParameterServer server = ParameterServer.start(CONFIG);
        String address = local ? "local:" + server.localName() : server.address();
        try (ParameterClient client = ParameterClients.create(List.of(address), patience(400))) {
            ModelSession session = get(client.open(spec(0, 1, Duration.ofSeconds(25))));
            get(session.createTable(TABLE));
            get(session.exchange().pushRange("t", 0, 64, ones(), 1).clock().send());
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(session.exchange().pushRange("t", 0, 64, ones(), 1).clock().send());
            }
            server.close();
            server.close();
            all.add(session.exchange().pullRange("t", 0, 64, new float[64]).send());
            for (CompletableFuture<Void> one : all) {
                try {
                    get(one);
                } catch (PsException e) {
                    assertThat(e.code()).isIn(ErrorCode.DISCONNECTED, ErrorCode.CLOSED);
                }
            }
            fails("server", () -> pull(session));
        } finally {
            server.close();
        }
    }

    @Test
    void aRestartedServerIsRecognised() {
        ParameterServer first = ParameterServer.start(CONFIG);
        try (ParameterClient client =
                ParameterClients.create(List.of(first.address()), patience(20_000))) {
            ModelSession session = get(client.open(spec(0, 1, Duration.ofSeconds(25))));
            get(session.createTable(TABLE));
            first.close();
            try (ParameterServer second = ParameterServer.start(CONFIG.withPort(first.port()));
                    ParameterClient other =
                            ParameterClients.create(List.of(second.address()), patience(20_000))) {
                ModelSession stranger = get(other.open(spec(0, 1, Duration.ofSeconds(25))));
                get(stranger.createTable(TABLE));
                PsException error =
                        fails(
                                "restarted",
                                () ->
                                        get(
                                                session.exchange()
                                                        .pushRange("t", 0, 64, ones(), 1)
                                                        .send()));
                assertThat(error.code()).isEqualTo(ErrorCode.UNKNOWN_SESSION);
                assertThat(pull(stranger)).containsOnly(0f);
            }
        } finally {
            first.close();
        }
    }

    @Test
    void aPeerThatSaysNothingIsGivenUp() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ParameterClient client =
                        ParameterClients.create(
                                List.of("127.0.0.1:" + silent.getLocalPort()), patience(300))) {
            PsException error =
                    fails("says nothing", () -> get(client.open(spec(0, 1, Duration.ofHours(1)))));
            assertThat(error.code()).isEqualTo(ErrorCode.TIMEOUT);
        }
    }

    @Test
    void aPeerThatFallsSilentIsATimeout() throws IOException {
        try (ParameterServer server = ParameterServer.start(CONFIG);
                CuttingProxy proxy = new CuttingProxy(server.address());
                ParameterClient client =
                        ParameterClients.create(List.of(proxy.address()), patience(20_000))) {
            ModelSession session = get(client.open(spec(0, 1, Duration.ofMillis(700))));
            get(session.createTable(TABLE));
            assertThat(pull(session)).containsOnly(0f);
            proxy.swallow(true);
            PsException error = fails("did not answer in time", () -> pull(session));
            assertThat(error.code()).isEqualTo(ErrorCode.TIMEOUT);
            fails(
                    "did not answer in time",
                    () -> get(session.exchange().pushRange("t", 0, 64, ones(), 1).send()));
            proxy.swallow(false);
            proxy.cut();
            // Whether that push arrived is not known, so none may follow it.
            fails(
                    "open a new session",
                    () -> get(session.exchange().pushRange("t", 0, 64, ones(), 1).send()));
            assertThat(proxy.swallowedBytes()).isPositive();
        }
    }

    @Test
    void aServerThatIsNotThereIsNamedAndMayComeLater() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        try (ParameterClient client =
                ParameterClients.create(List.of("127.0.0.1:" + port), patience(300))) {
            fails(
                    "cannot reach server 127.0.0.1:" + port,
                    () -> get(client.open(spec(0, 1, Duration.ofSeconds(25)))));
            try (ParameterServer server = ParameterServer.start(CONFIG.withPort(port))) {
                ModelSession session = get(client.open(spec(0, 1, Duration.ofSeconds(25))));
                get(session.createTable(TABLE));
                assertThat(server.port()).isEqualTo(port);
            }
        }
    }

    @Test
    void aPortInUseIsNamed() {
        try (ParameterServer server = ParameterServer.start(CONFIG)) {
            PsException error =
                    fails(
                            "127.0.0.1:" + server.port(),
                            () -> ParameterServer.start(CONFIG.withPort(server.port())));
            assertThat(error.code()).isEqualTo(ErrorCode.IO);
        }
    }

    @Test
    void closingAClientFailsWhatIsUnderWayAndLeavesNoThread() throws InterruptedException {
        ParameterServer server = ParameterServer.start(CONFIG);
        ParameterClient client = ParameterClients.create(List.of(server.address()), patience(5000));
        SessionSpec bsp =
                new SessionSpec("m", "run", 1, 0, 2, ConsistencySpec.bsp(), Duration.ofSeconds(25));
        ModelSession session = get(client.open(bsp));
        get(session.createTable(TABLE));
        CompletableFuture<Void> parked =
                session.exchange()
                        .pushRange("t", 0, 64, ones(), 1)
                        .clock()
                        .pullRange("t", 0, 64, new float[64])
                        .send();
        CompletableFuture<Void> barrier = session.barrier("b", 2, Duration.ofSeconds(25));
        client.close();
        client.close();
        assertThat(fails("closed", () -> get(parked)).code()).isEqualTo(ErrorCode.CLOSED);
        fails("closed", () -> get(barrier));
        fails("closed", () -> get(client.open(bsp)));
        fails("closed", () -> get(session.exchange().clock().send()));
        server.close();
        server.close();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (liveThreads() > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(liveThreads()).isZero();
    }

    private static long liveThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("flink-ps-"))
                .count();
    }
}
