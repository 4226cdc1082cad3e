package io.github.flinkps.flink.training.cut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.testing.TestingParameterService;
import io.github.flinkps.flink.training.WorkerCounts;
import io.github.flinkps.model.cut.CutId;
import io.github.flinkps.model.cut.CutProgress;
import io.github.flinkps.testing.Polling;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cuts of the only worker; the test's thread is the task's, and writes the checkpoints. */
@Timeout(60)
class WorkerCutsTest {
    private static final String ROWS_REMOVED = "rows before 2 removed";

    private final TestingPublisher publisher = new TestingPublisher();
    private TestingParameterService service;
    private ParameterClient client;
    private ModelSession session;
    private WorkerCuts cuts;

    @BeforeEach
    void start() throws Exception {
        service = TestingParameterService.create("worker-cuts");
        service.beginAttempt(1);
        client = service.backend().connect(List.of(), Duration.ofSeconds(10));
        SessionSpec spec =
                new SessionSpec("m", "run", 1, 0, 1, ConsistencySpec.bsp(), Duration.ofSeconds(10));
        session = client.open(spec).get(10, TimeUnit.SECONDS);
        Duration timeout = Duration.ofSeconds(30);
        cuts = new WorkerCuts(new CutSettings(true, publisher, timeout, 1, false), "run", 0, 1);
        cuts.registered(session, 1, null);
    }

    @AfterEach
    void stop() throws Exception {
        cuts.close();
        session.close();
        client.close();
        service.close();
    }

    /**
     * Returns the reference of a checkpoint or savepoint whose cut is durable, but that is not
     * written yet.
     */
    private CutRef barrier(long checkpoint) throws Exception {
        CutRef ref = cuts.barrier(new Barrier(checkpoint, 0, false));
        session.awaitCut(checkpoint, Duration.ofSeconds(10)).get(10, TimeUnit.SECONDS);
        return ref;
    }

    private void complete(long checkpoint) throws Exception {
        barrier(checkpoint).manifest();
        cuts.completed(checkpoint);
        String noted = "complete " + checkpoint;
        Polling.await("not noted", () -> publisher.events().contains(noted));
    }

    /** A stop with a savepoint that has that, and then may fail. */
    private void stop(long savepoint) throws Exception {
        CutRef ref = cuts.barrier(new Barrier(savepoint, 0, true));
        session.awaitCut(savepoint, Duration.ofSeconds(10)).get(10, TimeUnit.SECONDS);
        ref.manifest();
        cuts.completed(savepoint);
    }

    /** Ends training. */
    private void finish() throws Exception {
        session.deregister().get(10, TimeUnit.SECONDS);
    }

    /** A savepoint before two checkpoints that need no rows. */
    private CutRef slowSavepoint() throws Exception {
        CutRef savepoint = barrier(1);
        finish();
        complete(2);
        complete(3);
        assertThat(publisher.events()).doesNotContain(ROWS_REMOVED);
        return savepoint;
    }

    private static WorkerCounts counts(long rows, double lossSum) {
        double[] weights = {rows};
        return new WorkerCounts(0, 0, 0, 0, rows, 0, new double[] {lossSum}, weights, new long[1]);
    }

    /** Also the first one after a restore. */
    @Test
    void eachCutTellsTheLossesSinceTheOneBefore() throws Exception {
        cuts.standsAt(counts(10, 7));
        CutRef first = barrier(1);
        cuts.standsAt(1, counts(30, 12));
        first.manifest();
        CutRef second = barrier(2);
        cuts.standsAt(2, counts(31, 12.5));
        second.manifest();
        assertThat(publisher.progress())
                .containsExactly(
                        new CutProgress(0, 1, 30, 5, 20), new CutProgress(0, 1, 31, .5, 1));
    }

