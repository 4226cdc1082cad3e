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
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.protocol.AdminCodec;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.LeakExtension;
import io.github.flinkps.testing.LogLines;
import io.github.flinkps.testing.Polling;
import io.github.flinkps.testing.TestingKeys;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Clients that mean harm get an error or are cut off; the server goes on serving the others. */
@ExtendWith(LeakExtension.class)
class HostileClientITCase {
    private static final String TOKEN = "anna:correct-horse-battery";
    private static final int MOST_OF_AN_ADDRESS = 40;

    /** The length of the longest record. */
    private static final int RECORD_BYTES = (16 << 10) + 256;

    @TempDir private Path folder;
    private final List<AutoCloseable> open = new ArrayList<>();
    private TestingKeys keys;
    private ParameterServer server;

    /** The direct memory in use before anybody came. */
    private long before;

    @BeforeEach
    void start() throws IOException {
        keys = new TestingKeys(Files.createDirectories(folder.resolve("keys")));
        Files.createDirectories(folder.resolve("root"));
        TlsFiles own = keys.server("127.0.0.1");
        Map<String, String> options = new HashMap<>();
        options.put("owners", "1");
        options.put("tls-certificate", own.certificate());
        options.put("tls-key", own.key());
        options.put("token-file", keys.tokens("tokens", TOKEN, "bert:another-long-token"));
        options.put("max-connections-per-address", Integer.toString(MOST_OF_AN_ADDRESS));
        options.put("assembly-bytes", "16m");
        options.put("peer-timeout", "3 s");
        options.put("model-root", folder.resolve("root").toString());
        server =
                ParameterServer.start(
                        ServerConfig.of(options, Runtime.getRuntime().maxMemory()),
                        new LocalModelStorage());
        before = PooledByteBufAllocator.DEFAULT.pinnedDirectMemory();
    }

