package io.github.flinkps.flink.training.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.PushFilter;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.testing.CountingModel;
import io.github.flinkps.flink.testing.RetainingFilter;
import io.github.flinkps.flink.testing.TestingCuts;
import io.github.flinkps.flink.testing.TestingFailures;
import io.github.flinkps.flink.testing.TestingOperatorContext;
import io.github.flinkps.flink.testing.TestingParameterService;
import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.flink.training.cut.CutRefSerializer;
import io.github.flinkps.testing.Polling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker at barriers; the test's thread is the task's. */
@Timeout(60)
class WorkerCheckpointTest {
    private static final int ROWS = 10;

    @TempDir Path root;
    private final CountingModel model = new CountingModel(TestingFailures.some("calm", 1, 0));
    private final TestingOperatorContext<WorkerReport> context = new TestingOperatorContext<>(0, 1);
    private OperatorStateBackend states;
    private PushFilter filter;
    private TestingParameterService service;
    private ParameterClient plain;
    private ModelSession session;
    private TrainingOperator worker;

    @BeforeEach
    void start() throws Exception {
        service = TestingParameterService.create("checkpoints");
        service.beginAttempt(1);
        plain = service.backend().connect(List.of(), Duration.ofSeconds(10));
        session = plain.open(spec(SessionSpec.NO_WORKER, 1)).get(10, TimeUnit.SECONDS);
        for (TableSpec table : model.tables()) {
            session.createTable(table).get(10, TimeUnit.SECONDS);
        }
        states =
                new DefaultOperatorStateBackendBuilder(
                                getClass().getClassLoader(),
                                new ExecutionConfig(),
                                false,
                                List.of(),
                                new CloseableRegistry())
                        .build();
    }

    @AfterEach
    void stop() throws Exception {
        if (worker != null) {
            worker.close();
        }
        session.close();
        plain.close();
        assertThat(service.openClients).hasValue(0);
        assertThat(service.openSessions).hasValue(0);
        states.close();
        service.close();
    }

    private static SessionSpec spec(int index, int workers) {
        return new SessionSpec(
                "m", "run", 1, index, workers, ConsistencySpec.bsp(), Duration.ofSeconds(10));
    }

    private void publish(long fence) throws Exception {
        new ServiceRegistry(root.toUri().toString(), "run")
                .publish(new ServiceAddress("run", fence, List.of("a:1"), Long.MAX_VALUE));
    }

    private void open(int epochs, int bufferRows, boolean restored) throws Exception {
        TestingSettings settings = new TestingSettings(root);
        settings.batchSize = ROWS;
        settings.epochs = epochs;
        settings.filter = filter;
        settings.bufferRows = bufferRows;
        settings.cuts = TestingSettings.cuts(true);
        worker = new TrainingOperator(settings.build(), model, service.backend());
        worker.initializeState(states, restored);
        worker.open(context);
    }

    /** Writes the cut as the thread does that writes the checkpoint; waits until it is durable. */
    private void writeCut() throws Exception {
        states.getBroadcastState(CutRefSerializer.descriptor()).get("cut").manifest();
    }

    private long total() {
        float[] row = service.rows("total").get(0L);
        return row == null ? 0 : (long) row[0];
    }

