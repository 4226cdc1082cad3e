package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.TIMEOUT;
import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ClientSecurity;
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
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.LeakExtension;
import io.github.flinkps.testing.Polling;
import io.github.flinkps.testing.TestingKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests what clients may do with models, by the lines of a file. */
@ExtendWith(LeakExtension.class)
class AccessITCase {
    private static final TableSpec TABLE = TableSpec.dense("t", 1, 1, UpdateSpec.of("add"));
    private static final float[] ONE = {1};

    @TempDir private Path folder;
    private final List<ParameterClient> clients = new ArrayList<>();
    private TestingKeys keys;
    private ParameterServer server;

    @BeforeEach
    void start() throws IOException {
        keys = new TestingKeys(folder);
        writeRules("reader read ads", "trainer train ads*", "owner administer *");
        TlsFiles own = keys.server("127.0.0.1");
        String tokens =
                keys.tokens("tokens", line("reader"), line("trainer"), line("owner"), line("none"));
        server =
                ParameterServer.start(
                        ServerConfig.of(
                                Map.of(
                                        "owners", "2",
                                        "tls-certificate", own.certificate(),
                                        "tls-key", own.key(),
                                        "token-file", tokens,
                                        "acl-file", folder.resolve("rules").toString()),
                                Runtime.getRuntime().maxMemory()));
    }

    @AfterEach
    void close() {
        clients.forEach(ParameterClient::close);
        server.close();
    }

    private void writeRules(String... lines) throws IOException {
        Files.writeString(folder.resolve("rules"), String.join("\n", lines));
    }

    private static String line(String client) {
        return client + ":a-token-of-" + client + "-alone";
    }

    private ParameterClient client(String name) {
        String token = keys.tokens(name + ".token", line(name));
        ClientConfig config =
                ClientConfig.defaults().withSecurity(new ClientSecurity(keys.trust(), token));
        ParameterClient client = ParameterClients.create(List.of(server.address()), config);
        clients.add(client);
        return client;
    }

    private static ModelSession open(ParameterClient client, String model, long fence, int worker) {
        ConsistencySpec asp = ConsistencySpec.asp();
        return get(client.open(new SessionSpec(model, "run", fence, worker, 1, asp, TIMEOUT)));
    }

    private static ModelSession plain(ParameterClient client, String model) {
        return open(client, model, 0, SessionSpec.NO_WORKER);
    }

