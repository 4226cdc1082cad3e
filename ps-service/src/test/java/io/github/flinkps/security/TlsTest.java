package io.github.flinkps.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.testing.LeakExtension;
import io.github.flinkps.testing.LogLines;
import io.github.flinkps.testing.TestingKeys;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.ConnectionLimits;
import io.github.flinkps.transport.FrameHandler;
import io.github.flinkps.transport.HeapFailure;
import io.github.flinkps.transport.NettyTransport;
import io.netty.buffer.ByteBuf;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakExtension.class)
class TlsTest {
    private static final int MOST = 8 << 20;
    private static final ConnectionLimits LIMITS =
            ConnectionLimits.ofClient(ConnectionLimits.PEER_TIMEOUT);

    @TempDir private Path folder;

    /** Keeps the first frame. */
    private static final class Keeper implements FrameHandler {
        private final CompletableFuture<ByteBuf> frame = new CompletableFuture<>();

        @Override
        public void onFrame(Connection connection, ByteBuf received) {
            if (!frame.complete(received)) {
                received.release();
            }
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {
            frame.completeExceptionally(new IOException("closed", cause));
        }
    }

    /** Sends back what it gets. */
    private static final class Echo implements FrameHandler {
        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            connection.send(frame);
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {}
    }

    @ParameterizedTest
    @CsvSource({
        "OPENSSL,OPENSSL,100", "OPENSSL,OPENSSL,5000000",
        "JDK,JDK,100", "JDK,JDK,5000000",
        "JDK,OPENSSL,300000", "OPENSSL,JDK,300000"
    })
    void framesComeBackAsTheyWereSent(SslProvider atServer, SslProvider atClient, int bytes)
            throws Exception {
        TestingKeys keys = new TestingKeys(folder);
        Tls server = Tls.ofServer(keys.server("127.0.0.1"), false, atServer);
        Tls client = Tls.ofClient(keys.client("anna"), atClient);
        Keeper keeper = new Keeper();
        try (NettyTransport there =
                        new NettyTransport("there", 1, MOST, server, LIMITS, new HeapFailure(0));
                NettyTransport here =
                        new NettyTransport("here", 1, MOST, client, LIMITS, new HeapFailure(0))) {
            int port = there.listen("127.0.0.1", 0, connection -> new Echo(), MOST);
            Connection connection =
                    here.connect("127.0.0.1:" + port, keeper, TimeUnit.SECONDS.toNanos(20))
                            .get(20, TimeUnit.SECONDS);
            byte[] content = new byte[bytes];
            new Random(bytes).nextBytes(content);
            ByteBuf sent = connection.allocator().directBuffer(bytes, bytes).writeBytes(content);
            FrameHeader.writeRequest(sent, ApiKey.PING, 0);
            ByteBuf expected = sent.copy();
            connection.send(sent);
            ByteBuf back = keeper.frame.get(20, TimeUnit.SECONDS);
            assertThat(back.equals(expected)).isTrue();
            back.release();
            expected.release();
        }
    }

    /** Each change of keys is answered by TLS itself, whether or not the answer is read. */
    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"OPENSSL", "JDK"})
    void whoOnlyChangesKeysIsCutOff(SslProvider atServer) throws Exception {
        TestingKeys keys = new TestingKeys(folder);
        Tls server = Tls.ofServer(keys.server("127.0.0.1"), true, atServer);
        try (NettyTransport there =
                new NettyTransport("there", 1, MOST, server, LIMITS, new HeapFailure(0))) {
            int port = there.listen("127.0.0.1", 0, connection -> new Echo(), MOST);
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(null, new TrustManager[] {new Trusting()}, null);
            try (SSLSocket socket =
                    (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
                socket.startHandshake();
                assertThatThrownBy(
                                () -> {
                                    for (int i = 0; i < 1_000_000; i++) {
                                        socket.startHandshake(); // a change of keys by now
                                    }
                                })
                        .isInstanceOf(IOException.class);
            }
        }
    }

    /** Takes any server for the right one. */
    private static final class Trusting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static void isWrong(Supplier<?> made, String... message) {
        assertThatThrownBy(made::get)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(message);
    }

    @Test
    void aFileThatIsWrongIsNamedByItsOption() throws IOException {
        TlsFiles good = new TestingKeys(folder).server("127.0.0.1");
        String text = Files.writeString(folder.resolve("text"), "none of this is PEM").toString();
        String key = good.key();
        String certificate = good.certificate();
        isWrong(() -> serve(certificate, text, null), "tls-key " + text, "not one private key");
        isWrong(() -> serve(certificate, certificate, null), "tls-key", "not one private key");
        isWrong(() -> serve(text, key, null), "tls-certificate " + text, "no certificate in PEM");
        isWrong(() -> serve(certificate, key, text), "tls-trust " + text, "no certificate in PEM");
        isWrong(() -> serve(certificate, text + "2", null), "tls-key " + text + "2", "be read");
        TlsFiles other = new TestingKeys(Files.createDirectory(folder.resolve("o"))).server("a");
        isWrong(
                () -> serve(certificate, other.key(), null),
                "tls-key " + other.key(),
                "is not the key of the certificate in " + certificate);
        isWrong(() -> Tls.ofClient(new TlsFiles(null, null, text)), "tls-trust", "PEM");
        isWrong(() -> new TlsFiles(certificate, null, null), "tls-certificate needs tls-key too");
        isWrong(() -> new TlsFiles(null, key, null), "tls-key needs tls-certificate too");
    }

    /** At a server as at a client. */
    @Test
    void aKeyThatEverybodyMayReadIsWarnedOf() throws IOException {
        TestingKeys keys = new TestingKeys(folder);
        TlsFiles server = keys.server("127.0.0.1");
        TlsFiles client = keys.client("anna");
        assertThat(warnings(server, client)).isEmpty();
        for (String key : List.of(server.key(), client.key())) {
            Files.setPosixFilePermissions(
                    Path.of(key), PosixFilePermissions.fromString("rw-r--r--"));
        }
        assertThat(warnings(server, client))
                .containsExactly(
                        "tls-key " + server.key() + " can be read by every user of this machine",
                        "tls-key " + client.key() + " can be read by every user of this machine");
    }

    private static List<String> warnings(TlsFiles server, TlsFiles client) {
        try (LogLines lines = LogLines.warnings("io.github.flinkps.security")) {
            Tls.ofServer(server, false);
            Tls.ofClient(client);
            return lines.said();
        }
    }

    private static Tls serve(String certificate, String key, String trust) {
        return Tls.ofServer(new TlsFiles(certificate, key, trust), false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ENCRYPTED PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"})
    void aKeyOfAnotherFormIsRecognised(String type) throws IOException {
        TlsFiles good = new TestingKeys(folder).server("127.0.0.1");
        Path key = folder.resolve("other-key");
        Files.writeString(key, "-----BEGIN " + type + "-----\nMIIB\n-----END " + type + "-----\n");
        isWrong(
                () -> serve(good.certificate(), key.toString(), null),
                "tls-key " + key,
                type.startsWith("ENC") ? "is encrypted" : "openssl pkcs8 -topk8 -nocrypt");
    }
}
