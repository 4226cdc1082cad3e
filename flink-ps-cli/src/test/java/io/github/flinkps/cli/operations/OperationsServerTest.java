package io.github.flinkps.cli.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.cli.operations.OperationsServer.Patience;
import io.github.flinkps.cli.operations.OperationsServer.Sources;
import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerReport;
import io.github.flinkps.server.ServerSecurity;
import io.github.flinkps.testing.TestingKeys;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperationsServerTest {
    private static final HttpListen LOOPBACK = new HttpListen("127.0.0.1", 0);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Patience SHORT =
            new Patience(Duration.ofMillis(200), Duration.ofMillis(100), Duration.ofMillis(50));

    private static HttpResponse<String> get(OperationsServer server, String path) throws Exception {
        return send(HttpClient.newHttpClient(), "http", server, path, "GET", null);
    }

    private static HttpResponse<String> send(
            HttpClient client,
            String scheme,
            OperationsServer server,
            String path,
            String method,
            String token)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(scheme + "://127.0.0.1:" + server.port() + path))
                        .timeout(LONG)
                        .method(method, HttpRequest.BodyPublishers.noBody());
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static OperationsServer of(CompletableFuture<ServerReport> report, Patience patience) {
        return new OperationsServer(
                LOOPBACK,
                ServerSecurity.NONE,
                new Sources(
                        () -> report,
                        told -> String.valueOf(told).getBytes(StandardCharsets.UTF_8)),
                patience);
    }

    private static ServerReport report() {
        return new ServerReport(Duration.ofSeconds(1), 1, 2, 3, List.of());
    }

    @Test
    void tellsWhatAServerDoes() throws Exception {
        try (ParameterServer server = ParameterServer.start(ServerConfig.defaults().withOwners(2));
                OperationsServer told =
                        OperationsServer.start(LOOPBACK, ServerSecurity.NONE, server);
                ParameterClient client =
                        ParameterClients.create(
                                List.of(server.address()), ClientConfig.defaults())) {
            ModelSession session =
                    client.open(
                                    new SessionSpec(
                                            "secret-name",
                                            "run",
                                            0,
                                            SessionSpec.NO_WORKER,
                                            1,
                                            ConsistencySpec.asp(),
                                            LONG))
                            .get(60, TimeUnit.SECONDS);
            session.createTable(
                            TableSpec.dense("t", 100, 1, UpdateSpec.of("add")).withPartitions(4))
                    .get(60, TimeUnit.SECONDS);
            session.exchange()
                    .pushRange("t", 0, 100, new float[100], 1)
                    .send()
                    .get(60, TimeUnit.SECONDS);
            assertThatThrownBy(() -> session.describe("none").get(60, TimeUnit.SECONDS))
                    .hasMessageContaining("none");
            assertThat(get(told, "/healthz").body()).isEqualTo("ok\n");
            assertThat(get(told, "/readyz").statusCode()).isEqualTo(200);
            HttpResponse<String> metrics = get(told, "/metrics?name=all");
            assertThat(metrics.headers().firstValue("Content-Type").orElseThrow())
                    .startsWith("text/plain; version=0.0.4");
            assertThat(metrics.body().lines())
                    .contains(
                            "flinkps_responsive 1.0",
                            "flinkps_models 1.0",
                            "flinkps_tables 1.0",
                            "flinkps_rows{thread=\"owner-0\"} 50.0",
                            "flinkps_rows{thread=\"owner-1\"} 50.0",
                            "flinkps_parked_requests{thread=\"owner-0\"} 0.0",
                            "flinkps_errors_total{code=\"UNKNOWN_TABLE\"} 1.0",
                            "flinkps_errors_total{code=\"THROTTLED\"} 0.0",
                            "# TYPE flinkps_errors_total counter")
                    .anyMatch(line -> line.matches("flinkps_connections [1-9].*"))
                    .anyMatch(line -> line.matches("flinkps_received_bytes_total [1-9].*"))
                    .anyMatch(line -> line.matches("flinkps_sent_bytes_total [1-9].*"))
                    .anyMatch(line -> line.matches("flinkps_requests_total\\{.*} [1-9].*"))
                    .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\"}"))
                    .noneMatch(line -> line.contains("secret-name"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /, 404",
        "GET, /metrics/x, 404",
        "POST, /metrics, 405",
        "HEAD, /healthz, 200"
    })
    void refusesWhatItHasNot(String method, String path, int status) throws Exception {
        try (OperationsServer server =
                of(CompletableFuture.completedFuture(report()), Patience.USUAL)) {
            assertThat(
                            send(HttpClient.newHttpClient(), "http", server, path, method, null)
                                    .statusCode())
                    .isEqualTo(status);
        }
    }

    @Test
    void saysThatThreadsDoNotAnswer() throws Exception {
        try (OperationsServer server = of(new CompletableFuture<>(), SHORT)) {
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(503);
            assertThat(get(server, "/readyz").body())
                    .isEqualTo("not every thread has answered within 50 ms\n");
            assertThat(get(server, "/metrics").body()).isEqualTo("null");
        }
    }

    /** The next question is asked once the last has been answered, or failed. */
    @Test
    void asksOnceAtATime() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CompletableFuture<ServerReport> first = new CompletableFuture<>();
        Sources sources =
                new Sources(
                        () ->
                                asked.getAndIncrement() == 0
                                        ? first
                                        : CompletableFuture.completedFuture(report()),
                        told -> new byte[0]);
        try (OperationsServer server =
                new OperationsServer(LOOPBACK, ServerSecurity.NONE, sources, SHORT)) {
            assertThat(get(server, "/readyz").statusCode()).isEqualTo(503);
            assertThat(get(server, "/readyz").statusCode()).isEqualTo(503);
            assertThat(asked).hasValue(1);
            first.completeExceptionally(new IllegalStateException("the server closes"));
            assertThat(get(server, "/readyz").statusCode()).isEqualTo(200);
            assertThat(asked).hasValue(2);
        }
    }

    /** Each is cut off, and others are answered meanwhile. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /healthz",
                "GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nshort",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001"
            })
    void whoSaysNothingOfUseIsCutOff(String said) throws Exception {
        try (OperationsServer server = of(CompletableFuture.completedFuture(report()), SHORT)) {
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                Socket socket = new Socket("127.0.0.1", server.port());
                socket.setSoTimeout((int) LONG.toMillis());
                socket.getOutputStream().write(said.getBytes(StandardCharsets.ISO_8859_1));
                sockets.add(socket);
            }
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
            for (Socket socket : sockets) {
                assertThat(readToEnd(socket)).doesNotContain("200 OK");
                socket.close();
            }
        }
    }

    @Test
    void whoSendsByTheByteIsCutOff() throws Exception {
        try (OperationsServer server = of(CompletableFuture.completedFuture(report()), SHORT);
                Socket socket = new Socket("127.0.0.1", server.port())) {
            long begun = System.nanoTime();
            boolean isOpen = true;
            while (isOpen) {
                assertThat(System.nanoTime() - begun).isLessThan(LONG.toNanos());
                Thread.sleep(20);
                try {
                    socket.getOutputStream().write('G');
                } catch (IOException cutOff) {
                    isOpen = false;
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2_000, 9_000, 100_000})
    void longRequestsAreRefused(int length) throws Exception {
        try (OperationsServer server =
                        of(CompletableFuture.completedFuture(report()), Patience.USUAL);
                Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.setSoTimeout((int) LONG.toMillis());
            String line = "GET /" + "x".repeat(length) + " HTTP/1.1\r\n\r\n";
            try {
                socket.getOutputStream().write(line.getBytes(StandardCharsets.ISO_8859_1));
            } catch (IOException closedMeanwhile) {
                return;
            }
            assertThat(readToEnd(socket)).doesNotContain("200 OK");
        }
    }

    private static String readToEnd(Socket socket) {
        try (InputStream in = socket.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException reset) {
            return "";
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::"})
    void nothingListensBeyondLoopbackInClear(String host) {
        HttpListen listen = new HttpListen(host, 0);
        assertThatThrownBy(
                        () ->
                                new OperationsServer(
                                        listen,
                                        ServerSecurity.NONE,
                                        new Sources(CompletableFuture::new, told -> new byte[0]),
                                        SHORT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http-host " + host + " is not loopback")
                .hasMessageContaining("tls-certificate");
    }

    @Test
    void whoComesFromElsewhereShowsAToken(@TempDir Path folder) throws Exception {
        TestingKeys keys = new TestingKeys(Files.createDirectories(folder.resolve("keys")));
        TlsFiles own = keys.server("127.0.0.1");
        ServerSecurity security =
                new ServerSecurity(
                        new TlsFiles(own.certificate(), own.key(), null),
                        keys.tokens("tokens", "anna:correct-horse-battery"),
                        false);
        HttpClient client = HttpClient.newBuilder().sslContext(trusting(keys)).build();
        try (OperationsServer server =
                new OperationsServer(
                        new HttpListen("0.0.0.0", 0),
                        security,
                        new Sources(
                                () -> CompletableFuture.completedFuture(report()),
                                told -> "numbers".getBytes(StandardCharsets.UTF_8)),
                        Patience.USUAL)) {
            for (String path : List.of("/metrics", "/healthz", "/readyz", "/")) {
                for (String token :
                        new String[] {
                            null, "correct-horse-battery", "anna:wrong", "", "x".repeat(5000)
                        }) {
                    assertThat(send(client, "https", server, path, "GET", token).statusCode())
                            .as("%s %s", path, token)
                            .isEqualTo(401);
                }
            }
            assertThat(
                            send(
                                            client,
                                            "https",
                                            server,
                                            "/metrics",
                                            "GET",
                                            "anna:correct-horse-battery")
                                    .body())
                    .isEqualTo("numbers");
            assertThatThrownBy(() -> get(server, "/metrics")).isInstanceOf(IOException.class);
        }
    }

    private static SSLContext trusting(TestingKeys keys) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null);
        try (InputStream in = Files.newInputStream(Path.of(keys.trust().trust()))) {
            store.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Test
    void saysThatThePortIsInUse() {
        try (OperationsServer server =
                of(CompletableFuture.completedFuture(report()), Patience.USUAL)) {
            HttpListen same = new HttpListen("127.0.0.1", server.port());
            assertThatThrownBy(
                            () ->
                                    new OperationsServer(
                                            same,
                                            ServerSecurity.NONE,
                                            new Sources(CompletableFuture::new, told -> null),
                                            SHORT))
                    .isInstanceOf(PsException.class)
                    .hasMessageContaining("choose another --http-port");
        }
    }

    @Test
    void aHostNeedsAPort() {
        assertThat(HttpListen.of(Map.of())).isNull();
        assertThat(HttpListen.of(Map.of("http-port", "0"))).isEqualTo(LOOPBACK);
        assertThatThrownBy(() -> HttpListen.of(Map.of("http-host", "0.0.0.0")))
                .hasMessage("http-host needs http-port too");
        assertThatThrownBy(() -> HttpListen.of(Map.of("http-port", "70000")))
                .hasMessageContaining("http-port");
    }
}
