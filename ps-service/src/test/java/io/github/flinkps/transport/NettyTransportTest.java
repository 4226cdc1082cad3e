package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.security.Tls;
import io.github.flinkps.testing.TestingKeys;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NettyTransportTest {
    private static final int MAX_FRAME_BYTES = 1 << 20;

    /** Requests of more have an answer that is sent at once, as it is large. */
    private static final int LARGE_BYTES = 50_000;

    private static final int ANSWER_BYTES = 200_000;

    private static final long WORK_NANOS_A_BYTE = 20;
    private static final int TURNS = 40;

    /** Frames of the peer that asks again at once. */
    private final AtomicInteger eager = new AtomicInteger();

    private static ByteBuf frame(Connection connection, int bytes) {
        ByteBuf frame = connection.allocator().directBuffer(bytes, bytes).writerIndex(bytes);
        FrameHeader.writeRequest(frame, ApiKey.PING, 0);
        return frame;
    }

    /** Answers, and works for a while: the next request of who is eager is there after that. */
    private final class Server implements FrameHandler {
        /** Takes a connection as that of somebody who is known. */
        FrameHandler of(Connection connection) {
            connection.client(1, null);
            return this;
        }

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            int bytes = frame.readableBytes();
            boolean fromEager = bytes > FrameHeader.BYTES;
            frame.release();
            connection.send(
                    frame(connection, bytes > LARGE_BYTES ? ANSWER_BYTES : FrameHeader.BYTES));
            if (fromEager) {
                eager.incrementAndGet();
                long end = System.nanoTime() + WORK_NANOS_A_BYTE * bytes;
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
            }
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {}
    }

    /** Asks again as soon as it is answered. */
    private static final class Eager implements FrameHandler {
        private final int bytes;

        Eager(int bytes) {
            this.bytes = bytes;
        }

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            frame.release();
            connection.send(frame(connection, bytes));
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {}
    }

    private static final class Patient implements FrameHandler {
        private volatile CompletableFuture<Void> answered = new CompletableFuture<>();

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            frame.release();
            answered.complete(null);
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {
            answered.completeExceptionally(new IllegalStateException("closed", cause));
        }
    }

    private static NettyTransport transport(String name, Tls tls, boolean epoll) {
        return new NettyTransport(
                name,
                1,
                MAX_FRAME_BYTES,
                tls,
                ConnectionLimits.ofClient(ConnectionLimits.PEER_TIMEOUT),
                new HeapFailure(0),
                epoll);
    }

    private static Connection connect(NettyTransport transport, int port, FrameHandler handler)
            throws InterruptedException, ExecutionException, TimeoutException {
        return transport
                .connect("127.0.0.1:" + port, handler, TimeUnit.SECONDS.toNanos(20))
                .get(20, TimeUnit.SECONDS);
    }

    /**
     * Runs on one loop, on which a timer has its turn too.
     *
     * @param bytes of a request of the eager one
     * @param inFlight its requests at a time
     * @param most of them that may come first: what one read may hold, twice
     */
    @ParameterizedTest
    @CsvSource({
        "80000,1,8,false",
        "3000,2000,200,false",
        "20000,300,30,false",
        "80000,1,8,true",
        "3000,2000,200,true",
        "20000,300,30,true"
    })
    void whoAsksAgainAtOnceKeepsNobodyWaiting(
            int bytes, int inFlight, int most, boolean encrypted, @TempDir Path folder)
            throws Exception {
        keepsNobodyWaiting(bytes, inFlight, most, encrypted, true, folder);
    }

    /** Where there is no epoll, a read asks for as many bytes as its buffer has. */
    @ParameterizedTest
    @CsvSource({"80000,1,8,false", "80000,1,8,true", "20000,300,30,true"})
    void norDoesItWithoutEpoll(
            int bytes, int inFlight, int most, boolean encrypted, @TempDir Path folder)
            throws Exception {
        long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        keepsNobodyWaiting(bytes, inFlight, most, encrypted, false, folder);
        long after = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
        assertThat(after - before).isLessThan(256 << 20);
    }

    private void keepsNobodyWaiting(
            int bytes, int inFlight, int most, boolean encrypted, boolean epoll, Path folder)
            throws Exception {
        TestingKeys keys = new TestingKeys(folder);
        Tls tls = encrypted ? Tls.ofServer(keys.server("127.0.0.1"), false) : null;
        Tls trust = encrypted ? Tls.ofClient(keys.client("anna")) : null;
        try (NettyTransport server = transport("test-server", tls, epoll);
                NettyTransport one = transport("test-eager", trust, epoll);
                NettyTransport other = transport("test-patient", trust, epoll)) {
            Server serving = new Server();
            int port =
                    server.listen(
                            "127.0.0.1", 0, connection -> serving.of(connection), MAX_FRAME_BYTES);
            Connection busy = connect(one, port, new Eager(bytes));
            Patient patient = new Patient();
            Connection waiting = connect(other, port, patient);
            for (int i = 0; i < inFlight; i++) {
                busy.send(frame(busy, bytes));
            }
            int[] before = new int[TURNS];
            for (int i = 0; i < TURNS; i++) {
                Thread.sleep(i % 7);
                int begun = eager.get();
                patient.answered = new CompletableFuture<>();
                waiting.send(frame(waiting, FrameHeader.BYTES));
                patient.answered.get(20, TimeUnit.SECONDS);
                CompletableFuture<Void> timer = new CompletableFuture<>();
                server.loop().schedule(() -> timer.complete(null), 0);
                timer.get(20, TimeUnit.SECONDS);
                before[i] = eager.get() - begun;
            }
            Arrays.sort(before);
            assertThat(eager.get()).as("requests of the eager one").isPositive();
            assertThat(before[TURNS / 2]).isLessThanOrEqualTo(most);
        }
    }
}
