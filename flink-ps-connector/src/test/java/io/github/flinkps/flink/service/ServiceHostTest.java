package io.github.flinkps.flink.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.CutOrigin;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ModelState;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.testing.TestingParameterService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServiceHostTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final TableSpec TABLE = TableSpec.dense("w", 4, 1, UpdateSpec.of("add"));
    private static final String SAVED = "save out with 1 servers";

    private final TestingParameterService service = TestingParameterService.create("host-test");
    private final ServiceHost host =
            new ServiceHost(
                    spec(),
                    "run",
                    service.backend(),
                    service.archive(),
                    TaskHost.ofMachine(1L << 20));
    private Thread waiting;

    private static ServiceSpec spec() {
        return new ServiceSpec(
                "m",
                new ServiceSpec.Servers("file:/nowhere", 1, List.of()),
                1,
                ConsistencySpec.bsp(),
                List.of(TABLE),
                ServiceSpec.Start.NEW,
                new ServiceSpec.Saving("out", Duration.ofMillis(10), false),
                null,
                ServiceSpec.Lifetime.ATTEMPT,
                TIMEOUT);
    }

    @AfterEach
    void close() throws Exception {
        if (waiting != null) {
            waiting.interrupt();
            waiting.join();
        }
        host.close();
        service.close();
    }

    private List<String> prepare(boolean restored) throws Exception {
        List<String> addresses = List.of(host.start(0, 7));
        host.prepare(7, addresses, restored);
        return addresses;
    }

    private static ModelSession open(ParameterClient client, int worker) throws Exception {
        return get(
                client.open(
                        new SessionSpec("m", "run", 7, worker, 1, ConsistencySpec.bsp(), TIMEOUT)));
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(2);
        }
    }

    private long calls(String call) {
        return service.calls().stream().filter(call::equals).count();
    }

    /** The host looks again and again whether anything is trained, and saves nothing before. */
    @Test
    void noVersionIsPublishedBeforeTheFirstClockBehindARestore() throws Exception {
        List<String> addresses = prepare(true);
        try (ParameterClient client = service.backend().connect(addresses, TIMEOUT);
                ModelSession worker = open(client, 0)) {
            waiting =
                    new Thread(
                            () -> {
                                try {
                                    host.awaitWorkers();
                                } catch (Exception ended) {
                                    // By the test.
                                }
                            });
            waiting.start();
            await(() -> calls("state -1") > 3);
            assertThat(service.calls()).doesNotContain(SAVED);
            get(worker.beginCuts(new CutOrigin("d", null, false, Duration.ZERO), TIMEOUT));
            long before = calls("state -1");
            await(() -> calls("state -1") > before + 3);
            assertThat(service.calls()).doesNotContain(SAVED);
            get(worker.exchange().clock().send());
            await(() -> calls(SAVED) > 1);
        }
    }

    @Test
    void readersWaitForWorkersThatRestore() throws Exception {
        List<String> addresses = prepare(true);
        try (ParameterClient client = service.backend().connect(addresses, TIMEOUT);
                ModelSession worker = open(client, 0)) {
            assertThat(get(worker.state())).isEqualTo(new ModelState(false, false));
            get(worker.beginCuts(new CutOrigin("d", null, false, Duration.ZERO), TIMEOUT));
            assertThat(get(worker.state())).isEqualTo(new ModelState(true, false));
        }
    }

    @Test
    void aServerWithoutHeapSaysWhyItsTaskFails() throws Exception {
        prepare(false);
        CompletableFuture<ServiceException> failure = host.serverFailure();
        assertThat(failure).isNotDone();
        service.heapExhausted.complete(new OutOfMemoryError("Java heap space"));
        assertThat(get(failure))
                .hasMessageContaining("the heap of a process with a parameter server is exhausted")
                .hasRootCauseInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void readersReadWhatATrainingBeginsWith() throws Exception {
        List<String> addresses = prepare(false);
        try (ParameterClient client = service.backend().connect(addresses, TIMEOUT);
                ModelSession reader = open(client, SessionSpec.NO_WORKER)) {
            assertThat(get(reader.state())).isEqualTo(new ModelState(true, false));
        }
    }
}
