package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.CutOrigin;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two servers that keep a model over the attempts of a job, which counts records at least once, and
 * lose a round. What was acknowledged before the last cut no worker sends again: the model has to
 * go back there.
 */
class LostRoundTest {
    private static final Duration SHORT = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofHours(1);
    private static final ConsistencySpec BSP = ConsistencySpec.bsp();

    /** An element at each owner: it counts rounds, and cannot take one of 666. */
    private static final TableSpec TABLE =
            TableSpec.dense("t", 4, 1, UpdateSpec.of("sign-for-tests")).withPartitions(4);

    private final MemoryStorage storage = new MemoryStorage();
    private final SimulatedCluster cluster =
            new SimulatedCluster(1, new int[] {2, 2}, ServerConfig.defaults(), 1_000_000, storage);
    private final ParameterClient job = cluster.client(SHORT);
    private List<ModelSession> workers;
    private ManifestRef cut;
    private long fence;

    /** A cut has a round that is over, and of the next one the part of a worker. */
    @BeforeEach
    void aCutIsComplete() {
        assertThat(begin()).as("kept").isFalse();
        push(0, 1, 1, 1, 1);
        push(1, 0, 0, 0, 0);
        push(0, 1, 1, 1, 1);
        workers.forEach(worker -> await(worker.marker(1, 0)));
        try (TestingCuts cuts = new TestingCuts(storage, "model", BSP, 2)) {
            cut = cuts.write(fence, 1, await(workers.get(0).awaitCut(1, LONG)));
        }
    }

    @AfterEach
    void closesWithNothingLeft() {
        cluster.close();
    }

    private <T> T await(CompletableFuture<T> future) {
        return cluster.await(future, LONG);
    }

    /** Begins an attempt as a job does; returns whether servers keep what they have. */
    private boolean begin() {
        fence = await(job.grantFence("m", "run", "attempt " + ++fence, SHORT));
        boolean kept = await(job.keepModel("m", "run", fence, SHORT));
        workers = new ArrayList<>();
        for (int worker = 0; worker < 2; worker++) {
            SessionSpec spec = new SessionSpec("m", "run", fence, worker, 2, BSP, LONG);
            workers.add(await(cluster.client(SHORT).open(spec)));
            await(workers.get(worker).createTable(TABLE));
        }
        CutOrigin origin = new CutOrigin("model", cut, true, Duration.ZERO);
        workers.forEach(worker -> await(worker.beginCuts(origin, SHORT)));
        return kept;
    }

    private void push(int worker, float... gradients) {
        await(workers.get(worker).exchange().pushRange("t", 0, 4, gradients, 1).clock().send());
    }

    private float[] values() {
        float[] values = new float[4];
        await(workers.get(1).exchange().pullRange("t", 0, 4, values).send());
        return values;
    }

    /** The round that was open at the cut is in the model when it is over once more. */
    private void assertTrainingGoesOnFromTheCut() {
        push(1, 0, 0, 0, 0);
        assertThat(values()).containsOnly(2);
    }

    @Test
    void aModelThatLostARoundGoesBackToTheLastCompleteCut() {
        assertThatThrownBy(() -> push(1, 0, 0, 0, 665)).hasMessageContaining("no step of 666");
        assertThat(begin()).as("kept").isFalse();
        assertTrainingGoesOnFromTheCut();
    }

    /** Its rounds end as the next attempt begins, which fails; the one behind that goes on. */
    @Test
    void aModelThatLosesARoundBetweenAttemptsGoesBackToTheLastCompleteCut() {
        push(1, 0, 0, 0, 0);
        push(1, 666, 0, 0, 0);
        assertThat(begin()).as("kept").isTrue();
        assertThatThrownBy(this::values).hasMessageContaining("no step of 666");
        assertThat(begin()).as("kept").isFalse();
        assertTrainingGoesOnFromTheCut();
    }

    @Test
    void aModelThatLostNothingStays() {
        push(1, 0, 0, 0, 0);
        assertThat(begin()).as("kept").isTrue();
        assertThat(values()).containsOnly(2);
    }

    private ModelSession plain(long ofFence) {
        SessionSpec spec =
                new SessionSpec("m", "run", ofFence, SessionSpec.NO_WORKER, 2, BSP, LONG);
        ModelSession session = await(cluster.client(SHORT).open(spec));
        await(session.describe("t"));
        return session;
    }

    /** An attempt that saves its model reads it so. */
    @Test
    void anAttemptDoesNotReadRowsThatLackARound() {
        assertThatThrownBy(() -> push(1, 0, 0, 0, 665)).hasMessageContaining("no step of 666");
        ModelSession saves = plain(fence);
        assertThat(await(saves.scan("t", 0, 0, false)).values()).as("has all").containsExactly(2);
        assertThatThrownBy(() -> await(saves.scan("t", 3, 0, false)))
                .hasMessageContaining("no step of 666");
        assertThat(await(plain(0).scan("t", 3, 0, false)).values()).containsExactly(1);
        begin();
        assertThat(await(plain(fence).scan("t", 3, 0, false)).values()).containsExactly(1);
    }
}
