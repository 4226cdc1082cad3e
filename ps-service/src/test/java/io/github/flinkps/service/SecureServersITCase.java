package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.TIMEOUT;
import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ClientSecurity;
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
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerSecurity;
import io.github.flinkps.testing.LeakExtension;
import io.github.flinkps.testing.LogLines;
import io.github.flinkps.testing.Polling;
import io.github.flinkps.testing.TestingKeys;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.OpenSsl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Servers that encrypt and ask who their clients are, reached through real sockets. */
@ExtendWith(LeakExtension.class)
class SecureServersITCase {
    private static final String TOKEN = "anna:correct-horse-battery";
    private static final String MODEL = "a-name-that-nobody-reads";
    private static final long KEY = 0x3a6b796d6b79656bL;

    /** The key as it stands in a frame. */
    private static final String KEY_BYTES = "keykmyk:";

    private static final int ROWS = 600_000; // travels in chunks

    @TempDir private Path folder;
    private TestingKeys keys;

    @BeforeEach
    void writeKeys() throws IOException {
        keys = new TestingKeys(Files.createDirectories(folder.resolve("own")));
    }

    private static ParameterServer start(TlsFiles tls, String tokenFile) {
        return ParameterServer.start(
                ServerConfig.defaults()
                        .withOwners(2)
                        .withSecurity(new ServerSecurity(tls, tokenFile, false)));
    }

    private static TlsFiles withoutTrust(TlsFiles files) {
        return new TlsFiles(files.certificate(), files.key(), null);
    }

    private static ClientConfig config(TlsFiles tls, String tokenFile) {
        return ClientConfig.defaults()
                .withConnectTimeout(Duration.ofSeconds(2))
                .withSecurity(new ClientSecurity(tls, tokenFile));
    }

    private static ModelSession open(ParameterClient client) {
        return get(
                client.open(
                        new SessionSpec(
                                MODEL,
                                "run",
                                0,
                                SessionSpec.NO_WORKER,
                                1,
                                ConsistencySpec.asp(),
                                TIMEOUT)));
    }

    /** Pushes rows and checks what comes back. */
    private static void use(String address, ClientConfig config) {
        try (ParameterClient client = ParameterClients.create(List.of(address), config)) {
            use(open(client));
        }
    }

    private static void use(ModelSession session) {
        get(session.createTable(TableSpec.dense("t", ROWS, 1, UpdateSpec.of("add"))));
        float[] before = new float[ROWS];
        get(session.exchange().pullRange("t", 0, ROWS, before).send());
        float[] push = new float[ROWS];
        for (int row = 0; row < ROWS; row++) {
            push[row] = row % 1000;
        }
        get(session.exchange().pushRange("t", 0, ROWS, push, 1).send());
        float[] after = new float[ROWS];
        get(session.exchange().pullRange("t", 0, ROWS, after).send());
        for (int row = 0; row < ROWS; row++) {
            before[row] += push[row];
        }
        assertThat(after).isEqualTo(before);
    }

    private static void isRefused(
            ParameterServer server, ClientConfig config, ErrorCode code, String... message) {
        isRefused(server.address(), config, code, message);
    }

    private static void isRefused(
            String address, ClientConfig config, ErrorCode code, String... message) {
        assertThatThrownBy(() -> use(address, config))
                .isInstanceOf(PsException.class)
                .hasMessageContainingAll(message)
                .extracting(e -> ((PsException) e).code())
                .isEqualTo(code);
    }

    @Test
    void openSslLoads() {
        assertThat(OpenSsl.isAvailable())
                .withFailMessage(() -> String.valueOf(OpenSsl.unavailabilityCause()))
                .isTrue();
    }

    @Test
    void aClientWithACertificateTrains() {
        try (ParameterServer server = start(keys.server("127.0.0.1"), null)) {
            use(server.address(), config(keys.client("anna"), null));
        }
    }

    @Test
    void aClientWithATokenTrains() {
        String tokens = keys.tokens("tokens", "# clients", "bert:another-long-token", TOKEN);
        try (ParameterServer server = start(withoutTrust(keys.server("127.0.0.1")), tokens)) {
            use(server.address(), config(keys.trust(), keys.tokens("own", TOKEN)));
        }
    }

