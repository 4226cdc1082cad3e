package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.server.ParameterServer;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what a server makes of bytes that no client of ours sends. */
class WireITCase {
    private final TestingCluster cluster = TestingCluster.of(1, false);

    /** Whatever the test did, the server serves. */
    @AfterEach
    void serves() {
        try (cluster) {
            ModelSession session = cluster.session("m");
            get(session.createTable(TableSpec.dense("t", 3, 1, UpdateSpec.of("add"))));
            float[] values = new float[3];
            get(session.exchange().pushRange("t", 0, 3, new float[] {1, 2, 3}, 1).send());
            get(session.exchange().pullRange("t", 0, 3, values).send());
            assertThat(values).containsExactly(1, 2, 3);
        }
    }

    private Socket connect() throws IOException {
        ParameterServer server = cluster.server(0);
        Socket socket = new Socket("127.0.0.1", server.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static byte[] frame(int api, int version, long correlation, int... control) {
        ByteBuffer bytes =
                ByteBuffer.allocate(FrameHeader.BYTES + 4 * control.length)
                        .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(bytes.capacity()).putShort((short) api).put((byte) version).put((byte) 0);
        bytes.putLong(correlation).putInt(1000).putInt(4 * control.length).putLong(0);
        for (int word : control) {
            bytes.putInt(word);
        }
        return bytes.array();
    }

    private static byte[] hello(int magic, int min, int max, int owner) {
        return frame(ApiKey.HELLO.id(), 1, 42, magic, min, max, owner, 0, 7, 0);
    }

    /** The code of the next answer; the message is put into {@code message}. */
    private static ErrorCode answer(Socket socket, StringBuilder message) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] head = new byte[FrameHeader.BYTES];
        in.readFully(head);
        ByteBuffer view = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        byte[] rest = new byte[view.getInt(0) - FrameHeader.BYTES];
        in.readFully(rest);
        ErrorCode code = ErrorCode.ofId(view.getInt(24));
        if (code != ErrorCode.NONE) {
            message.append(new String(rest, 4, rest.length - 4, StandardCharsets.UTF_8));
        }
        return code;
    }

    private void refused(byte[] first, ErrorCode code, String part) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(first);
            StringBuilder message = new StringBuilder();
            assertThat(answer(socket, message)).isEqualTo(code);
            assertThat(message.toString()).contains(part);
        }
    }

    @Test
    void anotherMagicVersionOrOwnerIsRefused() throws IOException {
        refused(hello(1234, 2, 2, -1), ErrorCode.MALFORMED, "not a flink-ps client");
        refused(hello(HelloMessage.MAGIC, 7, 9, -1), ErrorCode.UNSUPPORTED_VERSION, "7 to 9");
        refused(hello(HelloMessage.MAGIC, 2, 2, 99), ErrorCode.INVALID_ARGUMENT, "99");
        refused(frame(0, 9, 1), ErrorCode.UNSUPPORTED_VERSION, "version 9");
        refused(frame(0, 1, 1), ErrorCode.MALFORMED, "");
    }

    @Test
    void theFirstFrameMustBeHello() throws IOException {
        refused(frame(ApiKey.STATS.id(), 1, 1), ErrorCode.MALFORMED, "begins with HELLO");
    }

    @Test
    void unknownApisAndThoseOfAnotherConnectionAreRefused() throws IOException {
        for (int owner = -1; owner < 1; owner++) {
            try (Socket socket = connect()) {
                socket.getOutputStream().write(hello(HelloMessage.MAGIC, 2, 2, owner));
                StringBuilder message = new StringBuilder();
                assertThat(answer(socket, message)).isEqualTo(ErrorCode.NONE);
                for (int api : new int[] {99, -1, ApiKey.HELLO.id()}) {
                    socket.getOutputStream().write(frame(api, 1, 2));
                    assertThat(answer(socket, message)).isEqualTo(ErrorCode.UNKNOWN_API);
                }
                socket.getOutputStream().write(frame(ApiKey.PING.id(), 1, 3));
                assertThat(answer(socket, message)).isEqualTo(ErrorCode.NONE);
            }
        }
    }

    @Test
    void aLargeFrameBeforeHelloClosesTheConnection() throws IOException {
        byte[] large = frame(ApiKey.HELLO.id(), 1, 1);
        ByteBuffer.wrap(large).order(ByteOrder.LITTLE_ENDIAN).putInt(0, 1 << 30);
        closes(large);
        byte[] negative = frame(ApiKey.HELLO.id(), 1, 1);
        ByteBuffer.wrap(negative).order(ByteOrder.LITTLE_ENDIAN).putInt(0, -5);
        closes(negative);
        byte[] chunk = frame(ApiKey.CHUNK.id(), 1, 1, 0);
        ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).putInt(16, 0).putInt(20, 1 << 30);
        closes(chunk);
        closes(
                "GET / HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
    }

    private void closes(byte[] bytes) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(bytes);
            int read;
            try {
                read = socket.getInputStream().read();
            } catch (java.net.SocketException e) {
                read = -1; // reset
            }
            assertThat(read).isEqualTo(-1);
        }
    }

    @Test
    void noiseNeverStopsTheServer() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 100; i++) {
            try (Socket socket = connect()) {
                if (random.nextBoolean()) {
                    socket.getOutputStream()
                            .write(hello(HelloMessage.MAGIC, 2, 2, random.nextInt(3) - 1));
                }
                byte[] noise = new byte[random.nextInt(5000)];
                random.nextBytes(noise);
                socket.getOutputStream().write(noise);
            } catch (java.net.SocketException e) {
                // The server has closed the connection while we wrote.
            }
        }
    }
}
