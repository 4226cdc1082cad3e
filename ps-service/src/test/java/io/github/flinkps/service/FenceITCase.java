package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** One attempt of a job at a time has a model, on all servers. */
class FenceITCase {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final TableSpec TABLE = TableSpec.dense("t", 64, 1, UpdateSpec.of("add"));

    private static void fenced(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED))
                .hasMessageContaining("newer attempt");
    }

    private static SessionSpec spec(int worker, long fence) {
        return new SessionSpec("m", "run", fence, worker, 2, ConsistencySpec.bsp(), TIMEOUT);
    }

    private static long grant(ParameterClient client, String run, String attempt) {
        return get(client.grantFence("m", run, attempt, TIMEOUT));
    }

    private static float[] ones() {
        float[] ones = new float[64];
        java.util.Arrays.fill(ones, 1);
        return ones;
    }

    private static CompletableFuture<Void> push(ModelSession session) {
        return session.exchange().pushRange("t", 0, 64, ones(), 1).send();
    }

    private static float[] pull(ModelSession session) {
        float[] values = new float[64];
        get(session.exchange().pullRange("t", 0, 64, values).send());
        return values;
    }

    @Test
    void fencesGrowFromAttemptToAttempt() {
        try (TestingCluster cluster = TestingCluster.of(3, false)) {
            ParameterClient client = cluster.client();
            assertThat(grant(client, "run", "a")).isEqualTo(1);
            assertThat(grant(cluster.client(), "run", "b")).isEqualTo(2);
            get(cluster.client().open(spec(0, 9)));
            assertThat(grant(client, "run", "c")).as("above one seen").isEqualTo(10);
            get(client.dropModel("m", TIMEOUT));
            assertThat(grant(client, "run", "d")).as("outlives the model").isEqualTo(11);
            assertThat(get(client.grantFence("n", "run", "a", TIMEOUT))).isEqualTo(1);
        }
    }

    @Test
    void theSameAttemptGetsTheSameFence() {
        try (TestingCluster cluster = TestingCluster.of(3, false)) {
            ParameterClient client = cluster.client();
            long fence = grant(client, "run", "a");
            ModelSession worker = get(client.open(spec(0, fence)));
            assertThat(grant(cluster.client(), "run", "a")).isEqualTo(fence);
            get(worker.createTable(TABLE));
            assertThat(grant(client, "run", "b")).isEqualTo(fence + 1);
        }
    }

    @Test
    void nothingOfAnOlderAttemptTakesEffectAnywhere() {
        try (TestingCluster cluster = TestingCluster.of(3, false)) {
            ParameterClient zombie = cluster.client();
            long old = grant(zombie, "first", "a");
            ModelSession worker = get(zombie.open(spec(0, old)));
            ModelSession plain = get(zombie.open(spec(SessionSpec.NO_WORKER, old)));
            ModelSession reader = cluster.session("m");
            get(worker.createTable(TABLE));
            get(plain.describe("t"));
            get(reader.describe("t"));
            CompletableFuture<Void> parked =
                    worker.exchange()
                            .pushRange("t", 0, 64, ones(), 1)
                            .clock()
                            .pullRange("t", 0, 64, new float[64])
                            .send();
            CompletableFuture<Void> barrier = plain.barrier("b", 2, TIMEOUT);
            get(push(plain));

            ParameterClient client = cluster.client();
            long fence = grant(client, "second", "b");
            fenced(() -> get(parked));
            fenced(() -> get(barrier));
            fenced(() -> get(push(worker)));
            fenced(() -> get(push(plain)));
            fenced(() -> get(plain.barrier("b", 1, TIMEOUT)));
            fenced(() -> get(plain.createTable(TableSpec.sparse("u", 1, UpdateSpec.of("add")))));
            RowChunk row =
                    new RowChunk(
                            0, new long[] {0}, new float[] {9}, new float[0][], 0, RowChunk.END);
            fenced(() -> get(plain.load("t", row)));
            fenced(() -> get(plain.dropTable("t")));
            fenced(() -> get(zombie.dropModel("m", old, TIMEOUT)));
            fenced(() -> get(zombie.open(spec(1, old))));
            fenced(() -> get(zombie.open(spec(SessionSpec.NO_WORKER, old))));
            assertThatThrownBy(() -> grant(zombie, "first", "c"))
                    .hasMessageContaining("run second has taken model 'm' over");
            assertThat(pull(reader)).as("what was there before").containsOnly(1f);

            // The newer attempt begins anew, and the old one is still told why.
            get(client.dropModel("m", fence, TIMEOUT));
            ModelSession fresh = get(client.open(spec(SessionSpec.NO_WORKER, fence)));
            get(fresh.createTable(TABLE));
            fenced(() -> get(zombie.dropModel("m", old, TIMEOUT)));
            get(push(fresh));
            assertThat(pull(fresh)).containsOnly(1f);
        }
    }

    /** Every server refuses, also those where the old attempt has not been yet. */
    @Test
    void aServerThatKnowsOnlyTheFenceRefusesOlderOnes() {
        try (TestingCluster cluster = TestingCluster.of(3, false)) {
            long old = grant(cluster.client(), "run", "a");
            grant(cluster.client(), "run", "b");
            for (String address : cluster.addresses()) {
                try (ParameterClient one =
                        ParameterClients.create(List.of(address), ClientConfig.defaults())) {
                    fenced(() -> get(one.open(spec(0, old))));
                    fenced(() -> get(one.dropModel("m", old, TIMEOUT)));
                }
            }
        }
    }

    /** The later one is granted its number while the earlier one still waits for its answer. */
    @Test
    void ofAttemptsThatAskAtOnceTheHighestIsTheOnlyOne() {
        try (TestingCluster cluster = TestingCluster.of(3, false)) {
            List<ParameterClient> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                clients.add(cluster.client());
            }
            for (int round = 0; round < 200; round++) {
                askAtOnce(clients, "m-" + round);
            }
        }
    }

    private static void askAtOnce(List<ParameterClient> clients, String model) {
        List<CompletableFuture<Long>> asked = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            asked.add(clients.get(i).grantFence(model, "run", "attempt-" + i, TIMEOUT));
        }
        List<Long> granted = new ArrayList<>();
        for (CompletableFuture<Long> one : asked) {
            try {
                granted.add(get(one));
            } catch (PsException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.FENCED);
            }
        }
        assertThat(granted).as(model).isNotEmpty().doesNotHaveDuplicates();
        long highest = granted.stream().mapToLong(fence -> fence).max().orElseThrow();
        for (long fence : granted) {
            SessionSpec spec =
                    new SessionSpec(model, "run", fence, 0, 2, ConsistencySpec.bsp(), TIMEOUT);
            if (fence == highest) {
                get(clients.get(0).open(spec));
            } else {
                fenced(() -> get(clients.get(0).open(spec)));
            }
        }
    }

    /** The server that decides has been started anew: the others still know. */
    @Test
    void whatOneServerHasForgottenTheOthersKnow() {
        ServerConfig config = ServerConfig.defaults().withOwners(1);
        List<ParameterServer> servers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            servers.add(ParameterServer.start(config));
        }
        List<String> addresses = servers.stream().map(ParameterServer::address).toList();
        try {
            try (ParameterClient client =
                    ParameterClients.create(addresses, ClientConfig.defaults())) {
                grant(client, "run", "a");
                grant(client, "run", "b");
            }
            long next = 3;
            for (int i = 0; i < 3; i++) {
                int port = servers.get(i).port();
                servers.get(i).close();
                servers.set(i, ParameterServer.start(config.withPort(port)));
                try (ParameterClient client =
                        ParameterClients.create(addresses, ClientConfig.defaults())) {
                    assertThat(grant(client, "run", "after-" + i)).isEqualTo(next++);
                }
            }
        } finally {
            servers.forEach(ParameterServer::close);
        }
    }

    /** The answers are lost, again and again: it is one grant. */
    @Test
    void lostAnswersDoNotGrantTwice() throws IOException {
        try (ParameterServer server = ParameterServer.start(ServerConfig.defaults());
                CuttingProxy proxy = new CuttingProxy(server.address());
                ParameterClient client =
                        ParameterClients.create(
                                List.of(proxy.address()), ClientConfig.defaults())) {
            grant(client, "run", "a");
            for (int i = 2; i < 12; i++) {
                CompletableFuture<Long> asked =
                        client.grantFence("m", "run", "attempt-" + i, TIMEOUT);
                proxy.cut();
                assertThat(get(asked)).isEqualTo(i);
            }
        }
    }

    @Test
    void anEmbeddedServerTakesOnlyTheFenceItWasBornWith() {
        ServerConfig born = ServerConfig.defaults().withOwners(1).withFence(7);
        try (ParameterServer server = ParameterServer.start(born);
                ParameterClient client =
                        ParameterClients.create(
                                List.of(server.address()), ClientConfig.defaults())) {
            get(client.open(spec(0, 7)));
            for (long other : new long[] {6, 8}) {
                assertThatThrownBy(() -> get(client.open(spec(1, other))))
                        .isInstanceOfSatisfying(
                                PsException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED))
                        .hasMessageContaining("fence 7 alone");
            }
            assertThatThrownBy(() -> grant(client, "run", "a")).hasMessageContaining("grants none");
        }
    }
}
