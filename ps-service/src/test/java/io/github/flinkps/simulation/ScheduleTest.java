package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.TestingCuts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Schedules of learning rates go by rounds of all workers. Another attempt goes on with the next
 * round, whatever its workers and its consistency.
 */
class ScheduleTest {
    private static final Duration TIME = Duration.ofSeconds(20);

    private final MemoryStorage storage = new MemoryStorage();
    private final SimulatedCluster cluster =
            new SimulatedCluster(1, new int[] {1}, ServerConfig.defaults(), 1_000_000, storage);

    @AfterEach
    void closesWithNothingLeft() {
        cluster.close();
    }

    private static TableSpec table(String optimizer) {
        UpdateSpec halving =
                UpdateSpec.of(optimizer)
                        .with("learning-rate", 1)
                        .with("step-every", 1)
                        .with("step-factor", .5);
        return TableSpec.dense("t", 1, 1, halving).withPartitions(1);
    }

    private <T> T await(CompletableFuture<T> future) {
        return cluster.await(future, TIME);
    }

    private List<ModelSession> workers(String model, long fence, int count, String consistency) {
        List<ModelSession> workers = new ArrayList<>();
        for (int worker = 0; worker < count; worker++) {
            SessionSpec spec =
                    new SessionSpec(
                            model, "run", fence, worker, count, consistency(consistency), TIME);
            workers.add(await(cluster.client(TIME).open(spec)));
        }
        return workers;
    }

    private static ConsistencySpec consistency(String name) {
        return switch (name) {
            case "bsp" -> ConsistencySpec.bsp();
            case "ssp" -> ConsistencySpec.ssp(1);
            default -> ConsistencySpec.asp();
        };
    }

    /** Lets workers take steps in turn. */
    private void train(List<ModelSession> workers, int batches) {
        for (int batch = 0; batch < batches; batch++) {
            ModelSession worker = workers.get(batch % workers.size());
            await(worker.exchange().pushRange("t", 0, 1, new float[] {1}, 1).clock().send());
        }
    }

    /**
     * Restores a cut of {@code before} mini-batches, and trains {@code after} more.
     *
     * @param sum of the rates of all steps: 1 in the first round, half as much in each that follows
     */
    @ParameterizedTest
    @CsvSource({
        "asp, 4, 4, asp, 1, 1, 4.5",
        "ssp, 4, 4, ssp, 2, 2, 5",
        "asp, 1, 3, asp, 4, 4, 2.25",
        "asp, 4, 6, asp, 4, 3, 6.25",
        "asp, 4, 6, asp, 1, 2, 5.75",
        "bsp, 1, 3, asp, 2, 2, 2",
        "asp, 4, 4, bsp, 1, 2, 4.75",
        "asp, 2, 4, bsp, 2, 2, 3.25",
        "bsp, 2, 4, ssp, 4, 1, 1.75",
        "bsp, 2, 4, bsp, 1, 1, 1.75"
    })
    void goOnWithTheNextRoundOfACut(
            String consistency,
            int workers,
            int before,
            String newConsistency,
            int newWorkers,
            int after,
            float sum) {
        List<ModelSession> first = workers("m", 1, workers, consistency);
        await(first.get(0).createTable(table("sgd")));
        first.forEach(worker -> await(worker.describe("t")));
        await(first.get(0).beginCuts("model", null, TIME));
        train(first, before);
        first.forEach(worker -> await(worker.marker(1, 0)));
        try (TestingCuts cuts =
                new TestingCuts(storage, "model", consistency(consistency), workers)) {
            ManifestRef cut = cuts.write(1, 1, await(first.get(0).awaitCut(1, TIME)));
            List<ModelSession> second = workers("m", 2, newWorkers, newConsistency);
            second.forEach(worker -> await(worker.beginCuts("model", cut, TIME)));
            second.forEach(worker -> await(worker.describe("t")));
            train(second, after);
            float[] value = new float[1];
            SessionSpec plain =
                    new SessionSpec(
                            "m", "run", 0, SessionSpec.NO_WORKER, 1, ConsistencySpec.asp(), TIME);
            ModelSession reader = await(cluster.client(TIME).open(plain));
            await(reader.describe("t"));
            await(reader.exchange().pullRange("t", 0, 1, value).send());
            assertThat(value).containsExactly(-sum);
        }
    }

    /** A model that is saved with slots and loaded into another goes on where it was. */
    @Test
    void goOnWithTheNextRoundOfASavedModel() {
        List<ModelSession> saved = workers("saved", 1, 4, "asp");
        await(saved.get(0).createTable(table("adagrad")));
        saved.forEach(worker -> await(worker.describe("t")));
        train(saved, 8);
        RowChunk rows = await(saved.get(0).scan("t", 0, 0, true));
        List<ModelSession> loaded = workers("loaded", 1, 2, "asp");
        await(loaded.get(0).createTable(table("adagrad")));
        loaded.forEach(worker -> await(worker.describe("t")));
        await(loaded.get(0).load("t", rows));
        train(loaded, 2);
        train(saved, 4);
        assertThat(await(loaded.get(0).scan("t", 0, 0, false)).steps().steps()).isEqualTo(10);
        assertThat(await(loaded.get(0).scan("t", 0, 0, false)).steps().rounds()).isEqualTo(3);
        assertThat(await(saved.get(0).scan("t", 0, 0, false)).steps().rounds()).isEqualTo(3);
    }
}
