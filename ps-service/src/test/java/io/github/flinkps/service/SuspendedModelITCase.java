package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.TIMEOUT;
import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ModelState;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.Polling;
import io.github.flinkps.testing.TestingAggregate;
import io.github.flinkps.testing.TestingCuts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests who may read a model whose rows are not those that its attempt goes on from. */
class SuspendedModelITCase {
    private static final TableSpec COUNTS =
            TableSpec.dense("counts", 8, 1, UpdateSpec.of("add")).withPartitions(8);
    private static final ServerConfig CONFIG = ServerConfig.defaults().withOwners(2);
    private static final int OWNERS = 4;

    @TempDir private Path folder;
    private final GatedStorage storage = new GatedStorage();
    private TestingCluster cluster;

    @BeforeEach
    void start() {
        cluster = new TestingCluster(2, CONFIG, storage);
    }

    @AfterEach
    void close() {
        storage.gate.countDown();
        cluster.close();
    }

    private ModelSession plain(long fence, Duration timeout) {
        ModelSession session =
                get(
                        cluster.client()
                                .open(
                                        new SessionSpec(
                                                "m",
                                                "run",
                                                fence,
                                                SessionSpec.NO_WORKER,
                                                1,
                                                ConsistencySpec.asp(),
                                                timeout)));
        get(session.createTable(COUNTS));
        return session;
    }

    private ModelSession worker(long fence) {
        ModelSession worker = cluster.worker("m", fence, 0, 1, ConsistencySpec.asp());
        get(worker.createTable(COUNTS));
        return worker;
    }

    private static CompletableFuture<float[]> pull(ModelSession session) {
        float[] values = new float[8];
        return session.exchange()
                .pullRange("counts", 0, 8, values)
                .send()
                .thenApply(done -> values);
    }

    private static void push(ModelSession worker, int times) {
        float[] ones = {1, 1, 1, 1, 1, 1, 1, 1};
        for (int i = 0; i < times; i++) {
            get(worker.exchange().pushRange("counts", 0, 8, ones, 1).clock().send());
        }
    }

