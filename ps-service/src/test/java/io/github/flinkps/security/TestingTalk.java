package io.github.flinkps.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.ConnectionLimits;
import io.github.flinkps.transport.FrameHandler;
import io.github.flinkps.transport.HeapFailure;
import io.github.flinkps.transport.NettyTransport;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A server and a client that talk, or do not. */
final class TestingTalk {
    private static final ConnectionLimits LIMITS =
            ConnectionLimits.ofClient(ConnectionLimits.PEER_TIMEOUT);

    private static final int MOST = 1 << 20;

    private TestingTalk() {}

    /** Sends back what it gets, and says that it did. */
    private static final class Server implements FrameHandler {
        private boolean served;

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            served = true;
            connection.send(frame);
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {}
    }

    /** Completes with the first answer, or why there is none. */
    private static final class Client implements FrameHandler {
        private final CompletableFuture<Void> answered = new CompletableFuture<>();

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            frame.release();
            answered.complete(null);
        }

        @Override
        public void onClosed(Connection connection, Throwable cause) {
            answered.completeExceptionally(new IOException("closed", cause));
        }
    }

    /** Returns whether a server answers a client. */
    static boolean talk(Tls server, Tls client) throws Exception {
        Server echo = new Server();
        Client asking = new Client();
        try (NettyTransport there =
                        new NettyTransport("there", 1, MOST, server, LIMITS, new HeapFailure(0));
                NettyTransport here =
                        new NettyTransport("here", 1, MOST, client, LIMITS, new HeapFailure(0))) {
            int port = there.listen("127.0.0.1", 0, connection -> echo, MOST);
            Connection connection =
                    here.connect("127.0.0.1:" + port, asking, TimeUnit.SECONDS.toNanos(20))
                            .get(20, TimeUnit.SECONDS);
            ByteBuf frame = connection.allocator().directBuffer(FrameHeader.BYTES);
            FrameHeader.writeRequest(frame.writerIndex(FrameHeader.BYTES), ApiKey.PING, 0);
            connection.send(frame);
            asking.answered.get(20, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException refused) {
            assertThat(echo.served).isFalse();
            return false;
        }
    }
}