    @Test
    void rowsGoWhenACheckpointWithoutThemIsComplete() throws Exception {
        complete(1);
        finish();
        complete(2);
        Polling.await("not removed", () -> publisher.events().contains(ROWS_REMOVED));
        complete(3);
        assertThat(publisher.events())
                .containsExactly(
                        "manifest 1",
                        "complete 1",
                        "manifest 2",
                        "complete 2",
                        ROWS_REMOVED,
                        "manifest 3",
                        "complete 3");
    }

    /** Rows stay with the savepoint's manifest, if it is asked for. */
    @Test
    void rowsStayWhileASavepointIsWritten() throws Exception {
        slowSavepoint().manifest();
        cuts.close();
        assertThat(publisher.events()).endsWith("complete 3", "manifest 1", ROWS_REMOVED);
    }

    @Test
    void rowsGoWhenTheSavepointIsAborted() throws Exception {
        CutRef savepoint = slowSavepoint();
        cuts.aborted(1);
        Polling.await("not removed", () -> publisher.events().contains(ROWS_REMOVED));
        assertThat(publisher.removed()).extracting(CutId::number).containsExactly(1L);
        assertThatThrownBy(savepoint::manifest).hasMessageContaining("it was aborted");
    }

    @Test
    void rowsGoWithTheWorkerIfTheSavepointCannotBeWrittenAnyMore() throws Exception {
        CutRef savepoint = slowSavepoint();
        cuts.close();
        assertThat(publisher.events()).endsWith("complete 3", ROWS_REMOVED);
        assertThatThrownBy(savepoint::manifest).hasMessageContaining("given up");
    }

    @Test
    void rowsStayWherePassesWereLeftOut() throws Exception {
        finish();
        cuts.leavesPasses();
        complete(2);
        cuts.close();
        assertThat(publisher.events()).containsExactly("manifest 2", "complete 2");
    }

    /** Rows stay: if stopping fails, the job goes back to the checkpoint, which needs them. */
    @Test
    void rowsStayWhenAJobStopsWithASavepoint() throws Exception {
        complete(1);
        finish();
        stop(2);
        cuts.close();
        assertThat(publisher.events()).containsExactly("manifest 1", "complete 1", "manifest 2");
    }

    /** One of two is to be kept; the last three are the same. */
    @Test
    void cutsBehindTheEndTakeTheirPlaceOfNoOther() throws Exception {
        complete(1);
        complete(2);
        complete(3);
        Polling.await("not removed", () -> publisher.removed().size() == 1);
        finish();
        complete(4);
        complete(5);
        complete(6);
        cuts.close();
        assertThat(publisher.removed()).extracting(CutId::number).containsExactly(1L, 2L);
    }

    /** Going back reads all cuts of a chain, and none of them can be removed. */
    @Test
    void aCutAddsToTheOneBeforeUntilTheChainIsLong() throws Exception {
        service.cuts.bytes = base -> base == 0 ? 1000 : 10;
        Map<Long, Long> expected = new HashMap<>();
        for (long cut = 1; cut <= CutGrowth.MOST_CUTS + 2; cut++) {
            complete(cut);
            expected.put(cut, cut == CutGrowth.MOST_CUTS + 1 ? 0 : cut - 1);
        }
        assertThat(service.cuts.bases()).isEqualTo(expected);
    }

    /** A savepoint that has all rows adds to no other cut. */
    @Test
    void cutsAreRemovedWhileASavepointOfAllRowsIsWritten() throws Exception {
        barrier(1);
        complete(2);
        complete(3);
        complete(4);
        complete(5);
        Polling.await("not removed", () -> !publisher.removed().isEmpty());
        assertThat(publisher.removed()).extracting(CutId::number).containsExactly(2L);
    }

    /**
     * Workers hear that it is complete as they do of checkpoints, but Flink does not go back to it
     * if the job then fails: to the last checkpoint, however often that happens.
     */
    @Test
    void theSavepointOfAStopTakesThePlaceOfNoCheckpoint() throws Exception {
        complete(1);
        stop(2);
        stop(3);
        complete(4);
        stop(5);
        complete(6);
        complete(7);
        Polling.await("not removed", () -> publisher.removed().size() >= 2);
        cuts.close();
        assertThat(publisher.removed()).extracting(CutId::number).containsExactly(1L, 4L);
        assertThat(publisher.events()).doesNotContain("complete 2", "complete 3", "complete 5");
    }

