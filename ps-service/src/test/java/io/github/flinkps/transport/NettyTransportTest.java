package io.github.flinkps.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.FrameHeader;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NettyTransportTest {
    private static final int MAX_FRAME_BYTES = 1 << 20;
    private static final int REQUEST_BYTES = 80_000;

    /** So many that they are sent at once. */
    private static final int ANSWER_BYTES = 200_000;

    private static final long WORK_NANOS = 1_000_000;
    private static final int TURNS = 40;

    /** Frames of the peer that asks again at once. */
    private final AtomicInteger eager = new AtomicInteger();

    private static ByteBuf frame(Connection connection, int bytes) {
        ByteBuf frame = connection.allocator().directBuffer(bytes, bytes).writerIndex(bytes);
        FrameHeader.write(frame, ApiKey.PING, 0, 0, 0, 0);
        return frame;
    }

    /** Answers, and works for a while: the next request of who is eager is there after that. */
    private final class Server implements FrameHandler {
        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            boolean fromEager = frame.readableBytes() == REQUEST_BYTES;
            frame.release();
            connection.send(frame(connection, fromEager ? ANSWER_BYTES : FrameHeader.BYTES));
            if (fromEager) {
                eager.incrementAndGet();
                long end = System.nanoTime() + WORK_NANOS;
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
        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            frame.release();
            connection.send(frame(connection, REQUEST_BYTES));
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

    private static Connection connect(NettyTransport transport, int port, FrameHandler handler)
            throws InterruptedException, ExecutionException, TimeoutException {
        return transport
                .connect("127.0.0.1:" + port, handler, TimeUnit.SECONDS.toNanos(20))
                .get(20, TimeUnit.SECONDS);
    }

    /** On one loop; also a timer has its turn. */
    @Test
    void whoAsksAgainAtOnceKeepsNobodyWaiting() throws Exception {
        try (NettyTransport server = new NettyTransport("test-server", 1, MAX_FRAME_BYTES);
                NettyTransport one = new NettyTransport("test-eager", 1, MAX_FRAME_BYTES);
                NettyTransport other = new NettyTransport("test-patient", 1, MAX_FRAME_BYTES)) {
            Server serving = new Server();
            int port = server.listen("127.0.0.1", 0, connection -> serving, MAX_FRAME_BYTES);
            Connection busy = connect(one, port, new Eager());
            Patient patient = new Patient();
            Connection waiting = connect(other, port, patient);
            busy.send(frame(busy, REQUEST_BYTES));
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
            // One that is being worked on, one for the timer, and what slow threads let pass.
            assertThat(before[TURNS / 2]).isBetween(1, 8);
        }
    }
}