    private static void isNotReady(CompletableFuture<?> answer) {
        assertThatThrownBy(() -> get(answer))
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_READY))
                .hasMessageContaining("model 'm' is being loaded or rolled back");
    }

    @Test
    void onlyTheAttemptReadsAndWritesWhatItHolds() {
        ModelSession attempt = plain(3, TIMEOUT);
        get(attempt.suspend());
        RowChunk rows =
                new RowChunk(0, new long[] {0}, new float[] {5}, new float[0][], 0, RowChunk.END);
        get(attempt.load("counts", rows));
        assertThat(get(pull(attempt))).contains(5);
        ModelSession reader = plain(0, Duration.ofMillis(300));
        assertThat(get(reader.state())).isEqualTo(new ModelState(false, false));
        isNotReady(pull(reader));
        isNotReady(reader.scan("counts", 0, 0, false));
        isNotReady(reader.aggregate("counts", "sum", List.of()));
        isNotReady(reader.load("counts", rows));
        get(attempt.serve());
        assertThat(get(reader.state())).isEqualTo(new ModelState(true, false));
        assertThat(get(pull(reader))).contains(5);
        assertThat(get(reader.aggregate("counts", "sum", List.of())).values()).containsExactly(5);
    }

    private static CompletableFuture<Void> push(ModelSession plain) {
        return plain.exchange().pushRange("counts", 0, 8, new float[8], 1).send();
    }

    /** The servers have not taken the push: what came behind it would wait for ever. */
    @Test
    void aPushThatWasNotTakenInTimeEndsItsSession() {
        ModelSession attempt = plain(3, TIMEOUT);
        get(attempt.suspend());
        ModelSession plain = plain(0, Duration.ofMillis(300));
        ModelSession waits = plain(0, TIMEOUT);
        CompletableFuture<Void> waiting = push(waits);
        isNotReady(push(plain));
        get(attempt.serve());
        assertThatThrownBy(() -> get(push(plain)))
                .isInstanceOf(PsException.class)
                .hasMessageContaining("operation 1 of this session has failed")
                .hasMessageContaining("open a new session");
        assertThat(get(pull(plain))).as("it may read").containsOnly(0);
        get(waiting);
        get(push(waits));
        get(push(plain(0, TIMEOUT)));
    }

    @Test
    void onlyAnAttemptHolds() {
        ModelSession reader = plain(0, TIMEOUT);
        assertThatThrownBy(() -> get(reader.suspend())).hasMessageContaining("only an attempt");
        assertThatThrownBy(() -> get(reader.serve())).hasMessageContaining("only an attempt");
        assertThat(get(reader.state())).isEqualTo(new ModelState(true, false));
    }

    /** Rows that came in a burst are published, though none come when that is due. */
    @Test
    void aWorkerThatRestsHasTrained() {
        ModelSession worker = worker(3);
        get(worker.idle());
        assertThat(get(worker.state()).trained()).isFalse();
        get(worker.rejoin());
        push(worker, 1);
        get(worker.idle());
        assertThat(get(worker.state()).trained()).isTrue();
    }

    @Test
    void aWorkerThatOnlyEndsHasNotTrained() {
        ModelSession worker = worker(3);
        get(worker.deregister());
        assertThat(get(worker.state()).trained()).isFalse();
    }

    /** A new job that drops the model of one that failed has it to itself. */
    @Test
    void aDroppedModelIsHeldNoMore() {
        get(plain(3, TIMEOUT).suspend());
        get(cluster.client().dropModel("m", 3, TIMEOUT));
        assertThat(get(pull(plain(0, TIMEOUT)))).containsOnly(0);
    }

    @Test
    void anAggregateThatIsUnderWayDoesNotGoOnOverAModelThatIsHeld() throws Exception {
        cluster.close();
        TestingAggregate.with(
                folder,
                () -> {
                    cluster = new TestingCluster(2, CONFIG, storage);
                    holdWhileAnAggregateIsUnderWay();
                });
    }

    private void holdWhileAnAggregateIsUnderWay() throws Exception {
        ModelSession attempt = plain(3, TIMEOUT);
        ModelSession reader = plain(0, Duration.ofSeconds(2));
        boolean refused = false;
        for (int attempts = 0; attempts < 10 && !refused; attempts++) {
            TestingAggregate.PERMITS.drainPermits();
            int begun = TestingAggregate.BEGUN.get();
            CompletableFuture<?> aggregate =
                    reader.aggregate("counts", TestingAggregate.NAME, List.of());
            Polling.await(
                    "all owners have begun", () -> TestingAggregate.BEGUN.get() == begun + OWNERS);
            CompletableFuture<Void> suspended = attempt.suspend();
            TimeUnit.MILLISECONDS.sleep(50L * (1 + attempts)); // it is in the queues then
            TestingAggregate.PERMITS.release(COUNTS.partitions());
            refused = aggregate.handle((result, error) -> error != null).join();
            if (refused) {
                isNotReady(aggregate);
            }
            get(suspended);
            get(attempt.serve());
        }
        assertThat(refused).isTrue();
    }

    /** Rows have other numbers then: some would be left out, and others be read twice. */
    @Test
    void aScanDoesNotGoOnBehindARollBack() throws Exception {
        TableSpec wide = TableSpec.sparse("wide", 1 << 12, UpdateSpec.of("add")).withPartitions(1);
        String directory = LocalModelStorage.path(folder.resolve("model"));
        try (TestingCuts cuts = new TestingCuts(storage, directory, ConsistencySpec.asp(), 1)) {
            ModelSession first = worker(1);
            get(first.createTable(wide));
            get(first.beginCuts(directory, null, TIMEOUT));
            long[] keys = LongStream.range(0, 40).toArray();
            float[] ones = new float[keys.length * wide.width()];
            get(
                    first.exchange()
                            .push(first.keys("wide", keys, 0, keys.length), ones, 1)
                            .clock()
                            .send());
            get(first.marker(1, 0));
            ManifestRef cut = cuts.write(1, 1, get(first.awaitCut(1, TIMEOUT)));
            ModelSession reader = plain(0, TIMEOUT);
            get(reader.describe("wide"));
            RowChunk rows = get(reader.scan("wide", 0, 0, false));
            assertThat(rows.keys()).hasSize(32);

            ModelSession next = worker(2);
            get(next.beginCuts(directory, cut, TIMEOUT));
            assertThatThrownBy(() -> get(reader.scan("wide", 0, rows.nextCursor(), false)))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.ROLLED_BACK))
                    .hasMessageContaining("table 'wide' has been rolled back");
            RowChunk anew = get(reader.scan("wide", 0, 0, false));
            RowChunk last = get(reader.scan("wide", 0, anew.nextCursor(), false));
            assertThat(last.keys()).hasSize(8);
            assertThat(last.nextCursor()).isEqualTo(RowChunk.END);
        }
    }

    /**
     * @param suspended by the attempt, before it is rolled back; else by the roll-back
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void readersWaitUntilTheModelIsRolledBack(boolean suspended) throws Exception {
        if (!suspended) { // each server by itself, and they do not begin at one moment
            cluster.close();
            cluster = new TestingCluster(1, CONFIG, storage);
        }
        String directory = LocalModelStorage.path(folder.resolve("model"));
        try (TestingCuts cuts = new TestingCuts(storage, directory, ConsistencySpec.asp(), 1)) {
            ModelSession first = worker(1);
            get(first.beginCuts(directory, null, TIMEOUT));
            push(first, 3);
            get(first.marker(1, 0));
            ManifestRef three = cuts.write(1, 1, get(first.awaitCut(1, TIMEOUT)));
            push(first, 4);
            ModelSession reader = plain(0, TIMEOUT);
            assertThat(get(pull(reader))).containsOnly(7);
            assertThat(get(reader.state()).trained()).isTrue();

            ModelSession next = worker(2);
            assertThat(get(reader.state()).trained()).as("by the new attempt").isFalse();
            if (suspended) {
                get(next.suspend());
            }
            storage.gated = ".arrow"; // what is read once all rows are gone
            CompletableFuture<Long> begun = next.beginCuts(directory, three, TIMEOUT);
            assertThat(storage.reading.await(20, TimeUnit.SECONDS)).isTrue();
            storage.gated = null;
            CompletableFuture<float[]> waiting = pull(reader);
            assertThat(get(reader.state())).isEqualTo(new ModelState(false, false));
            isNotReady(pull(plain(0, Duration.ofMillis(300))));
            storage.gate.countDown();
            assertThat(get(begun)).isEqualTo(3);
            assertThat(get(pull(reader))).containsOnly(3);
            assertThat(get(waiting)).containsOnly(3);
            assertThat(get(reader.state())).isEqualTo(new ModelState(true, false));
            push(next, 1);
            assertThat(get(reader.state()).trained()).isTrue();
        }
    }
}
