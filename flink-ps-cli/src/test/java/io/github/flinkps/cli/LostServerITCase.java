package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.FrameHandler;
import io.github.flinkps.transport.NettyTransport;
import io.netty.buffer.ByteBuf;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are not there, go away or do not understand; and a user who has had enough. */
class LostServerITCase {
    private static final long LIMIT_SECONDS = 120;
    private static final Duration LIMIT = Duration.ofSeconds(LIMIT_SECONDS);

    @TempDir private Path folder;

    private String model() {
        return folder.resolve("model").toString();
    }

    private void failed(TestingCommand command, String... parts) {
        assertThat(command.err()).startsWith("flink-ps: ").contains(parts);
        assertThat(command.err().lines()).hasSize(1);
        assertThat(command.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void saysThatThereIsNoServer() throws Exception {
        String address;
        try (ServerSocket free = new ServerSocket(0)) {
            address = "127.0.0.1:" + free.getLocalPort();
        }
        failed(
                TestingCommand.run(
                        "train",
                        "--remote",
                        address,
                        "--model",
                        model(),
                        "--timeout",
                        "3s",
                        "--quiet"),
                address);
    }

    @Test
    void saysThatTheServerHasAnotherVersion() {
        NettyTransport transport = new NettyTransport("test-server", 1, 1 << 20);
        try {
            int port = transport.listen("127.0.0.1", 0, connection -> new Refusal(), 1 << 12);
            failed(
                    TestingCommand.run(
                            "train",
                            "--remote",
                            "127.0.0.1:" + port,
                            "--model",
                            model(),
                            "--timeout",
                            "10s",
                            "--quiet"),
                    "protocol version 99");
        } finally {
            transport.close();
        }
    }

    /** Answers every hello as a server of the future would. */
    private static final class Refusal implements FrameHandler {
        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            int api = FrameHeader.api(frame);
            long correlation = FrameHeader.correlation(frame);
            frame.release();
            connection.send(
                    ErrorFrame.of(
                            connection.allocator(),
                            api,
                            correlation,
                            ErrorCode.UNSUPPORTED_VERSION,
                            "the server speaks protocol version 99, the client 1 to 1"));
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {}
    }

    private static PrintWriter untilEpoch(CountDownLatch training) {
        return new PrintWriter(new StringWriter()) {
            @Override
            public void println(String line) {
                if (line.startsWith("epoch ")) {
                    training.countDown();
                }
            }
        };
    }

    @Test
    void saysThatAServerDied() throws Exception {
        try (TestingProcess server = TestingProcess.start("server")) {
            String address = server.awaitLine("listening on ");
            CountDownLatch training = new CountDownLatch(1);
            StringWriter err = new StringWriter();
            CompletableFuture<Integer> exit =
                    CompletableFuture.supplyAsync(
                            () ->
                                    Main.run(
                                            untilEpoch(training),
                                            new PrintWriter(err),
                                            "train",
                                            "--epochs",
                                            "100000",
                                            "--remote",
                                            address,
                                            "--timeout",
                                            "15s",
                                            "--model",
                                            model()));
            exit.whenComplete((code, failure) -> training.countDown());
            assertThat(training.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(exit).as(() -> "it ended before: " + err).isNotDone();
            server.signal("KILL");
            int code = exit.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            failed(new TestingCommand(code, "", err.toString()), address);
        }
    }

    private int models(ParameterClient client) {
        return client.stats(LIMIT).join().get(0).models();
    }

    /** One of two servers neither answers nor goes away, which costs a wait at the end, too. */
    @Test
    void tellsOfAStoppedServerAndThenLeavesNothingOnTheOthers() throws Exception {
        try (ParameterServer healthy = ParameterServer.start(ServerConfig.defaults());
                ParameterClient client =
                        ParameterClients.create(
                                List.of(healthy.address()), ClientConfig.defaults());
                TestingProcess server = TestingProcess.start("server")) {
            String address = server.awaitLine("listening on ");
            CountDownLatch training = new CountDownLatch(1);
            CompletableFuture<Integer> left = new CompletableFuture<>();
            StringWriter err = new StringWriter();
            PrintWriter told =
                    new PrintWriter(err) {
                        @Override
                        public void println(String line) {
                            super.println(line);
                            left.complete(models(client));
                        }
                    };
            CompletableFuture<Integer> exit =
                    CompletableFuture.supplyAsync(
                            () ->
                                    Main.run(
                                            untilEpoch(training),
                                            told,
                                            "train",
                                            "--epochs",
                                            "100000",
                                            "--remote",
                                            healthy.address() + "," + address,
                                            "--timeout",
                                            "2s",
                                            "--model",
                                            model()));
            assertThat(training.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            server.signal("STOP");
            int code = exit.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            failed(new TestingCommand(code, "", err.toString()), "flink-ps: ");
            assertThat(left.getNow(0)).as("told before cleaning up").isEqualTo(1);
            assertThat(models(client)).isZero();
        }
    }

    @Test
    void leavesNothingInTheTemporaryFolder() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Path rows = TestingRows.write(folder.resolve("rows"), 200, 1);
        Path bad = Files.writeString(folder.resolve("bad"), "1 1:1\nx\n");
        for (Path input : List.of(rows, bad)) {
            try (TestingProcess train =
                    TestingProcess.start(
                            List.of("-Djava.io.tmpdir=" + temporary),
                            entry -> true,
                            "train",
                            "--input",
                            input.toString(),
                            "--test",
                            rows.toString(),
                            "--quiet")) {
                assertThat(train.awaitExit())
                        .isEqualTo(input == rows ? ExitCodes.OK : ExitCodes.FAILED);
                assertThat(train.err()).hasSize(input == rows ? 0 : 1);
            }
            assertThat(temporary).isEmptyDirectory();
        }
    }

    @Test
    void endsByCtrlCAndLeavesNoModel() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        try (TestingProcess train =
                TestingProcess.start(
                        List.of("-Djava.io.tmpdir=" + temporary),
                        entry -> true,
                        "train",
                        "--epochs",
                        "100000",
                        "--model",
                        model())) {
            train.awaitLine("epoch 1/");
            train.signal("INT");
            assertThat(train.awaitExit()).isEqualTo(ExitCodes.INTERRUPTED);
            assertThat(train.err()).isEmpty();
        }
        assertThat(temporary).isEmptyDirectory();
        assertThat(folder.toFile().list()).containsExactly("tmp");
    }
}
