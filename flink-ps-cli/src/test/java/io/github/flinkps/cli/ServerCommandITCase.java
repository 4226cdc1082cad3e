package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerCommandITCase {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String LISTENING = "listening on ";

    @Test
    void servesWithoutFlinkUntilItIsTerminated(@TempDir Path folder) throws Exception {
        Path classes = folder.resolve("classes.log");
        try (TestingProcess server =
                TestingProcess.start(
                        List.of("-Xlog:class+load:file=" + classes),
                        entry -> !entry.contains("org/apache/flink"),
                        "server",
                        "--owners",
                        "2")) {
            String address = server.awaitLine(LISTENING);
            try (ParameterClient client =
                    ParameterClients.create(List.of(address), ClientConfig.defaults())) {
                assertThat(client.stats(Duration.ofSeconds(30)).get(30, TimeUnit.SECONDS))
                        .hasSize(1);
            }
            server.signal("TERM");
            assertThat(server.awaitExit()).isEqualTo(ExitCodes.OK);
            assertThat(server.err()).isEmpty();
            assertThat(server.out()).containsExactly(LISTENING + address);
        }
        assertThat(Files.readString(classes))
                .contains("io.github.flinkps.server.ParameterServer")
                .doesNotContain("org.apache.flink.");
    }

    @Test
    void endsByCtrlC() throws Exception {
        try (TestingProcess server = TestingProcess.start("server")) {
            server.awaitLine(LISTENING);
            server.signal("INT");
            assertThat(server.awaitExit()).isEqualTo(ExitCodes.INTERRUPTED);
            assertThat(server.err()).isEmpty();
        }
    }

    @Test
    void saysThatThePortIsInUse() {
        try (ParameterServer other = ParameterServer.start(ServerConfig.defaults())) {
            TestingCommand command =
                    TestingCommand.run("server", "--port", Integer.toString(other.port()));
            assertThat(command.exitCode()).isEqualTo(ExitCodes.FAILED);
            assertThat(command.err())
                    .startsWith("flink-ps: cannot listen on 127.0.0.1:" + other.port())
                    .contains("in use")
                    .contains("--port");
            assertThat(command.err().lines()).hasSize(1);
            assertThat(command.out()).isEmpty();
        }
    }

    @Test
    void saysByWhatNameItIsReached() throws Exception {
        try (TestingProcess server = TestingProcess.start("server", "--advertise", "localhost")) {
            String address = server.awaitLine(LISTENING);
            assertThat(address).startsWith("localhost:");
            try (ParameterClient client =
                    ParameterClients.create(List.of(address), ClientConfig.defaults())) {
                client.stats(Duration.ofSeconds(30)).get(30, TimeUnit.SECONDS);
            }
        }
        for (String wrong : List.of("no.such.host.invalid", "localhost:7000")) {
            TestingCommand command = TestingCommand.run("server", "--advertise", wrong);
            assertThat(command.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(command.err())
                    .contains("--advertise " + wrong + " is not known on this machine");
        }
    }

    /** One line per message at level trace. */
    @Test
    void tracesMessages() throws Exception {
        try (TestingProcess server = TestingProcess.start("server", "--log-level", "trace")) {
            String address = server.awaitLine(LISTENING);
            try (ParameterClient client =
                    ParameterClients.create(List.of(address), ClientConfig.defaults())) {
                client.stats(Duration.ofSeconds(30)).get(30, TimeUnit.SECONDS);
            }
            server.signal("TERM");
            assertThat(server.awaitExit()).isEqualTo(ExitCodes.OK);
            assertThat(server.err())
                    .anyMatch(
                            line -> line.matches(".* TRACE messages: HELLO id=\\d+ .*bytes=\\d+.*"))
                    .noneMatch(line -> line.startsWith("\tat "));
        }
    }

    /**
     * It may collect garbage for many seconds before it does, in which clients find it silent: each
     * allocation still succeeds.
     */
    @Test
    void endsWhenItsHeapIsExhausted() throws Exception {
        try (TestingProcess server =
                TestingProcess.start(List.of("-Xmx48m"), entry -> true, "server")) {
            String address = server.awaitLine(LISTENING);
            try (ParameterClient client =
                    ParameterClients.create(List.of(address), ClientConfig.defaults())) {
                fill(client);
            }
            assertThat(server.awaitExit()).isEqualTo(ExitCodes.FAILED);
            assertThat(server.err())
                    .last(STRING)
                    .startsWith("flink-ps: the server ends, as its heap is exhausted")
                    .endsWith("(set FLINK_PS_JAVA_OPTS=-Xmx..)");
        }
    }

    /** Creates tables until the server has gone. */
    private static void fill(ParameterClient client) throws Exception {
        SessionSpec plain =
                new SessionSpec(
                        "m", "run", 0, SessionSpec.NO_WORKER, 0, ConsistencySpec.asp(), LONG);
        ModelSession session = client.open(plain).get(1, TimeUnit.MINUTES);
        boolean there = true;
        for (int table = 0; there; table++) {
            TableSpec wide = TableSpec.dense("t" + table, 1 << 20, 1, UpdateSpec.of("add"));
            try {
                session.createTable(wide).get(1, TimeUnit.MINUTES);
            } catch (ExecutionException e) {
                there = !e.getMessage().contains("cannot reach server");
            }
        }
    }
}