    private static void forbidden(String right, ThrowingCallable what) {
        assertThatThrownBy(what)
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FORBIDDEN))
                .hasMessageContaining("may not " + right + " model")
                .hasMessageContaining("acl-file");
    }

    private static float pull(ModelSession session) {
        float[] value = new float[1];
        get(session.exchange().pullRange("t", 0, 1, value).send());
        return value[0];
    }

    private static void push(ModelSession session) {
        get(session.exchange().pushRange("t", 0, 1, ONE, 1).send());
    }

    @Test
    void whoTrainsDoesAllThatAJobNeeds() {
        ParameterClient trainer = client("trainer");
        long fence = get(trainer.grantFence("ads", "run", "attempt", TIMEOUT));
        get(trainer.dropModel("ads", fence, TIMEOUT));
        ModelSession worker = open(trainer, "ads", fence, 0);
        get(worker.createTable(TABLE));
        get(worker.exchange().pushRange("t", 0, 1, ONE, 1).clock().send());
        get(worker.suspend());
        get(worker.serve());
        get(worker.barrier("b", 1, TIMEOUT));
        assertThat(pull(worker)).isEqualTo(1);
        forbidden("administer", () -> get(trainer.dropModel("ads", 0, TIMEOUT)));
        ModelSession plain = plain(trainer, "ads-2");
        get(plain.createTable(TABLE));
        push(plain);
        forbidden("administer", () -> get(plain.dropTable("t")));
        forbidden("read", () -> plain(trainer, "news"));
    }

    @Test
    void whoReadsChangesNothing() {
        ParameterClient reader = client("reader");
        assertThatThrownBy(() -> plain(reader, "ads")).hasMessageContaining("no model 'ads'");
        ModelSession owner = plain(client("owner"), "ads");
        get(owner.createTable(TABLE));
        push(owner);
        ModelSession plain = plain(reader, "ads");
        get(plain.describe("t"));
        assertThat(get(plain.tables())).containsExactly("t");
        assertThat(pull(plain)).isEqualTo(1);
        assertThat(get(plain.scan("t", 0, 0, false)).keys()).containsExactly(0);
        assertThat(get(plain.aggregate("t", "sum", List.of())).values()).containsExactly(1);
        assertThat(get(plain.state()).readable()).isTrue();
        RowChunk rows = new RowChunk(0, new long[] {0}, ONE, new float[0][], 0, RowChunk.END);
        forbidden("train", () -> get(plain.load("t", rows)));
        forbidden("train", () -> get(plain.createTable(TABLE)));
        forbidden("train", () -> get(plain.barrier("b", 1, TIMEOUT)));
        forbidden("train", () -> push(plain));
        assertThatThrownBy(() -> push(plain)).hasMessageContaining("open a new session");
        forbidden("administer", () -> get(plain.dropTable("t")));
        forbidden("train", () -> open(reader, "ads", 1, 0));
        forbidden("train", () -> open(reader, "ads", 1, SessionSpec.NO_WORKER));
        forbidden("train", () -> get(reader.grantFence("ads", "run", "attempt", TIMEOUT)));
        forbidden("administer", () -> get(reader.dropModel("ads", 9, TIMEOUT)));
        forbidden("administer", () -> get(reader.dropModel("ads", 0, TIMEOUT)));
        assertThat(pull(plain)).isEqualTo(1);
        forbidden("read", () -> plain(client("none"), "ads"));
    }

    /** Rules are patterns, which long names would keep busy. */
    @Test
    void namesThatAreTooLongAreMatchedWithNoRule() {
        String name = "ads-".repeat(200);
        assertThatThrownBy(() -> get(client("trainer").dropModel(name, 0, TIMEOUT)))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining("at most 512 characters, not 800");
    }

    @Test
    void whoListsModelsSeesThoseThatItMayRead() {
        ParameterClient owner = client("owner");
        plain(owner, "news");
        for (int i = 0; i < 600; i++) {
            plain(owner, "ads-%03d".formatted(i));
        }
        assertThat(get(client("reader").models(TIMEOUT))).isEmpty();
        plain(owner, "ads");
        assertThat(get(client("reader").models(TIMEOUT))).containsExactly("ads");
        assertThat(get(client("trainer").models(TIMEOUT)))
                .hasSize(601)
                .isSorted()
                .startsWith("ads", "ads-000")
                .endsWith("ads-599");
        assertThat(get(owner.models(TIMEOUT))).hasSize(602).endsWith("news");
        assertThat(get(client("none").models(TIMEOUT))).isEmpty();
    }

    /** A number is no grant: neither that of another's grant, nor one above it. */
    @Test
    void whoTrainsDropsWhatItWasGrantedAlone() {
        ParameterClient owner = client("owner");
        long granted = get(owner.grantFence("ads", "run", "attempt", TIMEOUT));
        get(open(owner, "ads", granted, 0).createTable(TABLE));
        ParameterClient trainer = client("trainer");
        for (long fence : new long[] {granted, granted + 1, 1L << 62}) {
            forbidden("administer", () -> get(trainer.dropModel("ads", fence, TIMEOUT)));
        }
        assertThat(get(plain(owner, "ads").tables())).containsExactly("t");
        long own = get(trainer.grantFence("ads", "later", "other", TIMEOUT));
        get(trainer.dropModel("ads", own, TIMEOUT));
    }

    @Test
    void whoAdministersDropsWhatOthersMade() {
        get(plain(client("trainer"), "ads").createTable(TABLE));
        ParameterClient owner = client("owner");
        get(plain(owner, "ads").dropTable("t"));
        get(owner.dropModel("ads", 0, TIMEOUT));
        assertThatThrownBy(() -> plain(client("reader"), "ads"))
                .hasMessageContaining("no model 'ads'");
    }

    /** Sessions that are open already lose and gain what they may do. */
    @Test
    void rulesThatChangeCountForOpenSessions() throws Exception {
        ModelSession trainer = plain(client("trainer"), "ads");
        get(trainer.createTable(TABLE));
        ModelSession reader = plain(client("reader"), "ads");
        get(reader.describe("t"));
        writeRules("reader train ads", "owner administer *");
        Polling.await("the trainer still reads", () -> !mayPull(trainer));
        push(reader);
        assertThat(pull(reader)).isEqualTo(1);
    }

    /** Taking out the last line takes the last right. */
    @Test
    void emptiedRulesPermitNothing() throws Exception {
        ModelSession trainer = plain(client("trainer"), "ads");
        get(trainer.createTable(TABLE));
        writeRules("");
        Polling.await("the trainer still reads", () -> !mayPull(trainer));
        forbidden("administer", () -> get(client("owner").dropModel("ads", 0, TIMEOUT)));
    }

    private static boolean mayPull(ModelSession session) {
        try {
            pull(session);
            return true;
        } catch (PsException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.FORBIDDEN);
            return false;
        }
    }
}
