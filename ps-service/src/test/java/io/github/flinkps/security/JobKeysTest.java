package io.github.flinkps.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerSecurity;
import io.github.flinkps.testing.LeakExtension;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.ConnectionLimits;
import io.github.flinkps.transport.FrameHandler;
import io.github.flinkps.transport.HeapFailure;
import io.github.flinkps.transport.NettyTransport;
import io.netty.buffer.ByteBuf;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@Timeout(60)
@ExtendWith(LeakExtension.class)
class JobKeysTest {
    private static final ConnectionLimits LIMITS =
            ConnectionLimits.ofClient(ConnectionLimits.PEER_TIMEOUT);
    private static final int MOST = 1 << 20;
    private static final Duration VALIDITY = Duration.ofDays(1);

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
    private static boolean talk(Tls server, Tls client) throws Exception {
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

    private static JobKeys travelled(JobKeys keys) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(keys);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (JobKeys) in.readObject();
        }
    }

    @Test
    void endsOfOneJobTalkAndOthersDoNot() throws Exception {
        JobKeys job = JobKeys.create();
        JobKeys other = JobKeys.create();
        assertThat(talk(job.server(), travelled(job).client())).isTrue();
        assertThat(talk(job.server(), other.client())).isFalse();
        assertThat(talk(other.server(), job.client())).isFalse();
    }

    @Test
    void serversRefuseWhoDoesNotCheckThem() throws Exception {
        JobKeys job = JobKeys.create();
        assertThat(talk(job.server(), careless(null))).isFalse();
        Authority namesake = Authority.create("flink-ps job", Instant.now(), VALIDITY);
        assertThat(talk(job.server(), careless(namesake.peer(VALIDITY)))).isFalse();
    }

    /** Returns a client that takes every server. */
    private static Tls careless(Authority.Identity shown) {
        SslContextBuilder builder =
                SslContextBuilder.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE);
        return Tls.of(
                shown == null ? builder : builder.keyManager(shown.key(), shown.certificate()));
    }

    @Test
    void nothingThatHoldsTheKeySaysIt() {
        JobKeys job = JobKeys.create();
        ServerConfig config =
                ServerConfig.of(Map.of(), MOST).withSecurity(ServerSecurity.ofJob(job));
        assertThat(config.toString()).contains("keys of a job");
        assertThat(ClientSecurity.ofJob(job).toString()).endsWith("job=keys of a job]");
    }
}