    @Test
    void eitherWillDoWhereBothAreTaken() {
        String tokens = keys.tokens("tokens", TOKEN);
        try (ParameterServer server = start(keys.server("127.0.0.1"), tokens)) {
            use(server.address(), config(keys.trust(), tokens));
            use(server.address(), config(keys.client("bert"), null));
            isRefused(
                    server,
                    config(keys.trust(), null),
                    ErrorCode.UNAUTHENTICATED,
                    "set token-file, or tls-certificate");
        }
    }

    @Test
    void anotherTokenIsRefused() {
        String tokens = keys.tokens("tokens", TOKEN);
        try (ParameterServer server = start(withoutTrust(keys.server("127.0.0.1")), tokens)) {
            for (String wrong :
                    List.of(
                            "anna:correct-horse-batterz",
                            "bert:correct-horse-battery",
                            TOKEN + "x")) {
                isRefused(
                        server,
                        config(keys.trust(), keys.tokens("own", wrong)),
                        ErrorCode.UNAUTHENTICATED,
                        "the token is not one that the server knows");
            }
            use(server.address(), config(keys.trust(), tokens));
        }
    }

    @Test
    void aClientWithoutOrWithAForeignCertificateIsRefused() throws IOException {
        TestingKeys others = new TestingKeys(Files.createDirectories(folder.resolve("others")));
        TlsFiles foreign = others.client("anna");
        try (ParameterServer server = start(keys.server("127.0.0.1"), null)) {
            isRefused(
                    server,
                    config(keys.trust(), null),
                    ErrorCode.UNAUTHENTICATED,
                    server.address(),
                    "certificate");
            isRefused(
                    server,
                    config(
                            new TlsFiles(
                                    foreign.certificate(), foreign.key(), keys.authorityFile()),
                            null),
                    ErrorCode.UNAUTHENTICATED,
                    server.address(),
                    "TLS was refused",
                    "tls-certificate and tls-key");
            Instant longAgo = Instant.now().minus(TestingKeys.VALIDITY.multipliedBy(2));
            isRefused(
                    server,
                    config(keys.client(longAgo, "anna"), null),
                    ErrorCode.UNAUTHENTICATED,
                    server.address(),
                    "TLS was refused",
                    "tls-certificate and tls-key");
            use(server.address(), config(keys.client("anna"), null));
        }
    }

    @Test
    void aServerThatIsNotTheOneMeantIsRefused() throws IOException {
        TestingKeys others = new TestingKeys(Files.createDirectories(folder.resolve("others")));
        ClientConfig anna = config(keys.client("anna"), null);
        try (ParameterServer foreign = start(others.server("127.0.0.1"), null)) {
            isRefused(foreign, anna, ErrorCode.UNAUTHENTICATED, foreign.address(), "trusted");
        }
        try (ParameterServer wrongName = start(keys.server("elsewhere.example"), null)) {
            isRefused(
                    wrongName,
                    anna,
                    ErrorCode.UNAUTHENTICATED,
                    "No subject alternative names matching IP address 127.0.0.1");
        }
        Instant longAgo = Instant.now().minus(TestingKeys.VALIDITY.multipliedBy(2));
        try (ParameterServer expired = start(keys.server(longAgo, "127.0.0.1"), null)) {
            isRefused(expired, anna, ErrorCode.UNAUTHENTICATED, "NotAfter");
        }
    }

    @Test
    void aClientInClearIsTold() {
        try (ParameterServer server = start(keys.server("127.0.0.1"), null)) {
            isRefused(
                    server,
                    ClientConfig.defaults(),
                    ErrorCode.UNAUTHENTICATED,
                    "speaks TLS only; set tls-trust");
        }
    }

    /** Whoever reaches no server by the address that it advertises is told what was tried. */
    @Test
    void anAddressThatReachesNobodyIsNamed() {
        ServerConfig config =
                ServerConfig.of(Map.of("advertise", "127.0.0.9"), Runtime.getRuntime().maxMemory());
        try (ParameterServer server = ParameterServer.start(config)) {
            assertThat(server.address()).isEqualTo("127.0.0.9:" + server.port());
            isRefused(
                    server,
                    ClientConfig.defaults().withConnectTimeout(Duration.ofSeconds(1)),
                    ErrorCode.DISCONNECTED,
                    "cannot reach server " + server.address(),
                    "refused");
        }
    }