    @Test
    void itOwesMarkersUntilItIsRegisteredAndThenSendsThemFirstOfAll() throws Exception {
        open(1, 1000, false);
        worker.element(CountingModel.batch(0, 25));
        worker.snapshotState(new Barrier(1, 0, false));
        worker.snapshotState(new Barrier(2, 0, false));
        worker.checkpointAborted(1);
        worker.checkpointAborted(3);
        publish(1);
        worker.endOfElements();
        context.runUntil(() -> worker.state() == WorkerState.REPORTED);
        assertThat(service.calls())
                .containsSubsequence(
                        "begin 0 ''",
                        "marker 2 of 0",
                        "abort 1 of 0",
                        "abort 3 of 0",
                        "deregister 0")
                .doesNotContain("marker 1 of 0");
        assertThat(total()).isEqualTo(25);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void whatIsNotTrainedAtTheBarrierIsTrainedAfterARestore(int passes) throws Exception {
        publish(1);
        open(passes, 1000, false);
        context.runUntil(() -> worker.state() == WorkerState.TRAINING);
        worker.element(CountingModel.batch(0, 34));
        context.runUntil(() -> total() >= ROWS);
        worker.snapshotState(new Barrier(7, 0, false));
        assertThat(service.calls()).contains("marker 7 of 0");
        worker.element(CountingModel.batch(1, 34));
        writeCut();
        worker.close();
        context.counters.clear(); // Flink's are those of an attempt

        service.beginAttempt(2);
        publish(2);
        open(passes, 1000, true);
        worker.element(CountingModel.batch(2, 17));
        worker.endOfElements();
        context.runUntil(() -> worker.state() == WorkerState.REPORTED);
        assertThat(service.calls()).contains("begin 0 'testing/1/7'");
        WorkerReport report = context.emitted.get(0);
        assertThat(report.rows()).isEqualTo(51);
        assertThat(report.weightSums()).hasSize(passes).containsOnly(51);
        assertThat(report.batches()).isEqualTo(passes * 6L);
        assertThat(total()).isEqualTo(passes * 51L);
        assertThat(context.counters.get("trainedRows").getCount()).isEqualTo(passes * 51L);
    }

    @Test
    void aPassWhoseEndWasToldIsNotToldAgainAfterARestore() throws Exception {
        publish(1);
        open(3, 1000, false);
        worker.element(CountingModel.batch(0, 2 * ROWS));
        worker.endOfElements();
        context.runUntil(() -> total() >= 3 * ROWS); // in the second pass
        worker.snapshotState(new Barrier(7, 0, false));
        writeCut();
        worker.close();
        assertThat(endsOfPasses()).startsWith(0);

        service.beginAttempt(2);
        publish(2);
        open(3, 1000, true);
        worker.endOfElements();
        context.runUntil(() -> worker.state() == WorkerState.REPORTED);
        assertThat(endsOfPasses()).containsExactly(0, 1, 2);
    }

    private List<Integer> endsOfPasses() {
        return context.side.stream()
                .map(TrainingProgress.class::cast)
                .filter(TrainingProgress::endOfEpoch)
                .map(TrainingProgress::epoch)
                .toList();
    }

    @Test
    void theFirstCutAfterARestoreTellsWhatIsTrainedSince() throws Exception {
        publish(1);
        open(1, 1000, false);
        worker.element(CountingModel.batch(0, 3 * ROWS));
        context.runUntil(() -> total() == 3 * ROWS);
        worker.snapshotState(new Barrier(7, 0, false));
        writeCut();
        worker.close();
        assertThat(TestingCuts.progress(1, 7).weightSum()).isEqualTo(3 * ROWS);

        service.beginAttempt(2);
        publish(2);
        open(1, 1000, true);
        worker.element(CountingModel.batch(1, 2 * ROWS));
        context.runUntil(() -> total() == 5 * ROWS);
        worker.snapshotState(new Barrier(8, 0, false));
        writeCut();
        assertThat(TestingCuts.progress(2, 8).weightSum()).isEqualTo(2 * ROWS);
        worker.endOfElements();
        context.runUntil(() -> worker.state() == WorkerState.REPORTED);
    }

    /** The retained updates are pushed in the end, also where the filter is not set any more. */
    @Test
    void whatIsHeldAtTheBarrierIsHeldAfterARestore() throws Exception {
        filter = new RetainingFilter(0);
        publish(1);
        open(1, 1000, false);
        worker.element(CountingModel.batch(0, 3 * ROWS));
        context.runUntil(() -> worker.state() == WorkerState.TRAINING && !worker.hasRows());
        worker.snapshotState(new Barrier(7, 0, false));
        worker.element(CountingModel.batch(1, 3 * ROWS));
        writeCut();
        worker.close();
        assertThat(service.rows("own")).isEmpty();

        filter = null;
        service.beginAttempt(2);
        publish(2);
        open(1, 1000, true);
        worker.element(CountingModel.batch(2, 2 * ROWS));
        context.runUntil(() -> worker.state() == WorkerState.TRAINING && !worker.hasRows());
        context.runUntil(() -> total() == 5 * ROWS); // with the next update of its key
        worker.endOfElements();
        context.runUntil(() -> worker.state() == WorkerState.REPORTED);
        assertThat(service.rows("own")).hasSize(5 * ROWS);
        assertThat(total()).isEqualTo(5 * ROWS);
    }

    @Test
    void aCutThatIsAbortedWhenItIsDurableGoesWithTheNextThatIsComplete() throws Exception {
        publish(1);
        open(1, 1000, false);
        context.runUntil(() -> worker.state() == WorkerState.TRAINING);
        for (long cut = 7; cut <= 8; cut++) {
            worker.snapshotState(new Barrier(cut, 0, false));
            session.awaitCut(cut, Duration.ofSeconds(10)).get(10, TimeUnit.SECONDS);
            session.describe("own").get(10, TimeUnit.SECONDS); // after what else the answer causes
        }
        worker.checkpointAborted(7);
        assertThat(TestingCuts.isKept(1, 7)).isTrue();
        worker.checkpointCompleted(8);
        Polling.await("7 is not removed", () -> !TestingCuts.isKept(1, 7));
        assertThat(TestingCuts.isKept(1, 8)).isTrue();
        worker.endOfElements();
        context.runUntil(() -> worker.state() == WorkerState.REPORTED);
    }

    /**
     * The worker waits, as servers may defer its last pushes, and the model is saved when all have
     * met.
     */
    @Test
    void itMeetsOthersWhenNothingWaitsBehindItsMarkers() throws Exception {
        service.cuts.unwritten = cut -> true;
        publish(1);
        open(1, 1000, false);
        worker.element(CountingModel.batch(0, 25));
        worker.snapshotState(new Barrier(1, 0, false));
        worker.endOfElements();
        context.runUntil(() -> worker.state() == WorkerState.REPORTED);
        session.describe("own").get(10, TimeUnit.SECONDS);
        assertThat(service.calls()).contains("marker 1 of 0").doesNotContain("barrier 0");
        worker.checkpointAborted(1);
        context.runUntil(() -> service.calls().contains("barrier 0"));
    }

    /** The other worker has sent its marker and is deferred; this one's barrier is behind rows. */
    @Test
    void itTakesRowsBeyondItsLimitWhileACutIsPending() throws Exception {
        publish(1);
        open(1, 2 * ROWS, false);
        ParameterClient other = service.backend().connect(List.of(), Duration.ofSeconds(10));
        ModelSession deferred = other.open(spec(1, 2)).get(10, TimeUnit.SECONDS);
        context.runUntil(() -> worker.state() == WorkerState.TRAINING);
        deferred.marker(1, 0).get(10, TimeUnit.SECONDS);
        deferred.exchange().clock().send().get(10, TimeUnit.SECONDS);
        for (int i = 0; i < 10; i++) {
            worker.element(CountingModel.batch(i, ROWS));
        }
        assertThat(worker.schedule.waitingRows()).isGreaterThan(6 * ROWS);
        worker.snapshotState(new Barrier(1, 0, false));
        deferred.deregister().get(10, TimeUnit.SECONDS);
        worker.endOfElements();
        context.runUntil(() -> worker.state() == WorkerState.REPORTED);
        assertThat(total()).isEqualTo(10 * ROWS);
        deferred.close();
        other.close();
    }
}
