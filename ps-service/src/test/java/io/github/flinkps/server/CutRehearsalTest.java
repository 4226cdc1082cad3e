package io.github.flinkps.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.model.LocalModelStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CutRehearsalTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Test
    void allItsCutsAreWritten(BufferAllocator allocator) {
        CutRehearsal.run(allocator);
        assertThat(allocator.getAllocatedMemory()).isZero();
        assertThat(allocator.getPeakMemoryAllocation()).isPositive();
    }

    /** This one, or another of this process before. */
    @Test
    void aServerRehearsesWhenCutsBeginOnceAProcess(@TempDir Path folder, BufferAllocator allocator)
            throws Exception {
        try (ParameterServer server =
                        ParameterServer.start(
                                ServerConfig.defaults().withOwners(1), new LocalModelStorage());
                ParameterClient client =
                        ParameterClients.create(
                                List.of(server.address()), ClientConfig.defaults())) {
            ModelSession worker =
                    client.open(
                                    new SessionSpec(
                                            "m", "run", 1, 0, 1, ConsistencySpec.asp(), TIMEOUT))
                            .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            worker.beginCuts(LocalModelStorage.path(folder.resolve("model")), "", 0, TIMEOUT)
                    .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }
        List<Runnable> given = new ArrayList<>();
        CutRehearsal.once(new CutWork(new LocalModelStorage(), allocator, given::add, true));
        assertThat(given).isEmpty();
    }
}
