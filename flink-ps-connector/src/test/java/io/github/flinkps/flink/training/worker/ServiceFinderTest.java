package io.github.flinkps.flink.training.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.service.EmbeddedServer;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceBackend;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.service.TaskHost;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a worker does with an entry of servers that are of an attempt before its own. */
@Timeout(120)
class ServiceFinderTest {
    /** Longer than a test may take. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private static final long FOREVER = Long.MAX_VALUE - 1;

    @TempDir private Path root;

    /** Reaches servers by sockets. */
    private static final class Sockets implements ServiceBackend {
        private static final long serialVersionUID = 1L;

        @Override
        public EmbeddedServer startServer(int index, long fence, TaskHost host) {
            throw new IllegalStateException();
        }

        @Override
        public ParameterClient connect(List<String> addresses, Duration timeout) {
            return ParameterClients.create(
                    addresses,
                    ClientConfig.defaults()
                            .withConnectTimeout(LONG)
                            .withReconnectTimeout(LONG)
                            .withPeerTimeout(LONG));
        }
    }

    private static final class Found implements ServiceFinder.Listener {
        private final CompletableFuture<ServiceFinder.Connection> connection =
                new CompletableFuture<>();
        private final BlockingQueue<Boolean> registering = new LinkedBlockingQueue<>();

        @Override
        public void registering(boolean found) {
            registering.add(found);
        }

        @Override
        public void connected(ServiceFinder.Connection found) {
            connection.complete(found);
        }

        @Override
        public void failed(Exception failure) {
            connection.completeExceptionally(failure);
        }
    }

    private void publish(long fence, String address) throws Exception {
        new ServiceRegistry(root.toUri().toString(), "run")
                .publish(new ServiceAddress("run", fence, List.of(address), FOREVER));
    }

    private ServiceFinder finder(Found found) {
        TestingSettings settings = new TestingSettings(root);
        settings.timeout = LONG;
        return new ServiceFinder(settings.build(), new Sockets(), List.of(), 0, 1, null, found);
    }

    /** They have gone without an answer, and their entry is still there. */
    @Test
    void serversThatDoNotAnswerAreLeftForOthersThatCome() throws Exception {
        Found found = new Found();
        try (ServerSocket mute = new ServerSocket(0, 9, InetAddress.getByName("127.0.0.1"));
                ParameterServer server = ParameterServer.start(ServerConfig.defaults());
                ServiceFinder finder = finder(found)) {
            publish(1, "127.0.0.1:" + mute.getLocalPort());
            finder.start();
            assertThat(found.registering.take()).isTrue();
            publish(2, server.address());
            try (ServiceFinder.Connection connection =
                    found.connection.get(100, TimeUnit.SECONDS)) {
                assertThat(finder.claim()).isTrue();
                assertThat(connection.fence()).isEqualTo(2);
            }
            assertThat(found.registering).containsExactly(false, true);
        }
    }

    /** Servers of their own outlive an attempt, whose worker is still registered there. */
    @Test
    void theWorkerOfAnAttemptBeforeDoesNotFailTheNextOne() throws Exception {
        Found found = new Found();
        SessionSpec before =
                new SessionSpec("m", "run", 1, 0, 1, ConsistencySpec.bsp(), Duration.ofSeconds(60));
        try (ParameterServer server = ParameterServer.start(ServerConfig.defaults());
                ParameterClient client =
                        ParameterClients.create(
                                List.of(server.address()), ClientConfig.defaults());
                ModelSession session = client.open(before).get(60, TimeUnit.SECONDS);
                ServiceFinder finder = finder(found)) {
            assertThat(session).isNotNull();
            publish(1, server.address());
            finder.start();
            assertThat(found.registering.take()).isTrue();
            assertThat(found.registering.take()).as("it is registered already").isFalse();
            publish(2, server.address());
            try (ServiceFinder.Connection connection =
                    found.connection.get(100, TimeUnit.SECONDS)) {
                assertThat(finder.claim()).isTrue();
                assertThat(connection.fence()).isEqualTo(2);
            }
        }
    }
}
