package io.github.flinkps.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.protocol.AdminCodec;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.GrantFenceMessage;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.protocol.OpenModelMessage;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.LeakExtension;
import io.github.flinkps.testing.Polling;
import io.github.flinkps.testing.TestingKeys;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Clients that mean harm, and have a right to some models, take nothing away from others. */
@ExtendWith(LeakExtension.class)
@Timeout(120)
class HostileTrainerITCase {
    private static final UnpooledByteBufAllocator BYTES = UnpooledByteBufAllocator.DEFAULT;
    private static final int AT_ONCE = 200;

    @TempDir private Path folder;
    private final List<RawClient> open = new ArrayList<>();
    private Path root;
    private TestingKeys keys;
    private ParameterServer server;

    @BeforeEach
    void start() throws IOException {
        keys = new TestingKeys(Files.createDirectories(folder.resolve("keys")));
        root = Files.createDirectories(folder.resolve("root"));
        Path rules = folder.resolve("rules");
        Files.writeString(
                rules,
                "ads train ads-*\nsearch train search-*\nsearch read ads-m\nops administer *\n");
        TlsFiles own = keys.server("127.0.0.1");
        String tokens = keys.tokens("tokens", line("ads"), line("search"), line("ops"));
        server =
                ParameterServer.start(
                        ServerConfig.of(
                                Map.of(
                                        "owners", "1",
                                        "tls-certificate", own.certificate(),
                                        "tls-key", own.key(),
                                        "token-file", tokens,
                                        "acl-file", rules.toString(),
                                        "model-root", root.toString()),
                                Runtime.getRuntime().maxMemory()),
                        new LocalModelStorage());
    }

    @AfterEach
    void close() throws IOException {
        for (RawClient each : open) {
            each.close();
        }
        server.close();
    }

    private static String line(String client) {
        return client + ":a-token-of-" + client + "-alone";
    }

    private RawClient connect(String name, long client) throws IOException {
        RawClient raw = RawClient.connect(server.port(), keys.authorityFile());
        open.add(raw);
        raw.hello(HelloMessage.CONTROL, client, line(name).getBytes(StandardCharsets.UTF_8));
        assertThat(ErrorFrame.of(raw.receive())).isNull();
        return raw;
    }

    private static ErrorCode ask(RawClient client, ByteBuf request) throws IOException {
        client.send(5, request);
        return error(client);
    }

    private static ErrorCode error(RawClient client) throws IOException {
        PsException error = ErrorFrame.of(client.receive());
        return error == null ? ErrorCode.NONE : error.code();
    }

    /** Sends many requests and returns how many are answered without an error. */
    private static int flood(RawClient client, int requests, IntFunction<ByteBuf> request)
            throws IOException {
        int done = 0;
        for (int first = 0; first < requests; first += AT_ONCE) {
            for (int i = first; i < first + AT_ONCE; i++) {
                client.send(i, request.apply(i));
            }
            for (int i = 0; i < AT_ONCE; i++) {
                done += error(client) == ErrorCode.NONE ? 1 : 0;
            }
        }
        return done;
    }

    private static ByteBuf grant(String model, String run, long fence) {
        return new GrantFenceMessage.Request(model, run, "of " + run, fence).encode(BYTES);
    }

    /** Shows that whoever names too many models loses fences of its own only. */
    @Test
    void manyNamesOfOneRaiseNoFenceOfAnother() throws IOException {
        RawClient ads = connect("ads", 1);
        RawClient search = connect("search", 2);
        assertThat(ask(ads, grant("ads-old", "r", 1))).isEqualTo(ErrorCode.NONE);
        flood(search, (1 << 16) + AT_ONCE, i -> grant("search-" + i, "r", 1L << 62));
        assertThat(ask(search, grant("search-0", "s", 5))).isEqualTo(ErrorCode.FENCED);
        assertThat(ask(ads, grant("ads-new", "r", 1))).isEqualTo(ErrorCode.NONE);
        assertThat(ask(ads, grant("ads-old", "s", 1))).isEqualTo(ErrorCode.FENCED);
        assertThat(ask(ads, grant("ads-old", "s", 2))).isEqualTo(ErrorCode.NONE);
    }

