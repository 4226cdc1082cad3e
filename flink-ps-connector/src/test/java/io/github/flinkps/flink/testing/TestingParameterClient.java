package io.github.flinkps.flink.testing;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ServerStats;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.client.TrafficCounters;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A client of a {@link TestingParameterService}. */
public final class TestingParameterClient implements ParameterClient {
    private final TestingParameterService service;
    private final AtomicBoolean open = new AtomicBoolean(true);
    final AtomicLong requests = new AtomicLong();

    TestingParameterClient(TestingParameterService service) {
        this.service = service;
        service.openClients.incrementAndGet();
    }

    @Override
    public CompletableFuture<ModelSession> open(SessionSpec spec) {
        return CompletableFuture.supplyAsync(
                () -> {
                    if (spec.worker() != SessionSpec.NO_WORKER) {
                        service.register(spec.worker(), spec.workers());
                    }
                    return new TestingModelSession(service, this, spec);
                },
                service.transport);
    }

    @Override
    public CompletableFuture<Long> grantFence(
            String model, String run, String attempt, Duration timeout) {
        return CompletableFuture.completedFuture(service.fences.incrementAndGet());
    }

    @Override
    public CompletableFuture<Boolean> hasAttempt(String model, String attempt, Duration timeout) {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletableFuture<Void> dropModel(String model, long fence, Duration timeout) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Boolean> keepModel(
            String model, String run, long fence, Duration timeout) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public CompletableFuture<List<String>> models(Duration timeout) {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletableFuture<List<ServerStats>> stats(Duration timeout) {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public TrafficCounters traffic() {
        return new TrafficCounters(100 * requests.get(), 200 * requests.get(), requests.get(), 0);
    }

    @Override
    public void close() {
        if (open.getAndSet(false)) {
            service.openClients.decrementAndGet();
        }
    }
}