    /** Takes the cut of a checkpoint; another thread asks for its manifest. */
    private CompletableFuture<CutRef> written(long checkpoint) {
        CutRef ref = cuts.barrier(new Barrier(checkpoint, 0, false));
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return CutRef.durable(ref.name(), ref.manifest());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private void loseServers() throws Exception {
        session.close();
    }

    /** Servers go when one checkpoint is complete, when the next may have begun. */
    @Test
    void behindTheEndACompleteCutStandsForOneThatServersCannotWrite() throws Exception {
        complete(1);
        finish();
        CutRef second = written(2).get(10, TimeUnit.SECONDS);
        loseServers();
        CompletableFuture<CutRef> third = written(3);
        CompletableFuture<CutRef> fourth = written(4);
        assertThat(third).isNotDone();
        cuts.aborted(3);
        cuts.completed(2);
        assertThat(fourth.get(10, TimeUnit.SECONDS).name()).isEqualTo(second.name());
        assertThat(fourth.join().manifest()).isEqualTo(second.manifest());
        assertThat(third)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withMessageContaining("cut 3 has been given up");
        cuts.completed(4);
        assertThat(written(5).get(10, TimeUnit.SECONDS).name()).isEqualTo(second.name());
        assertThat(publisher.events()).doesNotContain("manifest 4", "complete 4");
        assertThat(publisher.removed()).isEmpty();
    }

    /** The worker finishes behind the first; no checkpoint with that is complete. */
    @Test
    void noOtherCutStandsForOneOfTraining() throws Exception {
        complete(1);
        finish();
        loseServers();
        CompletableFuture<CutRef> first = written(2);
        assertThat(first)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withMessageContaining("cut 2 has been given up");
        cuts.aborted(2);
        assertThat(written(3))
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withMessageContaining("cut 3 has been given up");
    }

    @Test
    void whatOthersStandForIsNoCutThatIsKept() throws Exception {
        finish();
        complete(1);
        publisher.unwritable.add(2L);
        assertThat(barrier(2).name().number()).isEqualTo(1);
        cuts.completed(2);
        complete(3);
        cuts.close();
        assertThat(publisher.events())
                .contains("complete 1", "complete 3")
                .doesNotContain("complete 2");
    }

    /** The first cut takes as long as that of a slow savepoint. */
    @Test
    void noCutBehindTheEndStandsForOneOfTraining() throws Exception {
        service.cuts.unwritten = cut -> cut == 1;
        CutRef first = cuts.barrier(new Barrier(1, 0, false));
        finish();
        complete(2);
        service.beginAttempt(2);
        assertThatThrownBy(first::manifest).hasMessageContaining("cut 1 has been given up");
    }

    /** The only one that could have stood for it is given up, not the waiting one itself. */
    @Test
    void aCutFailsAtOnceWhenNoOtherCanStandForItAnyMore() throws Exception {
        finish();
        barrier(1).manifest();
        loseServers();
        CompletableFuture<CutRef> second = written(2);
        assertThat(second).isNotDone();
        cuts.aborted(1);
        assertThat(second)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withMessageContaining("cut 2 has been given up");
    }

    /** The reason does not matter; the one between is not known to be complete. */
    @Test
    void behindTheEndACompleteCutStandsForOneThatCannotBeWritten() throws Exception {
        finish();
        complete(1);
        service.cuts.unwritten = cut -> cut > 1;
        CutRef second = cuts.barrier(new Barrier(2, 0, false));
        CompletableFuture<CutRef> third = written(3);
        service.beginAttempt(2);
        assertThat(third.get(10, TimeUnit.SECONDS).name().number()).isEqualTo(1);
        assertThat(second.name().number()).isEqualTo(1);
    }
}
