package io.github.flinkps.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.ConnectionLimits;
import io.github.flinkps.transport.FrameHandler;
import io.github.flinkps.transport.HeapFailure;
import io.github.flinkps.transport.NettyTransport;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads of a server that fail where they can tell nobody. */
@Timeout(60)
class HeapFailureITCase {
    private static final int MAX_FRAME_BYTES = 1 << 20;

    private static final ConnectionLimits LIMITS =
            ConnectionLimits.ofClient(ConnectionLimits.PEER_TIMEOUT);

    private final HeapFailure heap = new HeapFailure(1 << 10);

    /** Completes when the connection has gone. */
    private static final class Closing implements FrameHandler {
        private final CompletableFuture<Void> closed = new CompletableFuture<>();

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            frame.release();
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {
            closed.complete(null);
        }
    }

    /** Fails with every frame. */
    private record Failing(Error error) implements FrameHandler {
        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            frame.release();
            throw error;
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {}
    }

    private NettyTransport server() {
        return new NettyTransport("test-server", 1, MAX_FRAME_BYTES, null, LIMITS, heap);
    }

    /** Sends a frame to a server that fails with it, and waits until it has hung up. */
    private static void send(NettyTransport server, Error failure) throws Exception {
        int port = server.listen("127.0.0.1", 0, accepted -> new Failing(failure), MAX_FRAME_BYTES);
        try (NettyTransport client = new NettyTransport("test-client", 1, MAX_FRAME_BYTES)) {
            Closing closing = new Closing();
            Connection connection =
                    client.connect("127.0.0.1:" + port, closing, 10_000_000_000L)
                            .get(20, TimeUnit.SECONDS);
            ByteBuf frame = connection.allocator().directBuffer(FrameHeader.BYTES);
            frame.writerIndex(FrameHeader.BYTES);
            FrameHeader.writeRequest(frame, ApiKey.PING, 0);
            connection.send(frame);
            closing.closed.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void aRequestThatCannotBeAnsweredIsToldTheHost() throws Exception {
        OutOfMemoryError exhausted = new OutOfMemoryError("Java heap space");
        try (NettyTransport server = server()) {
            send(server, exhausted);
        }
        assertThat(heap.future()).isCompletedWithValue(exhausted);
    }

    @Test
    void soIsACommandThatSomebodyWaitsFor() throws Exception {
        try (NettyTransport server = server()) {
            server.loop()
                    .execute(
                            () -> {
                                throw new OutOfMemoryError("GC overhead limit exceeded");
                            });
            assertThat(heap.future().get(20, TimeUnit.SECONDS)).hasMessageContaining("overhead");
        }
    }

    /** As the thread of cuts, whose work ends with a word to another thread. */
    @Test
    void soIsWorkOfAnotherThread() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        heap.watch(thread)
                .execute(
                        () -> {
                            throw new OutOfMemoryError("Java heap space");
                        });
        assertThat(heap.future().get(20, TimeUnit.SECONDS)).hasMessageContaining("heap space");
        thread.shutdown();
    }

    /** Direct memory comes back when others have been answered. */
    @Test
    void otherFailuresEndTheirConnectionOnly() throws Exception {
        for (Error failure :
                new Error[] {
                    new OutOfMemoryError("Cannot reserve 5 bytes of direct buffer memory"),
                    new AssertionError("of this test")
                }) {
            try (NettyTransport server = server()) {
                send(server, failure);
            }
        }
        assertThat(heap.future()).isNotDone();
    }
}
