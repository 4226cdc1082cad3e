package io.github.flinkps.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.ParameterClients;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are stopped (SIGSTOP) while the others go on, and then continue. */
@Timeout(300)
class StoppedProcessITCase {
    private static final String LISTENING = "listening on ";
    private static final long LIMIT_SECONDS = 120;
    private static final int KEYS = 64;

    @TempDir private Path folder;

    private TestingProcess job(String name, String servers, int epochs, String gate)
            throws Exception {
        return TestingProcess.startMain(
                CountingJob.class,
                servers,
                Files.createDirectory(folder.resolve(name)).toString(),
                Integer.toString(epochs),
                folder.resolve(name + "-model").toString(),
                folder.resolve(gate).toString());
    }

    private static void awaitProgress(TestingProcess job) throws InterruptedException {
        for (int worker = 0; worker < CountingJob.WORKERS; worker++) {
            job.awaitLine(CountingJob.PROGRESS + worker);
        }
    }

    private List<Float> values(String name) {
        List<Float> values = new ArrayList<>();
        try (RootAllocator memory = new RootAllocator();
                ModelReader reader =
                        ModelReader.open(
                                new LocalModelStorage(),
                                folder.resolve(name + "-model").toString(),
                                memory)) {
            reader.read(
                    CountingJob.TABLE,
                    block -> {
                        for (int i = 0; i < block.rows(); i++) {
                            values.add(block.values()[i]);
                        }
                    });
        }
        return values;
    }

    /** A job sleeps while another takes its model over, and wakes up in the midst of it. */
    @Test
    void aJobThatSleptThroughItsReplacementChangesNothing() throws Exception {
        try (TestingProcess one = TestingProcess.start("server", "--owners", "2");
                TestingProcess two = TestingProcess.start("server", "--owners", "1")) {
            String servers = one.awaitLine(LISTENING) + "," + two.awaitLine(LISTENING);
            Files.createFile(folder.resolve("open"));
            try (TestingProcess zombie = job("zombie", servers, 1_000_000, "open")) {
                awaitProgress(zombie);
                zombie.signal("STOP");
                try (TestingProcess second = job("second", servers, 3, "gate")) {
                    awaitProgress(second);
                    zombie.signal("CONT");
                    assertThat(zombie.awaitExit()).isEqualTo(1);
                    assertThat(String.join("\n", zombie.err()))
                            .startsWith("failed")
                            .contains("newer attempt, fence 2");
                    Files.createFile(folder.resolve("gate"));
                    assertThat(second.awaitExit()).as("%s", second.err()).isZero();
                }
            }
        }
        assertThat(folder.resolve("zombie-model")).doesNotExist();
        assertThat(values("second")).hasSize(KEYS).containsOnly(CountingJob.count(3));
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Void> push(ModelSession session, Duration timeout) {
        float[] ones = new float[KEYS];
        Arrays.fill(ones, 1);
        return session.exchange().pushRange("t", 0, KEYS, ones, 1).timeout(timeout).send();
    }

    private static float[] pull(ModelSession session) throws Exception {
        float[] values = new float[KEYS];
        get(session.exchange().pullRange("t", 0, KEYS, values).send());
        return values;
    }

    private static SessionSpec plain() {
        return new SessionSpec(
                "m",
                "run",
                0,
                SessionSpec.NO_WORKER,
                1,
                ConsistencySpec.asp(),
                Duration.ofSeconds(LIMIT_SECONDS));
    }

    /** Operations with a deadline fail by it; those with time left find the server again. */
    @Test
    void aStoppedServerIsAnErrorInTimeAndLosesNothing() throws Exception {
        try (TestingProcess stopped = TestingProcess.start("server", "--owners", "2");
                TestingProcess other = TestingProcess.start("server", "--owners", "2")) {
            List<String> addresses =
                    List.of(stopped.awaitLine(LISTENING), other.awaitLine(LISTENING));
            ClientConfig config = ClientConfig.defaults();
            try (ParameterClient client = ParameterClients.create(addresses, config);
                    ParameterClient hasty = ParameterClients.create(addresses, config)) {
                ModelSession patient = get(client.open(plain()));
                get(patient.createTable(TableSpec.dense("t", KEYS, 1, UpdateSpec.of("add"))));
                ModelSession impatient = get(hasty.open(plain()));
                get(impatient.describe("t"));
                get(push(patient, Duration.ofSeconds(LIMIT_SECONDS)));
                stopped.signal("STOP");
                CompletableFuture<Void> waits = push(patient, Duration.ofSeconds(LIMIT_SECONDS));
                long begin = System.nanoTime();
                timesOut(push(impatient, Duration.ofSeconds(1)));
                timesOut(hasty.stats(Duration.ofSeconds(1)));
                timesOut(hasty.grantFence("n", "run", "a", Duration.ofSeconds(1)));
                assertThat(System.nanoTime() - begin)
                        .as("each waits for its deadline, not for ever")
                        .isGreaterThan(TimeUnit.SECONDS.toNanos(2));
                assertThat(waits).isNotDone();
                stopped.signal("CONT");
                get(waits);
                for (int i = 0; i < 10; i++) {
                    get(push(patient, Duration.ofSeconds(LIMIT_SECONDS)));
                }
                // The push that timed out had been sent: it takes effect once, or not at all.
                float[] values = pull(patient);
                for (float value : values) {
                    assertThat(value).isIn(12f, 13f);
                }
                assertThat(get(hasty.stats(Duration.ofSeconds(LIMIT_SECONDS)))).hasSize(2);
                assertThat(pull(impatient)).isEqualTo(pull(patient));
            }
        }
    }

    private static void timesOut(CompletableFuture<?> future) {
        assertThatThrownBy(() -> get(future))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TIMEOUT));
    }
}