    /** Both ends say what to do, and the server does not for each connection. */
    @Test
    void aServerInClearIsRecognised() throws IOException {
        try (LogLines log = LogLines.warnings("io.github.flinkps.transport");
                ParameterServer server = ParameterServer.start(ServerConfig.defaults())) {
            for (int i = 0; i < 2; i++) {
                isRefused(
                        server,
                        config(keys.client("anna"), null),
                        ErrorCode.UNAUTHENTICATED,
                        "does not speak TLS, and tls-trust asks for it: remove tls-trust, or set"
                                + " tls-certificate and tls-key at the server");
            }
            assertThat(log.said())
                    .hasSize(1)
                    .allMatch(line -> line.matches("The client at /127.0.0.1:\\d+ begins TLS, .+"));
            use(server.address(), ClientConfig.defaults());
        }
    }

    @Test
    void theFirstBytesMayComeOneByOne() throws IOException {
        try (ParameterServer server = ParameterServer.start(ServerConfig.defaults());
                RawClient tls = RawClient.connect(server.port());
                RawClient clear = RawClient.connect(server.port())) {
            for (byte next : new byte[] {0x16, 3, 1}) {
                tls.send(new byte[] {next});
            }
            assertThat(ErrorFrame.of(tls.receive()))
                    .hasMessageContaining("the server speaks no TLS")
                    .extracting(PsException::code)
                    .isEqualTo(ErrorCode.UNAUTHENTICATED);
            assertThat(tls.isCutOff()).isTrue();
            ByteBuf hello =
                    HelloMessage.Request.of(HelloMessage.CONTROL, 7, new byte[0])
                            .encode(UnpooledByteBufAllocator.DEFAULT);
            while (hello.isReadable()) {
                clear.send(new byte[] {hello.readByte()});
            }
            hello.release();
            assertThat(ErrorFrame.of(clear.receive())).isNull();
        }
    }