    /** Names are kept: of fences for ever, of barriers that have met as long as some. */
    @Test
    void namesOfALengthThatNobodyNeedsAreRefused() throws IOException {
        String name = "search-" + "m".repeat(600);
        RawClient search = connect("search", 2);
        assertThat(ask(search, grant(name, "r", 1))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(ask(search, grant("search-m", name, 1))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(ask(search, openModel(name))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        int session = search.open("search-m");
        assertThat(ask(search, barrier(session, name, 1))).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }

    private static ByteBuf openModel(int ignored) {
        return openModel("ads-m");
    }

    private static ByteBuf openModel(String model) {
        return new OpenModelMessage.Request(
                        model, "run", 0, SessionSpec.NO_WORKER, 1, ConsistencySpec.asp(), 0, 1)
                .encode(BYTES);
    }

    @Test
    void whoMayReadDoesNotFillTheServerWithSessions() throws IOException {
        RawClient ads = connect("ads", 1);
        ads.open("ads-m");
        int all = 0;
        for (int client = 0; client < 6; client++) {
            RawClient search = connect("search", 2 + client);
            int opened = flood(search, 5000, HostileTrainerITCase::openModel);
            assertThat(opened).isLessThan(5000);
            search.send(9, openModel(0));
            assertThat(ErrorFrame.of(search.receive()))
                    .hasMessageContaining("sessions")
                    .extracting(PsException::code)
                    .isEqualTo(ErrorCode.THROTTLED);
            all += opened;
        }
        assertThat(all).isLessThan(20_000);
        assertThat(connect("ads", 9).open("ads-m")).isPositive();
    }

    private static ByteBuf barrier(int session, String name, int parties) {
        return barrier(session, name, parties, false);
    }

    private static ByteBuf barrier(int session, String name, int parties, boolean once) {
        AdminMessages.Barrier barrier =
                new AdminMessages.Barrier(session, name, parties, once, new double[0]);
        return AdminCodec.request(BYTES, ApiKey.BARRIER, barrier);
    }

    /** Shows that meetings of one do not make the server forget those of another. */
    @Test
    void manyMeetingsOfOneLeaveThoseOfAnotherKnown() throws IOException {
        RawClient ads = connect("ads", 1);
        RawClient search = connect("search", 2);
        int own = ads.open("ads-m");
        assertThat(ask(ads, barrier(own, "met", 1, true))).isEqualTo(ErrorCode.NONE);
        int session = search.open("search-m");
        assertThat(flood(search, 2 * AT_ONCE, i -> barrier(session, "s" + i, 1, true)))
                .isEqualTo(2 * AT_ONCE);
        // Who has lost the answer asks again, and would wait for others for ever.
        ads.send(9, barrier(own, "met", 2, true));
        assertThat(error(ads)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void barriersOfOneLeaveRoomForAnother() throws IOException {
        RawClient search = connect("search", 2);
        int session = search.open("search-m");
        for (int i = 0; i < 1100; i++) {
            search.send(i, barrier(session, "b" + i, 2));
        }
        assertThat(error(search)).isEqualTo(ErrorCode.THROTTLED);
        RawClient ads = connect("ads", 1);
        assertThat(ask(ads, barrier(ads.open("ads-m"), "b", 1))).isEqualTo(ErrorCode.NONE);
    }

    /** Whose connection is gone waits no more: it comes again, or others have its room. */
    @Test
    void whoLeavesDoesNotWaitAtABarrier() throws Exception {
        RawClient search = connect("search", 2);
        int session = search.open("search-m");
        for (int i = 0; i < 1100; i++) {
            search.send(i, barrier(session, "b" + i, 2));
        }
        assertThat(error(search)).isEqualTo(ErrorCode.THROTTLED);
        search.close();
        RawClient again = connect("search", 2);
        Polling.await(
                "no room at barriers",
                () -> ask(again, barrier(session, "another", 1)) == ErrorCode.NONE);
        RawClient other = connect("search", 3);
        again.send(7, barrier(session, "met", 2));
        assertThat(ask(other, barrier(other.open("search-m"), "met", 2))).isEqualTo(ErrorCode.NONE);
        assertThat(error(again)).isEqualTo(ErrorCode.NONE);
    }

    private static ByteBuf begin(int session, Path directory, String manifest) {
        AdminMessages.BeginCuts begin =
                new AdminMessages.BeginCuts(
                        session, "run", directory.toString(), manifest, 0, false, 0);
        return AdminCodec.request(BYTES, ApiKey.BEGIN_CUTS, begin);
    }

    private ErrorCode begin(String client, String model, String directory, String manifest)
            throws IOException {
        try (RawClient raw = connect(client, open.size())) {
            int session = raw.open(model, open.size(), 0);
            return ask(raw, begin(session, root.resolve(directory), manifest));
        }
    }

    private String manifest(String model) {
        return root.resolve(model + "/runs/run/cuts/1-1/manifest.json").toString();
    }

    @Test
    void cutsLieInFoldersOfModelsThatTheClientMayTrain() throws IOException {
        for (String directory :
                List.of(
                        "default/ads-m",
                        "default/search-m/../ads-m",
                        "ads-m",
                        "search-m",
                        "default",
                        "other/search-m",
                        ".")) {
            assertThat(begin("search", "search-m", directory, ""))
                    .as(directory)
                    .isEqualTo(ErrorCode.FORBIDDEN);
        }
        assertThat(root).isEmptyDirectory();
        assertThat(begin("search", "search-m", "default/search-m", "")).isEqualTo(ErrorCode.NONE);
        assertThat(begin("search", "search-m", "default/search-m/job", ""))
                .isEqualTo(ErrorCode.NONE);
        assertThat(begin("ops", "any", "where/it/likes", "")).isEqualTo(ErrorCode.NONE);
    }

    /**
     * A cut that a model goes on from is read, so that its client must have the right to read it.
     */
    @Test
    void cutsThatAreRestoredAreOfModelsThatTheClientMayRead() throws IOException {
        String own = "default/search-m";
        for (String other : List.of("default/ads-n", "ads-m", "other/search-m", "x")) {
            assertThat(begin("search", "search-m", own, manifest(other)))
                    .as(other)
                    .isEqualTo(ErrorCode.FORBIDDEN);
        }
        for (String readable : List.of(own, "default/ads-m")) {
            assertThat(begin("search", "search-m", own, manifest(readable)))
                    .as(readable)
                    .isNotEqualTo(ErrorCode.FORBIDDEN);
        }
        assertThat(begin("ops", "any", own, manifest("x"))).isNotEqualTo(ErrorCode.FORBIDDEN);
    }
}