    /** Memory is as it was, and the server still serves who has done nothing wrong. */
    @AfterEach
    void othersAreServed() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        Polling.await(
                "the memory of those who are gone is still in use",
                () -> PooledByteBufAllocator.DEFAULT.pinnedDirectMemory() <= before);
        try (ParameterClient client = client(TOKEN)) {
            ModelSession session = session(client);
            get(session.createTable(TableSpec.dense("t", 4, 1, UpdateSpec.of("add"))));
            get(session.exchange().pushRange("t", 0, 4, new float[] {1, 2, 3, 4}, 1).send());
            float[] values = new float[4];
            get(session.exchange().pullRange("t", 0, 4, values).send());
            assertThat(values).containsExactly(1, 2, 3, 4);
        }
        server.close();
    }

    private ParameterClient client(String line) {
        String file = keys.tokens(line.substring(0, 4) + ".token", line);
        return ParameterClients.create(
                List.of(server.address()),
                ClientConfig.defaults().withSecurity(new ClientSecurity(keys.trust(), file)));
    }

    private static ModelSession session(ParameterClient client) {
        return session(client, "m");
    }

    private static ModelSession session(ParameterClient client, String model) {
        ConsistencySpec asp = ConsistencySpec.asp();
        int worker = SessionSpec.NO_WORKER;
        return get(client.open(new SessionSpec(model, "run", 0, worker, 1, asp, TIMEOUT)));
    }

    private RawClient connect() throws IOException {
        RawClient client = RawClient.connect(server.port(), keys.authorityFile());
        open.add(client);
        return client;
    }

    /** Connects as a client that is let in. */
    private RawClient connect(int owner, String line) throws IOException {
        RawClient client = connect();
        client.hello(owner, 7, line.getBytes(StandardCharsets.UTF_8));
        assertThat(ErrorFrame.of(client.receive())).isNull();
        return client;
    }

    /** Others do not wait behind it, and no answers pile up that it does not take. */
    @Test
    void whoDoesNotBeginWithHelloIsAnsweredOnce() throws IOException {
        ByteBuf ping = header(ApiKey.PING, FrameHeader.BYTES);
        floodIsAnsweredOnce(ping, ErrorCode.MALFORMED);
        ByteBuf laterVersion = ping.copy().setByte(6, FrameHeader.version(ping) + 1);
        floodIsAnsweredOnce(laterVersion, ErrorCode.UNSUPPORTED_VERSION);
        ByteBuf unknown = ping.copy().setShortLE(4, 99);
        floodIsAnsweredOnce(unknown, ErrorCode.UNKNOWN_API);
    }

    private void floodIsAnsweredOnce(ByteBuf frame, ErrorCode answer) throws IOException {
        RawClient flood = connect();
        byte[] frames = new byte[1000 * FrameHeader.BYTES];
        for (int at = 0; at < frames.length; at += FrameHeader.BYTES) {
            frame.getBytes(0, frames, at, FrameHeader.BYTES);
        }
        flood.send(frames);
        assertThat(error(flood)).isEqualTo(answer);
        assertThat(flood.countRest()).isZero();
    }

    /** What a stranger begins with takes as much memory as it has sent, not a buffer a byte. */
    @Test
    void aHandshakeByteByByteTakesLittleMemory() throws Exception {
        long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        byte[] hello =
                ByteBuffer.allocate(9)
                        .put((byte) 22)
                        .putShort((short) 0x0301)
                        .putShort((short) 0x3fff)
                        .put((byte) 1)
                        .put((byte) 0)
                        .putShort((short) 0x3ffb)
                        .array();
        List<RawClient> slow = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            RawClient client = RawClient.connect(server.port());
            open.add(client);
            client.sendAlone(hello);
            slow.add(client);
        }
        for (int i = 0; i < 1000; i++) {
            for (RawClient client : slow) {
                client.sendAlone(new byte[1]);
            }
            Thread.sleep(1);
        }
        long now = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        assertThat(now - before).isLessThan(16 << 20);
    }

    private static ByteBuf header(ApiKey api, int length) {
        ByteBuf header = Unpooled.buffer(FrameHeader.BYTES).writerIndex(FrameHeader.BYTES);
        FrameHeader.writeRequest(header, api, 0);
        return header.setIntLE(0, length);
    }

    private static ErrorCode error(RawClient client) throws IOException {
        PsException error = ErrorFrame.of(client.receive());
        return error == null ? ErrorCode.NONE : error.code();
    }

    @Test
    void nothingIsAnsweredBeforeTheHello() throws IOException {
        for (ApiKey api : ApiKey.values()) {
            if (api != ApiKey.HELLO && api != ApiKey.CHUNK) {
                RawClient client = connect();
                client.send(2, header(api, FrameHeader.BYTES));
                assertThat(error(client)).as(api.name()).isEqualTo(ErrorCode.MALFORMED);
            }
        }
    }

    @Test
    void whoShowsNoTokenHasNoSecondTry() throws IOException {
        for (String shown : List.of("", "anna:", "anna", ":", "anna:correct-horse-batterx", "x")) {
            RawClient client = connect();
            client.hello(HelloMessage.CONTROL, 7, shown.getBytes(StandardCharsets.UTF_8));
            assertThat(error(client)).as(shown).isEqualTo(ErrorCode.UNAUTHENTICATED);
            client.hello(HelloMessage.CONTROL, 7, TOKEN.getBytes(StandardCharsets.UTF_8));
            assertThat(client.isCutOff()).isTrue();
        }
    }

    @Test
    void aHelloThatIsTooLongIsCutOff() throws IOException {
        RawClient client = connect();
        client.send(header(ApiKey.HELLO, FrameHeader.HELLO_FRAME_LIMIT + 1).array());
        assertThat(client.isCutOff()).isTrue();
    }

    @Test
    void aCredentialThatIsTooLongIsMalformed() throws IOException {
        RawClient client = connect();
        client.hello(HelloMessage.CONTROL, 7, new byte[HelloMessage.MOST_CREDENTIAL_BYTES + 1]);
        assertThat(error(client)).isEqualTo(ErrorCode.MALFORMED);
        RawClient longest = connect();
        longest.hello(HelloMessage.CONTROL, 7, new byte[HelloMessage.MOST_CREDENTIAL_BYTES]);
        assertThat(error(longest)).isEqualTo(ErrorCode.UNAUTHENTICATED);
    }

    /** Half open, or a byte at a time: neither holds a connection for long. */
    @Test
    void whoDoesNotSayWhoItIsInTimeIsCutOff() throws Exception {
        RawClient silent = connect();
        RawClient withoutTls = RawClient.connect(server.port());
        open.add(withoutTls);
        RawClient slow = connect();
        byte[] hello = header(ApiKey.HELLO, 60).array();
        Thread slowly =
                new Thread(
                        () -> {
                            try {
                                for (byte each : hello) {
                                    slow.send(new byte[] {each});
                                    Thread.sleep(1000);
                                }
                            } catch (IOException | InterruptedException cut) {
                                return;
                            }
                        });
        slowly.start();
        assertThat(silent.isCutOff()).isTrue();
        assertThat(withoutTls.isCutOff()).isTrue();
        assertThat(slow.isCutOff()).isTrue();
        slowly.interrupt();
        slowly.join();
    }

    @Test
    void oneAddressHasNotAllConnections() throws Exception {
        List<RawClient> all = new ArrayList<>();
        for (int i = 0; i < MOST_OF_AN_ADDRESS; i++) {
            all.add(RawClient.connect(server.port()));
        }
        try (RawClient oneMore = RawClient.connect(server.port())) {
            assertThat(oneMore.isCutOff()).isTrue();
        }
        for (RawClient each : all) {
            each.close();
        }
        Polling.await(
                "no room again",
                () -> {
                    try (RawClient next = connect()) {
                        next.hello(HelloMessage.CONTROL, 7, TOKEN.getBytes(StandardCharsets.UTF_8));
                        return error(next) == ErrorCode.NONE;
                    } catch (IOException cutOff) {
                        return false;
                    }
                });
    }

    /** Announced messages take no memory: large messages of others are taken beside them. */
    @Test
    void announcedLengthsTakeNoMemory() throws Exception {
        long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        for (int i = 0; i < 20; i++) {
            RawClient client = connect(0, TOKEN);
            client.send(header(ApiKey.EXCHANGE, 200 << 20).array());
            client.send(new byte[1000]);
        }
        pushLargely("bert:another-long-token");
        long now = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        assertThat(now - before).isLessThan(100 << 20);
        RawClient beyond = connect(0, "bert:another-long-token");
        beyond.send(header(ApiKey.EXCHANGE, Integer.MAX_VALUE).array());
        assertThat(beyond.isCutOff()).isTrue();
    }

    /** A byte now and then is no progress where others need room. */
    @Test
    void aMessageThatTricklesKeepsNoRoomFromOthers() throws Exception {
        RawClient slow = connect(0, TOKEN);
        slow.send(header(ApiKey.EXCHANGE, 15 << 20).array());
        slow.send(new byte[10 << 20]);
        Thread trickle =
                new Thread(
                        () -> {
                            try {
                                while (true) {
                                    slow.send(new byte[1]);
                                    Thread.sleep(100);
                                }
                            } catch (IOException | InterruptedException cut) {
                                return;
                            }
                        });
        trickle.start();
        pushLargely("bert:another-long-token");
        assertThat(slow.isCutOff()).isTrue();
        trickle.interrupt();
        trickle.join();
    }

    /** A connection without a message under way may be silent. */
    @Test
    void aMessageThatDoesNotGoOnIsCutOff() throws Exception {
        RawClient idle = connect(HelloMessage.CONTROL, TOKEN);
        RawClient begun = connect(0, TOKEN);
        begun.send(header(ApiKey.EXCHANGE, 1 << 20).array());
        RawClient halfHeader = connect(HelloMessage.CONTROL, TOKEN);
        halfHeader.send(new byte[] {64, 0, 0});
        assertThat(begun.isCutOff()).isTrue();
        assertThat(halfHeader.isCutOff()).isTrue();
        assertThat(idle.open("m")).isPositive();
    }

    /** Returns a record of TLS of which the last byte is not there. */
    private static byte[] partOfRecord() {
        return ByteBuffer.allocate(RECORD_BYTES + 4)
                .put((byte) 23)
                .putShort((short) 0x0303)
                .putShort((short) RECORD_BYTES)
                .array();
    }

    /** What has come of a record takes memory though it cannot be decrypted yet. */
    @Test
    void aRecordThatDoesNotGoOnIsCutOff() throws Exception {
        RawClient idle = connect(HelloMessage.CONTROL, TOKEN);
        RawClient begun = connect(0, TOKEN);
        begun.sendBeneath(partOfRecord());
        RawClient halfHeader = connect(HelloMessage.CONTROL, TOKEN);
        halfHeader.sendBeneath(Arrays.copyOf(partOfRecord(), 3));
        assertThat(begun.isCutOff()).isTrue();
        assertThat(halfHeader.isCutOff()).isTrue();
        assertThat(idle.open("m")).isPositive();
    }

    /** Sends a message as large as all that may arrive, and returns the answer. */
    private ByteBuf exchangeLargest() throws IOException {
        RawClient client = connect(0, TOKEN);
        byte[] message = Arrays.copyOf(header(ApiKey.EXCHANGE, 16 << 20).array(), 16 << 20);
        client.send(message);
        return client.receive();
    }

    /** Parts of records count among what arrives. */
    @Test
    void aRecordThatHasBegunTakesRoom() throws Exception {
        assertThat(ErrorFrame.of(exchangeLargest()).code()).isNotEqualTo(ErrorCode.THROTTLED);
        connect(0, TOKEN).sendBeneath(partOfRecord());
        assertThatThrownBy(this::exchangeLargest).isInstanceOf(IOException.class);
    }

    /** An operator sees which option to change. */
    @Test
    void whatIsCutOffForALimitIsSaid() throws Exception {
        try (LogLines log = LogLines.warnings("io.github.flinkps.transport")) {
            RawClient beyond = connect(0, TOKEN);
            beyond.send(header(ApiKey.EXCHANGE, Integer.MAX_VALUE).array());
            assertThat(beyond.isCutOff()).isTrue();
            assertThat(log.said()).singleElement().asString().contains("max-frame-bytes");
            RawClient control = connect(HelloMessage.CONTROL, TOKEN);
            control.send(header(ApiKey.BARRIER, FrameHeader.CONTROL_FRAME_LIMIT + 1).array());
            assertThat(control.isCutOff()).isTrue();
            assertThat(log.said())
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains("more than a control request may have, 4194304");
            RawClient stranger = connect();
            stranger.send(header(ApiKey.HELLO, FrameHeader.HELLO_FRAME_LIMIT + 1).array());
            assertThat(stranger.isCutOff()).isTrue();
            assertThat(log.said())
                    .hasSize(3)
                    .last()
                    .asString()
                    .contains("more than is taken before HELLO, 8192");
            connect(0, TOKEN).sendBeneath(partOfRecord());
            assertThatThrownBy(this::exchangeLargest).isInstanceOf(IOException.class);
            assertThat(log.said()).hasSize(4).last().asString().contains("assembly-bytes");
        }
    }

    /** Sends a message of 4 MiB several times. */
    private void pushLargely(String line) {
        try (ParameterClient client = client(line)) {
            ModelSession session = session(client, "large");
            int rows = 1 << 20;
            get(session.createTable(TableSpec.dense("t", rows, 1, UpdateSpec.of("add"))));
            for (int i = 0; i < 5; i++) {
                get(session.exchange().pushRange("t", 0, rows, new float[rows], 1).send());
            }
        }
    }

    @Test
    void pathsOutsideOfTheModelRootAreRefused() throws IOException {
        Path outside = Files.createDirectories(folder.resolve("outside"));
        String root = folder.resolve("root").toString();
        RawClient control = connect(HelloMessage.CONTROL, TOKEN);
        int session = control.open("m", 1, 0);
        for (String directory : List.of(root + "/../outside", outside.toString(), root + "x")) {
            control.send(3, begin(session, directory, ""));
            PsException refused = ErrorFrame.of(control.receive());
            assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
            assertThat(refused).hasMessageContaining("model-root");
        }
        String manifest = root + "/../outside/cuts/run-1-1/manifest.json";
        control.send(4, begin(session, root + "/m", manifest));
        assertThat(ErrorFrame.of(control.receive())).hasMessageContaining("model-root");
        assertThat(outside).isEmptyDirectory();
    }

    private static ByteBuf begin(int session, String directory, String manifest) {
        AdminMessages.BeginCuts begin =
                new AdminMessages.BeginCuts(session, "run", directory, manifest, 0, false, 0);
        return AdminCodec.request(UnpooledByteBufAllocator.DEFAULT, ApiKey.BEGIN_CUTS, begin);
    }

    /** Numbers of sessions are small and can be guessed, as can the number a client says it is. */
    @Test
    void anotherClientsSessionIsNotThere() throws IOException {
        RawClient control = connect(HelloMessage.CONTROL, TOKEN);
        int session = control.open("m");
        RawClient other = connect(HelloMessage.CONTROL, "bert:another-long-token");
        AdminMessages.Barrier barrier =
                new AdminMessages.Barrier(session, "b", 1, false, new double[0]);
        other.send(
                3, AdminCodec.request(UnpooledByteBufAllocator.DEFAULT, ApiKey.BARRIER, barrier));
        assertThat(error(other)).isEqualTo(ErrorCode.UNKNOWN_SESSION);
    }

    /** Recorded frames are of a connection that is over. */
    @Test
    void recordedFramesMeanNothingTheNextTime() throws Exception {
        ByteArrayOutputStream recorded = new ByteArrayOutputStream();
        try (CuttingProxy proxy = new CuttingProxy(server.address());
                ParameterClient client =
                        ParameterClients.create(
                                List.of(proxy.address()),
                                ClientConfig.defaults()
                                        .withSecurity(
                                                new ClientSecurity(
                                                        keys.trust(),
                                                        keys.tokens("rec.token", TOKEN))))) {
            proxy.copyTo(recorded);
            ModelSession session = session(client);
            get(session.createTable(TableSpec.dense("other", 1, 1, UpdateSpec.of("add"))));
            get(session.exchange().pushRange("other", 0, 1, new float[] {1}, 1).send());
            try (RawClient again = RawClient.connect(server.port())) {
                again.send(recorded.toByteArray());
                assertThat(again.isCutOff()).isTrue();
            } catch (IOException cutOff) {
                assertThat(cutOff).isNotNull();
            }
            float[] value = new float[1];
            get(session.exchange().pullRange("other", 0, 1, value).send());
            assertThat(value[0]).isEqualTo(1);
        }
    }

    @Test
    void aServerWithoutModelRootWritesNothing() throws IOException {
        server.close();
        TlsFiles own = keys.server("127.0.0.1");
        server =
                ParameterServer.start(
                        ServerConfig.of(
                                Map.of(
                                        "owners", "1",
                                        "tls-certificate", own.certificate(),
                                        "tls-key", own.key(),
                                        "token-file", keys.path("tokens")),
                                Runtime.getRuntime().maxMemory()),
                        new LocalModelStorage());
        RawClient control = connect(HelloMessage.CONTROL, TOKEN);
        int session = control.open("m", 1, 0);
        control.send(3, begin(session, folder.resolve("root").toString(), ""));
        assertThat(ErrorFrame.of(control.receive()))
                .hasMessageContaining("start it with model-root");
        assertThatThrownBy(
                        () ->
                                ParameterServer.start(
                                                ServerConfig.of(
                                                        Map.of("model-root", "s3://bucket/models"),
                                                        Runtime.getRuntime().maxMemory()),
                                                new LocalModelStorage())
                                        .close())
                .hasMessageContaining("model-root");
    }
}
