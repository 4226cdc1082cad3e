package io.github.flinkps.flink.testing;

import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.flink.service.EmbeddedServer;
import io.github.flinkps.flink.service.ServiceBackend;
import io.github.flinkps.flink.service.TaskHost;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Servers and clients of a {@link TestingParameterService}, by its name. */
public final class TestingServiceBackend implements ServiceBackend {
    private static final long serialVersionUID = 1L;

    private final String name;

    TestingServiceBackend(String name) {
        this.name = name;
    }

    @Override
    public EmbeddedServer startServer(int index, long fence, TaskHost host) throws IOException {
        TestingParameterService service = TestingParameterService.of(name);
        if (!service.startable) {
            throw new IOException("port 7000 is in use");
        }
        service.beginAttempt(fence);
        service.openServers.incrementAndGet();
        AtomicBoolean open = new AtomicBoolean(true);
        return new EmbeddedServer() {
            @Override
            public String address() {
                return name + ":" + index + "@" + fence;
            }

            @Override
            public CompletableFuture<OutOfMemoryError> heapExhausted() {
                return service.heapExhausted;
            }

            @Override
            public void close() {
                if (open.getAndSet(false)) {
                    service.openServers.decrementAndGet();
                }
            }
        };
    }

    @Override
    public ParameterClient connect(List<String> addresses, Duration timeout) {
        return new TestingParameterClient(TestingParameterService.of(name));
    }
}
