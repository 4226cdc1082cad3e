package io.github.flinkps.flink.training.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.service.DoneBarrier;
import io.github.flinkps.flink.service.ServiceAddress;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.testing.RetainingFilter;
import io.github.flinkps.flink.testing.SentExchange;
import io.github.flinkps.flink.testing.TestingOperatorContext;
import io.github.flinkps.flink.testing.TestingParameterService;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.TrainingException;
import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.WorkerReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WorkerTest {
    private static final long BY_A_CLOCK_THAT_IS_LATE = 1;
    private static final int KEYS = 50;

    @TempDir Path root;
    private TestingParameterService service;
    private final LogisticRegression model =
            LogisticRegression.builder().optimizer(UpdateSpec.sgd(0.1)).build();
    private final TestingOperatorContext<WorkerReport> context = new TestingOperatorContext<>(0, 1);
    private Worker<WorkerReport> worker;
    private ParameterClient plain;
    private ModelSession session;

    @BeforeEach
    void start() throws Exception {
        service = TestingParameterService.create("worker-test");
        plain = service.backend().connect(List.of(), Duration.ofSeconds(10));
        session =
                plain.open(spec(SessionSpec.NO_WORKER, ConsistencySpec.asp()))
                        .get(10, TimeUnit.SECONDS);
        for (TableSpec table : model.tables()) {
            session.createTable(table).get(10, TimeUnit.SECONDS);
        }
    }

    @AfterEach
    void stop() throws Exception {
        if (worker != null) {
            worker.close();
            worker.close();
        }
        session.close();
        plain.close();
        assertThat(service.openClients).hasValue(0);
        assertThat(service.openSessions).hasValue(0);
        service.close();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("flink-ps-find-service"));
    }

    private static SessionSpec spec(int index, ConsistencySpec consistency) {
        return new SessionSpec("m", "run", 1, index, 1, consistency, Duration.ofSeconds(10));
    }

    private void publish() throws Exception {
        new ServiceRegistry(root.toUri().toString(), "run")
                .publish(new ServiceAddress("run", 1, List.of("a:1"), BY_A_CLOCK_THAT_IS_LATE));
    }

    private TestingSettings settings() {
        return new TestingSettings(root);
    }

    private void open(TestingSettings settings) throws Exception {
        worker = new TrainingOperator(settings.build(), model, service.backend());
        worker.open(context);
    }

    private void openTraining(TestingSettings settings) throws Exception {
        publish();
        open(settings);
        context.runUntil(() -> worker.state() == WorkerState.TRAINING);
    }

    private void runToReport() throws Exception {
        context.runUntil(() -> worker.state() == WorkerState.REPORTED);
    }

    private void trainAll(RowBatch rows) throws Exception {
        worker.element(rows);
        worker.endOfElements();
        runToReport();
    }

    @Test
    void trainsEveryRowOnceAndReports() throws Exception {
        openTraining(settings());
        worker.element(TestingRows.batch(0, 25, KEYS));
        trainAll(TestingRows.batch(1, 8, KEYS));
        WorkerReport report = context.emitted.get(0);
        assertThat(report.rows()).isEqualTo(33);
        assertThat(report.batches()).isEqualTo(4);
        assertThat(report.weightSums()).containsExactly(33);
        assertThat(report.lossSums()[0]).isBetween(1.0, 33 * 0.8);
        assertThat(report.lastAcknowledgedMillis()).isGreaterThanOrEqualTo(report.firstRowMillis());
        // One pull alone; then push, clock and pull in one; the last push alone.
        assertThat(service.exchanges).hasValueBetween(5, 8);
        assertThat(service.pushes).hasValue(4);
        assertThat(report.bytesSent()).isEqualTo(100L * service.exchanges.get());
        assertThat(service.calls()).contains("deregister 0");
        assertThat(context.side).hasSize(1);
    }

    /** A place in the pipeline serves one mini-batch after the other, and keeps nothing of them. */
    @Test
    void eachMiniBatchIsTrainedFromWhatTheOneBeforeLeft() throws Exception {
        service.delayMillis = 3;
        TestingSettings settings = settings();
        settings.epochs = 3;
        openTraining(settings);
        RowBatchBuilder rows = new RowBatchBuilder();
        for (int row = 0; row < 40; row++) {
            rows.add(7).endRow(1);
        }
        trainAll(rows.build());
        double weight = 0;
        for (int step = 0; step < 12; step++) {
            weight += .1 / (1 + Math.exp(2 * weight)); // as much as the bias
        }
        assertThat(service.rows("weights").get(7L)[0]).isCloseTo((float) weight, within(1e-5f));
    }

    /** A place is taken again when its push is answered, by one mini-batch. */
    @Test
    void noMiniBatchTakesThePlaceOfAnotherThatIsUnderWay() throws Exception {
        service.delayMillis = 20;
        TestingSettings settings = settings();
        settings.prefetch = 3;
        settings.consistency = ConsistencySpec.asp();
        openTraining(settings);
        RowBatchBuilder rows = new RowBatchBuilder();
        for (int row = 0; row < 160; row++) {
            rows.add(row).endRow(1);
        }
        trainAll(rows.build());
        assertThat(service.rows("weights")).hasSize(160);
    }

    /** Under BSP the mean of a round divides by it, also where a filter retains all pushes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClockSaysTheWeightOfItsRows(boolean retains) throws Exception {
        TestingSettings settings = settings();
        settings.filter = retains ? new RetainingFilter(0) : null;
        openTraining(settings);
        RowBatchBuilder rows = new RowBatchBuilder();
        for (int row = 0; row < 25; row++) {
            rows.add(row).endRow(row % 2, .25f * (1 + row));
        }
        trainAll(rows.build());
        List<SentExchange> clocks =
                service.sent().stream().filter(SentExchange::clock).limit(3).toList();
        assertThat(clocks)
                .extracting(SentExchange::batchWeight)
                .containsExactly(.25 * 55, .25 * 155, .25 * 115);
        for (SentExchange each : clocks) {
            assertThat(each.pushes()).hasSize(retains ? 0 : 2);
            assertThat(each.pushes()).allMatch(push -> push.weight() == each.batchWeight());
        }
    }

    @Test
    void runsEpochsFromMailsAfterTheEndOfInput() throws Exception {
        TestingSettings settings = settings();
        settings.epochs = 20;
        openTraining(settings);
        worker.element(TestingRows.batch(0, 25, KEYS));
        worker.endOfElements();
        assertThat(worker.state()).isEqualTo(WorkerState.TRAINING);
        runToReport();
        WorkerReport report = context.emitted.get(0);
        assertThat(report.batches()).isEqualTo(60);
        double[] losses = report.lossSums();
        assertThat(losses).hasSize(20);
        assertThat(losses[19]).isLessThan(losses[0] / 1.3);
        assertThat(report.weightSums()).containsOnly(25);
        assertThat(context.side)
                .hasSize(20)
                .allSatisfy(each -> assertThat(((TrainingProgress) each).endOfEpoch()).isTrue());
        // Steady state: one operation per mini-batch, and one pull to begin with.
        assertThat(service.exchanges).hasValueLessThanOrEqualTo(60 + 4);
    }

    @Test
    void tellsRowsClockBytesAndAreaOnTheWayWithoutMoreOperations() throws Exception {
        TestingSettings settings = settings();
        settings.epochs = 3;
        settings.progressInterval = Duration.ofMillis(1);
        openTraining(settings);
        trainAll(TestingRows.batch(0, 1005, KEYS));
        List<TrainingProgress> all =
                context.side.stream().map(TrainingProgress.class::cast).toList();
        assertThat(all)
                .isSortedAccordingTo(
                        Comparator.comparingLong(TrainingProgress::rows)
                                .thenComparing(TrainingProgress::clock)
                                .thenComparing(TrainingProgress::bytesSent)
                                .thenComparing(TrainingProgress::millis));
        assertThat(all.stream().filter(TrainingProgress::endOfEpoch))
                .extracting(TrainingProgress::rows, TrainingProgress::batches)
                .containsExactly(tuple(1005L, 101L), tuple(2010L, 101L), tuple(3015L, 101L));
        TrainingProgress last = all.get(all.size() - 1);
        WorkerReport report = context.emitted.get(0);
        assertThat(last.clock()).isEqualTo(303);
        assertThat(last.lead()).isZero();
        assertThat(last.bytesSent()).isEqualTo(report.bytesSent());
        assertThat(last.bytesReceived()).isEqualTo(report.bytesReceived());
        assertThat(all).allMatch(each -> each.aucRows() <= 1005);
        assertThat(all.stream().filter(TrainingProgress::endOfEpoch).findFirst())
                .hasValueSatisfying(first -> assertThat(first.aucRows()).isGreaterThan(9));
        assertThat(service.exchanges).hasValueLessThanOrEqualTo(303 + 4);
    }

    @Test
    void buffersRowsUntilTheServersAreThereAndThenHoldsBack() throws Exception {
        TestingSettings settings = settings();
        settings.bufferRows = 100;
        open(settings);
        for (int i = 0; i < 4; i++) {
            worker.element(TestingRows.batch(i, 25, KEYS));
        }
        assertThat(context.yields).isZero();
        assertThat(worker.state()).isEqualTo(WorkerState.SERVICE_WAIT);
        publish();
        worker.element(TestingRows.batch(4, 25, KEYS));
        assertThat(context.yields).isPositive();
        assertThat(worker.schedule.waitingRows()).isLessThanOrEqualTo(100);
        worker.endOfElements();
        runToReport();
        assertThat(context.emitted.get(0).rows()).isEqualTo(125);
    }

    /** Else nobody would ever fill a mini-batch that is larger than the buffer. */
    @Test
    void rowsThatDoNotFillAMiniBatchHoldNothingBack() throws Exception {
        TestingSettings settings = settings();
        settings.batchSize = 90;
        settings.bufferRows = 20;
        openTraining(settings);
        for (int i = 0; i < 11; i++) {
            worker.element(TestingRows.batch(i, 8, KEYS));
        }
        assertThat(worker.schedule.openRows()).isEqualTo(88);
        trainAll(TestingRows.batch(11, 8, KEYS));
        assertThat(context.emitted.get(0).rows()).isEqualTo(96);
    }

    @Test
    void givesUpOnServersThatDoNotComeNamingTheRegistry() throws Exception {
        TestingSettings settings = settings();
        settings.timeout = Duration.ofMillis(100);
        open(settings);
        assertThatThrownBy(() -> context.runUntil(() -> false))
                .isInstanceOf(TrainingException.class)
                .hasMessageContaining("model-root")
                .hasMessageContaining("timeout 100 ms");
        assertThat(worker.state()).isEqualTo(WorkerState.FAILED);
    }

    @Test
    void prefetchesWithinTheStaleness() throws Exception {
        TestingSettings settings = settings();
        settings.epochs = 5;
        settings.prefetch = 3;
        settings.consistency = ConsistencySpec.ssp(2);
        openTraining(settings);
        trainAll(TestingRows.batch(0, 60, KEYS));
        assertThat(service.largestAhead).hasValue(2);
        assertThat(context.emitted.get(0).batches()).isEqualTo(30);
    }

    @Test
    void prefetchesMoreMiniBatchesThanAPassHas() throws Exception {
        TestingSettings settings = settings();
        settings.epochs = 6;
        settings.prefetch = 4;
        settings.consistency = ConsistencySpec.asp();
        openTraining(settings);
        trainAll(TestingRows.batch(0, 10, KEYS));
        assertThat(service.largestAhead).hasValue(4);
        assertThat(context.emitted.get(0).batches()).isEqualTo(6);
    }

    @Test
    void aWorkerWithoutRowsReports() throws Exception {
        TestingSettings settings = settings();
        settings.epochs = 3;
        openTraining(settings);
        worker.endOfElements();
        runToReport();
        assertThat(context.emitted.get(0).batches()).isZero();
        assertThat(service.exchanges).hasValue(0);
    }

    @Test
    void endOfInputBeforeTheServersAreThere() throws Exception {
        open(settings());
        worker.element(TestingRows.batch(0, 5, KEYS));
        worker.endOfElements();
        publish();
        runToReport();
        assertThat(context.emitted.get(0).batches()).isEqualTo(1);
    }

    @Test
    void meetsTheServiceAtTheEnd() throws Exception {
        openTraining(settings());
        worker.endOfElements();
        runToReport();
        assertThatThrownBy(() -> worker.state().moveTo(WorkerState.TRAINING))
                .isInstanceOf(IllegalStateException.class);
        // The first wait of the worker ends before the service comes; it enters again.
        context.runUntil(() -> count("barrier 0") == 2);
        CompletableFuture<List<double[]>> met = DoneBarrier.enter(session, 1, "run", 1);
        context.runUntil(() -> worker.state() == WorkerState.DONE);
        met.get(10, TimeUnit.SECONDS);
        CompletableFuture<Void> saved = DoneBarrier.saved(session, 1, "run", 1);
        worker.finish();
        saved.get(10, TimeUnit.SECONDS);
    }

    /** A job may be drained at any time, and the service would go with its last worker. */
    @ParameterizedTest
    @EnumSource(names = {"REPORTED", "DONE"})
    void doesNotEndBeforeTheModelIsSaved(WorkerState state) throws Exception {
        openTraining(settings());
        worker.endOfElements();
        runToReport();
        CompletableFuture<List<double[]>> met =
                CompletableFuture.supplyAsync(
                                () -> DoneBarrier.enter(session, 1, "run", 1),
                                CompletableFuture.delayedExecutor(
                                        state == WorkerState.DONE ? 0 : 300, TimeUnit.MILLISECONDS))
                        .thenCompose(entered -> entered);
        context.runUntil(() -> worker.state() == state);
        AtomicBoolean saved = new AtomicBoolean();
        CompletableFuture<Void> told =
                met.thenCompose(
                        all -> {
                            saved.set(true);
                            return arriving(() -> DoneBarrier.saved(session, 1, "run", 1));
                        });
        worker.finish();
        assertThat(saved).isTrue();
        told.get(10, TimeUnit.SECONDS);
    }

    /**
     * A worker that has heard of the others needs no server any more: the service has what it
     * saves.
     */
    @Test
    void endsWithoutTheServersThatHaveGoneBehindTheEnd() throws Exception {
        openTraining(settings());
        worker.endOfElements();
        runToReport();
        CompletableFuture<List<double[]>> met =
                arriving(() -> DoneBarrier.enter(session, 1, "run", 1));
        context.runUntil(() -> worker.state() == WorkerState.DONE);
        met.get(10, TimeUnit.SECONDS);
        service.gone = true;
        worker.finish();
        assertThat(worker.state()).isEqualTo(WorkerState.DONE);
    }

    private long count(String call) {
        return service.calls().stream().filter(call::equals).count();
    }

    /** Arrives again as often as nobody comes in time. */
    private static <T> CompletableFuture<T> arriving(Supplier<CompletableFuture<T>> barrier) {
        return barrier.get().exceptionallyCompose(late -> arriving(barrier));
    }

    @Test
    void drainedItTrainsTheRowsItHasAndSkipsFurtherPasses() throws Exception {
        TestingSettings settings = settings();
        settings.epochs = 1000;
        openTraining(settings);
        worker.element(TestingRows.batch(0, 15, KEYS));
        CompletableFuture<Void> saved =
                arriving(() -> DoneBarrier.enter(session, 1, "run", 1))
                        .thenCompose(
                                met -> arriving(() -> DoneBarrier.saved(session, 1, "run", 1)));
        worker.endOfElements();
        worker.finish();
        assertThat(worker.state()).isEqualTo(WorkerState.DONE);
        saved.get(10, TimeUnit.SECONDS);
        WorkerReport report = context.emitted.get(0);
        assertThat(report.rows()).isEqualTo(15);
        assertThat(report.epochs()).isBetween(1, 999);
        assertThat(report.weightSums()[0]).isEqualTo(15);
    }

    @Test
    void aGradientThatIsNotFiniteNamesTheBatchAndTheRemedy() throws Exception {
        openTraining(settings());
        float[] values = new float[10];
        java.util.Arrays.fill(values, Float.POSITIVE_INFINITY);
        int[] starts = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        RowBatch bad = RowBatch.of(new float[10], null, starts, new long[10], values);
        worker.element(TestingRows.batch(0, 10, KEYS));
        worker.element(bad);
        assertThatThrownBy(() -> context.runUntil(() -> false))
                .hasMessageContaining("mini-batch 2 of worker 0")
                .hasMessageContaining("learning-rate");
    }

    @Test
    void aLostServerFailsTheWorkerWithItsReason() throws Exception {
        service.broken = number -> number == 3;
        openTraining(settings());
        worker.element(TestingRows.batch(0, 100, KEYS));
        assertThatThrownBy(() -> context.runUntil(() -> false))
                .hasMessageContaining("server 0 is gone");
        worker.close();
    }

    @Test
    void anOperationNobodyAnswersFailsAfterTheTimeout() throws Exception {
        service.silent = number -> number == 2;
        openTraining(settings());
        worker.element(TestingRows.batch(0, 100, KEYS));
        context.runUntil(() -> service.exchanges.get() == 2);
        context.advance(14_000);
        assertThat(worker.state()).isEqualTo(WorkerState.TRAINING);
        assertThatThrownBy(() -> context.advance(2_000)).hasMessageContaining("not answered");
    }

    @Test
    void closesWhileWaitingForThePull() throws Exception {
        service.silent = number -> true;
        openTraining(settings());
        worker.element(TestingRows.batch(0, 100, KEYS));
        worker.close();
        context.runAll();
        assertThat(worker.state()).isEqualTo(WorkerState.CLOSED);
    }

    @Test
    void lingeringRowsTrain() throws Exception {
        TestingSettings settings = settings();
        settings.linger = Duration.ofMillis(100);
        openTraining(settings);
        worker.element(TestingRows.batch(0, 3, KEYS));
        context.advance(90);
        assertThat(worker.schedule.openRows()).isEqualTo(3);
        context.advance(100);
        assertThat(worker.schedule.openRows()).isZero();
        context.runUntil(() -> service.pushes.get() == 1);
    }

    /** They wait for others from when they came, not from when those of the last one did. */
    @Test
    void rowsThatBeginAMiniBatchLingerAnew() throws Exception {
        TestingSettings settings = settings();
        settings.linger = Duration.ofMillis(100);
        openTraining(settings);
        worker.element(TestingRows.batch(0, 8, KEYS));
        context.advance(90);
        worker.element(TestingRows.batch(1, 8, KEYS));
        context.advance(50);
        assertThat(worker.schedule.openRows()).isEqualTo(6);
    }

    @Test
    void leavesTheOthersMinimumWhileItHasNoRows() throws Exception {
        TestingSettings settings = settings();
        settings.consistency = ConsistencySpec.ssp(1);
        settings.idleTimeout = Duration.ofMillis(400);
        openTraining(settings);
        worker.element(TestingRows.batch(0, 10, KEYS));
        context.runUntil(() -> service.pushes.get() == 1);
        context.runUntil(() -> worker.pipeline.inFlight() == 0);
        context.advance(1_000);
        assertThat(worker.state()).isEqualTo(WorkerState.IDLE);
        worker.element(TestingRows.batch(1, 5, KEYS));
        assertThat(worker.state()).isEqualTo(WorkerState.IDLE);
        worker.element(TestingRows.batch(1, 5, KEYS));
        assertThat(worker.state()).isEqualTo(WorkerState.REJOINING);
        context.runUntil(() -> service.pushes.get() == 2);
        context.runUntil(() -> worker.pipeline.inFlight() == 0);
        context.advance(1_000);
        assertThat(worker.state()).isEqualTo(WorkerState.IDLE);
        worker.endOfElements();
        runToReport();
        assertThat(service.calls()).containsSubsequence("idle 0", "rejoin 0", "idle 0");
        assertThat(context.emitted.get(0).batches()).isEqualTo(2);
    }

    /** Others are to see it, however long no row comes; and it is so at the end. */
    @Test
    void holdsNothingWhileItRests() throws Exception {
        TestingSettings settings = settings();
        settings.consistency = ConsistencySpec.asp();
        settings.idleTimeout = Duration.ofMillis(400);
        settings.filter = new RetainingFilter(0);
        openTraining(settings);
        worker.element(TestingRows.batch(0, 10, KEYS));
        context.runUntil(() -> !worker.hasRows() && worker.pipeline.inFlight() == 0);
        assertThat(service.pushes).hasValue(0);
        context.advance(1_000);
        assertThat(worker.state()).isEqualTo(WorkerState.IDLE);
        context.runUntil(() -> worker.pipeline.inFlight() == 0);
        assertThat(service.pushes).hasValue(1);
        worker.element(TestingRows.batch(1, 10, KEYS));
        context.runUntil(() -> worker.state() == WorkerState.TRAINING && !worker.hasRows());
        worker.endOfElements();
        runToReport();
        assertThat(service.pushes).hasValue(2);
        assertThat(context.emitted.get(0).batches()).isEqualTo(2);
    }

    @Test
    void aHeldUpdateThatIsNotFiniteFailsTheJob() throws Exception {
        TestingSettings settings = settings();
        settings.filter =
                rows -> {
                    rows.updates()[0] = Float.POSITIVE_INFINITY;
                    rows.retain(0);
                };
        openTraining(settings);
        worker.element(TestingRows.batch(0, 10, KEYS));
        assertThatThrownBy(() -> context.runUntil(() -> !worker.hasRows()))
                .isInstanceOf(TrainingException.class)
                .hasMessageContaining("a gradient is NaN or infinite in pass 1, mini-batch 1");
    }

    @Test
    void rowsOfAUsersRecordsAreGatheredAtTheDoor() throws Exception {
        publish();
        TrainingOperator inner = new TrainingOperator(settings().build(), model, service.backend());
        worker = inner;
        ExtractingLogic<Integer, WorkerReport> logic =
                new ExtractingLogic<>(
                        inner,
                        (number, out) -> {
                            out.add(number);
                            if (number == 13) {
                                throw new IllegalArgumentException("unlucky");
                            }
                            out.endRow(number % 2);
                        },
                        OnBadRow.SKIP);
        logic.open(context);
        for (int i = 0; i < 35; i++) {
            logic.element(i);
        }
        logic.endOfElements();
        runToReport();
        WorkerReport report = context.emitted.get(0);
        assertThat(report.rows()).isEqualTo(34);
        assertThat(report.skippedRows()).isEqualTo(1);
        assertThat(report.batches()).isEqualTo(4);
        assertThat(service.rows("weights")).hasSize(34).doesNotContainKey(13L);
    }
}