    /** A server of another version, for example, hangs up without an answer. */
    @Test
    void whoHangsUpMaySpeakNoTls() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 9, InetAddress.getByName("127.0.0.1"))) {
            Thread hangsUp =
                    new Thread(
                            () -> {
                                while (true) {
                                    try (Socket client = listening.accept()) {
                                        client.getInputStream().read();
                                    } catch (IOException closed) {
                                        return;
                                    }
                                }
                            },
                            "hangs-up");
            hangsUp.start();
            isRefused(
                    "127.0.0.1:" + listening.getLocalPort(),
                    config(keys.client("anna"), null),
                    ErrorCode.DISCONNECTED,
                    "as one does that speaks no TLS",
                    "; if it speaks none, remove tls-trust, or set tls-certificate and tls-key at"
                            + " the server");
            listening.close();
            hangsUp.join(TIMEOUT.toMillis());
        }
    }

    @Test
    void filesAreReadAgainWhenTheyChange() throws IOException {
        TestingKeys others = new TestingKeys(Files.createDirectories(folder.resolve("others")));
        String tokens = keys.tokens("tokens", TOKEN);
        TlsFiles tls = withoutTrust(keys.server("127.0.0.1"));
        try (ParameterServer server = start(tls, tokens);
                ParameterClient early =
                        ParameterClients.create(
                                List.of(server.address()),
                                config(keys.trust(), keys.tokens("own", TOKEN)))) {
            ModelSession session = open(early);
            use(session);

            TlsFiles next = others.server("127.0.0.1");
            keys.replace("server-key.pem", Path.of(next.key()));
            ClientConfig old = config(keys.trust(), keys.tokens("own", TOKEN));
            use(server.address(), old); // a key that is not the certificate's changes nothing yet
            keys.replace("server.pem", Path.of(next.certificate()));
            isRefused(server, old, ErrorCode.UNAUTHENTICATED, "trusted");
            use(server.address(), config(others.trust(), keys.tokens("own", TOKEN)));

            keys.tokens("tokens", "bert:another-long-token");
            isRefused(
                    server,
                    config(others.trust(), keys.tokens("own", TOKEN)),
                    ErrorCode.UNAUTHENTICATED,
                    "token");
            use(session); // who is in stays in
        }
    }

    /** Also if nobody has come since then. */
    @Test
    void whoIsTakenOutLastIsNotLetIn() throws Exception {
        String tokens = keys.tokens("tokens", TOKEN);
        ClientConfig withToken = config(keys.trust(), keys.tokens("own", TOKEN));
        TlsFiles tls = keys.server("127.0.0.1");
        Path trust = Files.copy(Path.of(tls.trust()), folder.resolve("trust.pem"));
        TlsFiles trusting = new TlsFiles(tls.certificate(), tls.key(), trust.toString());
        ClientConfig withCertificate = config(keys.client("bert"), null);
        try (LogLines log = LogLines.warnings("io.github.flinkps.security");
                ParameterServer server = start(trusting, tokens)) {
            use(server.address(), withToken);
            use(server.address(), withCertificate);
            Files.writeString(Path.of(tokens), "");
            Files.delete(trust);
            for (String file : List.of(tokens, trust.toString())) {
                Polling.await(
                        file + " still counts",
                        () ->
                                log.said().stream()
                                        .anyMatch(
                                                line ->
                                                        line.contains(file)
                                                                && line.contains("nothing any")));
            }
            isRefused(server, withToken, ErrorCode.UNAUTHENTICATED, "the token is not one");
            isRefused(server, withCertificate, ErrorCode.UNAUTHENTICATED, "certificate");
            Files.copy(Path.of(tls.trust()), trust);
            use(server.address(), withCertificate);
        }
    }

    @Test
    void authoritiesAreTakenOutThoughTheKeyFitsNoCertificate() throws Exception {
        TlsFiles tls = keys.server("127.0.0.1");
        Path trust = Files.copy(Path.of(tls.trust()), folder.resolve("trust.pem"));
        TlsFiles trusting = new TlsFiles(tls.certificate(), tls.key(), trust.toString());
        ClientConfig client = config(keys.client("bert"), null);
        TestingKeys others = new TestingKeys(Files.createDirectories(folder.resolve("others")));
        try (LogLines log = LogLines.warnings("io.github.flinkps.security");
                ParameterServer server = start(trusting, null)) {
            use(server.address(), client);
            keys.replace("server-key.pem", Path.of(others.server("127.0.0.1").key()));
            Files.setPosixFilePermissions(
                    Path.of(tls.key()), PosixFilePermissions.fromString("rw-r--r--"));
            Files.writeString(trust, "");
            Polling.await(
                    "authorities still count",
                    () -> log.said().stream().anyMatch(line -> line.contains("nothing any")));
            isRefused(server, client, ErrorCode.UNAUTHENTICATED, "certificate");
            assertThat(log.said()).noneMatch(line -> line.contains("can be read by every user"));
            Files.copy(Path.of(tls.trust()), trust, StandardCopyOption.REPLACE_EXISTING);
            use(server.address(), client);
        }
    }

    @Test
    void nothingIsReadableOnTheWay() throws IOException {
        String tokens = keys.tokens("tokens", TOKEN);
        TlsFiles tls = withoutTrust(keys.server("127.0.0.1"));
        assertThat(seen(start(tls, tokens), config(keys.trust(), tokens)))
                .hasSizeGreaterThan(2 * ROWS * Float.BYTES)
                .doesNotContain(MODEL)
                .doesNotContain("correct-horse")
                .doesNotContain("\0\0\200?\0\0\0@\0\0@@") // the values 1, 2 and 3
                .doesNotContain(KEY_BYTES);
        assertThat(seen(ParameterServer.start(ServerConfig.defaults()), ClientConfig.defaults()))
                .contains(MODEL, "\0\0\200?\0\0\0@\0\0@@", KEY_BYTES);
    }

    private static String seen(ParameterServer started, ClientConfig config) throws IOException {
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        try (ParameterServer server = started;
                CuttingProxy proxy = new CuttingProxy(server.address())) {
            proxy.copyTo(seen);
            use(proxy.address(), config);
            pushByKey(proxy.address(), config);
        }
        return seen.toString(StandardCharsets.ISO_8859_1);
    }

    private static void pushByKey(String address, ClientConfig config) {
        try (ParameterClient client = ParameterClients.create(List.of(address), config)) {
            ModelSession session = open(client);
            get(session.createTable(TableSpec.sparse("keyed", 1, UpdateSpec.of("add"))));
            KeyList keys = session.keys("keyed", new long[] {KEY}, 0, 1);
            get(session.exchange().push(keys, new float[] {1}, 1).send());
        }
    }

    /**
     * Room for an answer is free once it has been taken, also where TLS makes other buffers of it.
     */
    @Test
    void answersThatAreTakenLeaveRoomForOthers() throws IOException {
        String tokens = keys.tokens("tokens", TOKEN);
        ServerConfig config =
                ServerConfig.defaults()
                        .withOwners(1)
                        .withConnections(
                                new ServerConfig.Connections(
                                        9, 9, 64 << 20, 16 << 20, Duration.ofSeconds(10)))
                        .withSecurity(
                                new ServerSecurity(
                                        withoutTrust(keys.server("127.0.0.1")), tokens, false));
        int rows = 3 << 19; // two answers are more than a half of the room
        ClientConfig large = config(keys.trust(), tokens).withRequestBytes(16 << 20);
        try (ParameterServer server = ParameterServer.start(config);
                ParameterClient one = ParameterClients.create(List.of(server.address()), large);
                ParameterClient other = ParameterClients.create(List.of(server.address()), large)) {
            float[] values = new float[rows];
            for (ParameterClient each : List.of(one, other)) {
                ModelSession session = open(each);
                get(session.createTable(TableSpec.dense("t", rows, 1, UpdateSpec.of("add"))));
                for (int i = 0; i < 5; i++) {
                    get(session.exchange().pullRange("t", 0, rows, values).send());
                }
                assertThat(each.traffic().retries()).as("answered THROTTLED").isZero();
            }
        }
    }

    @Test
    void aConnectionThatIsCutComesBackEncrypted() throws IOException {
        String tokens = keys.tokens("tokens", TOKEN);
        try (ParameterServer server = start(withoutTrust(keys.server("127.0.0.1")), tokens);
                CuttingProxy proxy = new CuttingProxy(server.address());
                ParameterClient client =
                        ParameterClients.create(
                                List.of(proxy.address()), config(keys.trust(), tokens))) {
            ModelSession session = open(client);
            use(session);
            proxy.cut();
            use(session);
        }
    }

    @Test
    void garbageAfterTheHandshakeBeganHurtsNobody() throws IOException {
        String tokens = keys.tokens("tokens", TOKEN);
        try (ParameterServer server = start(withoutTrust(keys.server("127.0.0.1")), tokens)) {
            for (byte[] garbage :
                    List.of(
                            new byte[100],
                            new byte[] {0x16, 3, 1, 0x7f, (byte) 0xff, 1, 2, 3},
                            new byte[] {0x16, 3, 1, 0, 4, 1, 2, 3, 4},
                            new byte[] {0x16},
                            "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII))) {
                try (Socket socket = new Socket("127.0.0.1", server.port())) {
                    socket.getOutputStream().write(garbage);
                }
            }
            use(server.address(), config(keys.trust(), tokens));
        }
    }

    @Test
    void nothingListensBeyondLoopbackInClear() {
        ServerConfig open =
                ServerConfig.of(Map.of("host", "0.0.0.0"), Runtime.getRuntime().maxMemory());
        assertThatThrownBy(() -> ParameterServer.start(open).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "host 0.0.0.0", "tls-certificate", "token-file", "insecure-plaintext");
        ServerSecurity encryptsOnly =
                new ServerSecurity(withoutTrust(keys.server("127.0.0.1")), null, false);
        assertThatThrownBy(() -> ParameterServer.start(open.withSecurity(encryptsOnly)).close())
                .hasMessageContaining("host 0.0.0.0 is not loopback");
        ServerSecurity plain = new ServerSecurity(TlsFiles.NONE, null, true);
        try (ParameterServer server = ParameterServer.start(open.withSecurity(plain))) {
            use("127.0.0.1:" + server.port(), ClientConfig.defaults());
        }
        ServerSecurity mutual = new ServerSecurity(keys.server("127.0.0.1"), null, false);
        try (ParameterServer server = ParameterServer.start(open.withSecurity(mutual))) {
            use("127.0.0.1:" + server.port(), config(keys.client("anna"), null));
        }
    }
}
