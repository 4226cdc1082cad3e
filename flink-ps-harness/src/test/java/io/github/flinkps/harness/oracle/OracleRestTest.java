package io.github.flinkps.harness.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OracleRestTest {
    private static final String RUNNING =
            "HTTP/1.1 200 OK\r\nContent-Length: 19\r\n\r\n{\"state\":\"RUNNING\"}";
    private static final String NONE = "HTTP/1.1 404 None\r\nContent-Length: 7\r\n\r\nno such";

    /** Answers a request, or ends its connection without an answer. */
    private static void answer(ServerSocket server, String answer) throws IOException {
        try (Socket socket = server.accept()) {
            InputStream in = socket.getInputStream();
            String request = "";
            while (!request.endsWith("\r\n\r\n")) {
                request += (char) in.read();
            }
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static CompletableFuture<Void> answers(ServerSocket server, String... answers) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        for (String each : answers) {
                            answer(server, each);
                        }
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    @Test
    void asksAgainWhenAConnectionEnds() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 9, InetAddress.getByName("localhost"))) {
            CompletableFuture<Void> served = answers(server, "", "", RUNNING, NONE);
            OracleRest rest = new OracleRest(new Endpoint("localhost", server.getLocalPort()));
            assertThat(rest.state("job")).isEqualTo("RUNNING");
            assertThatThrownBy(() -> rest.state("job")).hasMessage("/jobs/job answers no such");
            served.join();
        }
    }

    @Test
    void namesTheFailureOfAnAnswerThatDoesNotCome() throws Exception {
        int port;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            port = server.getLocalPort();
        }
        assertThatThrownBy(() -> new OracleRest(new Endpoint("localhost", port)).state("job"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/jobs/job does not answer: java.net.ConnectException");
    }
}
