package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.CutOrigin;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.model.cut.ManifestRef;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.TestingCuts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server of two owners whose storage is slow, or fails, while one worker trains. */
class CutTroubleTest {
    private static final Duration SHORT = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofHours(1);
    private static final long SLOW = 5 * SimulatedCluster.SECOND;
    private static final int WIDTH = 64;

    /** A number far above what is copied of a partition before the storage holds copying up. */
    private static final int ROWS = 1 << 17;

    private static final TableSpec TABLE =
            TableSpec.dense("t", ROWS, WIDTH, UpdateSpec.of("add")).withPartitions(4);

    private final MemoryStorage storage = new MemoryStorage();
    private final SimulatedCluster cluster =
            new SimulatedCluster(
                    1,
                    new int[] {2},
                    ServerConfig.defaults()
                            .withCuts(
                                    new ServerConfig.CutLimits(
                                            Duration.ofMinutes(10), 1 << 20, 1 << 20)),
                    1_000_000,
                    storage);

    @AfterEach
    void closesWithNothingLeft() {
        cluster.close();
    }

    private ModelSession open(int worker, int workers, ConsistencySpec consistency) {
        SessionSpec spec = new SessionSpec("m", "run", 1, worker, workers, consistency, LONG);
        return cluster.await(cluster.client(SHORT).open(spec), SHORT);
    }

    /** Returns two workers that know the table and have begun cuts. */
    private List<ModelSession> twoWithCuts(ConsistencySpec consistency) {
        List<ModelSession> workers = List.of(open(0, 2, consistency), open(1, 2, consistency));
        cluster.await(workers.get(0).createTable(TABLE), SHORT);
        cluster.await(workers.get(1).describe("t"), SHORT);
        cluster.await(workers.get(0).beginCuts("model", null, SHORT), SHORT);
        return workers;
    }

    /** A worker that has trained all rows and sent the marker of cut 1. */
    private ModelSession atBarrier() {
        ModelSession worker = open(0, 1, ConsistencySpec.asp());
        cluster.await(worker.createTable(TABLE), SHORT);
        cluster.await(worker.beginCuts("model", null, SHORT), SHORT);
        cluster.await(push(worker, 0, ROWS), SHORT);
        storage.slow(cluster.time(), () -> SLOW);
        cluster.await(worker.marker(1, 0), SHORT);
        return worker;
    }

    private static CompletableFuture<Void> push(ModelSession worker, int from, int rows) {
        float[] ones = new float[rows * WIDTH];
        Arrays.fill(ones, 1);
        return worker.exchange().pushRange("t", from, from + rows, ones, 1).send();
    }

    private void pass(long nanos) {
        cluster.time().runUntil(() -> false, cluster.time().now() + nanos);
    }

    @Test
    void aServerRehearsesOnceWhenCutsBegin() {
        ModelSession one = open(0, 2, ConsistencySpec.asp());
        ModelSession two = open(1, 2, ConsistencySpec.asp());
        assertThat(cluster.rehearsals()).isZero();
        for (ModelSession worker : List.of(one, two)) {
            cluster.await(worker.createTable(TABLE), SHORT);
            cluster.await(worker.beginCuts("model", null, SHORT), SHORT);
        }
        cluster.await(push(one, 0, ROWS), SHORT);
        assertThat(cluster.rehearsals()).isEqualTo(1);
    }

    @Test
    void aCutThatFailsAtOneOwnerEndsAtTheOthers() {
        boolean[] failed = {false};
        storage.failIf(() -> !failed[0] && (failed[0] = true));
        ModelSession worker = atBarrier();
        assertThatThrownBy(() -> cluster.await(worker.awaitCut(1, LONG), LONG))
                .isInstanceOfSatisfying(
                        PsException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CUT_FAILED))
                .hasMessageContaining("the disk is full");
        pass(100 * SLOW);
        assertThat(storage.list("model/runs/run/cuts")).isEmpty();
        cluster.await(worker.marker(2, 0), SHORT);
        assertThat(cluster.await(worker.awaitCut(2, LONG), LONG).parts()).isNotEmpty();
    }

    /**
     * Pushes wait as soon as the owner has saved more than 1 MiB of rows from being overwritten.
     */
    @Test
    void pushesWaitWhenTooManyRowsAreSaved() {
        ModelSession worker = atBarrier();
        int rows = (2 << 20) / 4 / WIDTH;
        int boundary = ROWS / 4 * 3; // of partitions of two owners
        cluster.await(push(worker, boundary - rows, 2 * rows), SHORT);
        ModelSession plain = open(SessionSpec.NO_WORKER, 1, ConsistencySpec.asp());
        cluster.await(plain.describe("t"), SHORT);
        CompletableFuture<Void> waits = push(worker, boundary - 1, 2);
        CompletableFuture<Void> plainWaits = push(plain, boundary - 1, 2);
        CompletableFuture<Void> loadWaits =
                plain.load(
                        "t",
                        new RowChunk(
                                3,
                                new long[] {boundary},
                                new float[WIDTH],
                                new float[0][],
                                0,
                                RowChunk.END));
        pass(SLOW / 2);
        assertThat(waits).isNotDone();
        assertThat(plainWaits).isNotDone();
        assertThat(loadWaits).isNotDone();
        cluster.await(waits, LONG);
        cluster.await(plainWaits, LONG);
        cluster.await(loadWaits, LONG);
        assertThat(cluster.await(worker.awaitCut(1, LONG), LONG).savedBytes())
                .isBetween(2L << 20, 4L << 20);
    }

    /**
     * Under BSP rows change when a round ends, whatever ends it; pushes of the round came before.
     */
    @ParameterizedTest
    @ValueSource(strings = {"clock", "idle", "deregister"})
    void roundsEndNotWhenTooManyRowsAreSaved(String end) {
        ConsistencySpec bsp = ConsistencySpec.bsp();
        List<ModelSession> workers = List.of(open(0, 2, bsp), open(1, 2, bsp));
        cluster.await(workers.get(0).createTable(TABLE), SHORT);
        cluster.await(workers.get(0).beginCuts("model", null, SHORT), SHORT);
        cluster.await(push(workers.get(0), 0, ROWS), SHORT);
        workers.forEach(worker -> cluster.await(worker.exchange().clock().send(), SHORT));
        storage.slow(cluster.time(), () -> SLOW);
        workers.forEach(worker -> cluster.await(worker.marker(1, 0), SHORT));
        int rows = (2 << 20) / 4 / WIDTH;
        int boundary = ROWS / 4 * 3; // of partitions of two owners
        for (int round = 0; round < 2; round++) {
            cluster.await(push(workers.get(0), boundary - rows, 2 * rows), SHORT);
            cluster.await(workers.get(0).exchange().clock().send(), SHORT);
        }
        ModelSession last = workers.get(1);
        cluster.await(last.exchange().clock().send(), SHORT);
        CompletableFuture<Void> waits =
                switch (end) {
                    case "clock" -> last.exchange().clock().timeout(LONG).send();
                    case "idle" -> last.idle();
                    default -> last.deregister();
                };
        pass(SLOW / 2);
        assertThat(waits).isNotDone();
        cluster.await(waits, LONG);
        assertThat(cluster.await(workers.get(0).awaitCut(1, LONG), LONG).savedBytes())
                .isBetween(2L << 20, 4L << 20);
    }

    /**
     * A pull waits for a worker, which then is deferred behind a marker: only the reader can end
     * that.
     */
    @Test
    void aPullThatWaitsHearsOfAMarkerAtOnce() {
        ModelSession deferred = open(0, 2, ConsistencySpec.bsp());
        ModelSession reader = open(1, 2, ConsistencySpec.bsp());
        cluster.await(deferred.createTable(TABLE), SHORT);
        cluster.await(reader.describe("t"), SHORT);
        cluster.await(deferred.beginCuts("model", null, SHORT), SHORT);
        int[] heard = {0};
        reader.onCutPending(() -> heard[0]++);
        float[] values = new float[WIDTH];
        for (int cut = 1; cut <= 4; cut++) {
            CompletableFuture<Void> waits =
                    reader.exchange().clock(1).pullRange("t", 0, 1, values).timeout(LONG).send();
            pass(SimulatedCluster.SECOND);
            assertThat(heard).containsExactly(0);
            pass(cut * 7_000_000L); // servers look at what waits each 20 ms
            cluster.await(deferred.marker(cut, 0), SHORT);
            pass(3_000_000);
            assertThat(heard[0]).as("before servers look at what waits").isPositive();
            assertThat(waits).isNotDone();
            cluster.await(reader.marker(cut, 0), SHORT);
            cluster.await(deferred.exchange().clock(1).send(), SHORT);
            cluster.await(waits, SHORT);
            heard[0] = 0;
        }
    }

    /**
     * The pushes that are deferred behind a marker are limited; once it is let go there is room
     * again.
     */
    @Test
    void pushesWaitWhenTooManyAreHeld() {
        ModelSession deferred = open(0, 2, ConsistencySpec.asp());
        ModelSession other = open(1, 2, ConsistencySpec.asp());
        cluster.await(deferred.createTable(TABLE), SHORT);
        cluster.await(other.describe("t"), SHORT);
        cluster.await(deferred.beginCuts("model", null, SHORT), SHORT);
        int rows = 3 * (1 << 18) / (4 * WIDTH); // 768 KiB, of 1 MiB
        for (int cut = 1; cut <= 3; cut++) {
            cluster.await(deferred.marker(cut, 0), SHORT);
            cluster.await(push(deferred, 0, rows), SHORT);
            CompletableFuture<Void> waits = push(deferred, 0, rows);
            pass(SimulatedCluster.SECOND);
            assertThat(waits).isNotDone();
            cluster.await(other.marker(cut, 0), SHORT);
            cluster.await(waits, SHORT);
            cluster.await(other.awaitCut(cut, LONG), LONG);
        }
        float[] values = new float[WIDTH];
        cluster.await(other.exchange().pullRange("t", 0, 1, values).send(), SHORT);
        assertThat(values).containsOnly(6f);
    }

    /** A client numbers its barriers wrong; entries of others are deferred, and do not notice. */
    @Test
    void whatGoesWrongWithAnEntryThatWasHeldIsItsWorkersErrorAlone() {
        ModelSession faulty = open(0, 2, ConsistencySpec.asp());
        ModelSession other = open(1, 2, ConsistencySpec.asp());
        cluster.await(faulty.createTable(TABLE), SHORT);
        cluster.await(other.describe("t"), SHORT);
        cluster.await(faulty.beginCuts("model", null, SHORT), SHORT);
        cluster.await(faulty.marker(2, 0), SHORT);
        cluster.await(push(faulty, 0, 1), SHORT);
        cluster.await(faulty.marker(1, 0), SHORT);
        cluster.await(push(faulty, 0, 1), SHORT);

        cluster.await(other.marker(2, 0), SHORT);
        cluster.await(other.awaitCut(2, LONG), LONG);
        cluster.await(push(other, 0, 1), SHORT);
        assertThatThrownBy(() -> cluster.await(push(faulty, 0, 1), SHORT))
                .hasMessageContaining("marker 1 of worker 0 does not follow the one before");
        float[] values = new float[WIDTH];
        cluster.await(other.exchange().pullRange("t", 0, 1, values).send(), SHORT);
        assertThat(values).as("those that were acknowledged, and the other's").containsOnly(3f);
        assertThatThrownBy(() -> cluster.await(other.marker(1, 0), SHORT))
                .hasMessageContaining("marker 1 of worker 1 does not follow the one before");
        assertThatThrownBy(() -> cluster.await(other.marker(2, 0), SHORT))
                .hasMessageContaining("marker 2 of worker 1 does not follow the one before");
        cluster.await(push(other, 0, 1), SHORT);
    }

    @Test
    void noCutHasAModelThatLacksARound() {
        List<ModelSession> workers =
                List.of(open(0, 2, ConsistencySpec.bsp()), open(1, 2, ConsistencySpec.bsp()));
        TableSpec table = TableSpec.dense("t", 1, 1, UpdateSpec.of("sign-for-tests"));
        cluster.await(workers.get(0).createTable(table), SHORT);
        cluster.await(workers.get(1).describe("t"), SHORT);
        cluster.await(workers.get(0).beginCuts("model", null, SHORT), SHORT);
        float[] broken = {666};
        cluster.await(
                workers.get(0).exchange().pushRange("t", 0, 1, broken, 1).clock().send(), SHORT);
        assertThatThrownBy(() -> cluster.await(workers.get(1).exchange().clock().send(), SHORT))
                .hasMessageContaining("no step of 666");
        for (ModelSession worker : workers) {
            assertThatThrownBy(() -> cluster.await(worker.marker(1, 0), SHORT))
                    .hasMessageContaining("no step of 666");
        }
        assertThatThrownBy(() -> cluster.await(workers.get(0).awaitCut(1, LONG), LONG))
                .hasMessageContaining("a round is lost");
        assertThat(storage.list("model/runs/run/cuts")).isEmpty();
    }

    /** The push was acknowledged; its worker hears of the refusal with its next request. */
    @Test
    void aPushHeldForACutToATableThatIsDroppedMeanwhileIsRefused() {
        ConsistencySpec asp = ConsistencySpec.asp();
        List<ModelSession> workers = List.of(open(0, 2, asp), open(1, 2, asp));
        cluster.await(workers.get(0).createTable(TABLE), SHORT);
        cluster.await(workers.get(1).describe("t"), SHORT);
        cluster.await(workers.get(0).beginCuts("model", null, SHORT), SHORT);
        cluster.await(workers.get(0).marker(1, 0), SHORT);
        cluster.await(
                workers.get(0).exchange().pushRange("t", 0, 1, new float[WIDTH], 1).send(), SHORT);
        cluster.await(workers.get(1).dropTable("t"), SHORT);
        cluster.await(workers.get(1).marker(1, 0), SHORT);
        assertThatThrownBy(() -> cluster.await(workers.get(0).exchange().clock().send(), SHORT))
                .hasMessageContaining("table 't' of model 'm' is gone");
        cluster.await(workers.get(1).exchange().clock().send(), SHORT);
    }

    /** The worker would hold back the others at its old clock; where it was ahead it stays. */
    @ParameterizedTest
    @CsvSource({"0, 5", "7, 7"})
    void aWorkerThatWasIdleAtTheCutBeginsWithTheOthers(int idleAt, long beginsAt) {
        ConsistencySpec ssp = ConsistencySpec.ssp(1);
        List<ModelSession> before = List.of(open(0, 2, ssp), open(1, 2, ssp));
        cluster.await(before.get(0).createTable(TABLE), SHORT);
        cluster.await(before.get(0).beginCuts("model", null, SHORT), SHORT);
        for (int batch = 0; batch < idleAt; batch++) {
            cluster.await(before.get(1).exchange().clock().send(), SHORT);
        }
        cluster.await(before.get(1).idle(), SHORT);
        for (int batch = 0; batch < 5; batch++) {
            cluster.await(before.get(0).exchange().clock().send(), SHORT);
        }
        before.forEach(worker -> cluster.await(worker.marker(1, 0), SHORT));
        try (TestingCuts cuts = new TestingCuts(storage, "model", ssp, 2)) {
            ManifestRef cut =
                    cuts.write(1, 1, cluster.await(before.get(0).awaitCut(1, LONG), LONG));
            List<ModelSession> after = new ArrayList<>();
            for (int worker = 0; worker < 2; worker++) {
                SessionSpec spec = new SessionSpec("m", "run", 2, worker, 2, ssp, LONG);
                after.add(cluster.await(cluster.client(SHORT).open(spec), SHORT));
                assertThat(cluster.await(after.get(worker).beginCuts("model", cut, SHORT), SHORT))
                        .as("clock of worker %d", worker)
                        .isEqualTo(worker == 0 ? 5 : beginsAt);
            }
            cluster.await(after.get(0).describe("t"), SHORT);
            cluster.await(
                    after.get(0).exchange().clock().pullRange("t", 0, 1, new float[WIDTH]).send(),
                    SHORT);
        }
    }

    /**
     * It learns at which clock it joins before it joins. By then the other, which was there, is
     * idle.
     */
    @Test
    void aWorkerThatIsHeldWhenItRejoinsDoesNotWaitForItself() {
        List<ModelSession> both = twoWithCuts(ConsistencySpec.ssp(1));
        ModelSession deferred = both.get(0);
        ModelSession other = both.get(1);
        cluster.await(deferred.idle(), SHORT);
        for (int batch = 0; batch < 5; batch++) {
            cluster.await(other.exchange().clock().send(), SHORT);
        }
        cluster.await(deferred.marker(1, 0), SHORT);
        cluster.await(deferred.rejoin(), SHORT);
        cluster.await(other.idle(), SHORT);
        cluster.await(other.marker(1, 0), SHORT);
        assertThat(deferred.clock()).isEqualTo(5);
        cluster.await(deferred.exchange().pullRange("t", 0, 1, new float[WIDTH]).send(), SHORT);
    }

    /** Tells the clock where nobody is active, as another owner may let it join, and tell it so. */
    @Test
    void aWorkerThatIsHeldWhereAllAreIdleIsToldWhereItWillJoin() {
        List<ModelSession> both = twoWithCuts(ConsistencySpec.ssp(0));
        ModelSession deferred = both.get(0);
        ModelSession other = both.get(1);
        cluster.await(deferred.idle(), SHORT);
        cluster.await(other.exchange().clock().send(), SHORT);
        cluster.await(other.idle(), SHORT);
        cluster.await(deferred.marker(1, 0), SHORT);
        cluster.await(deferred.rejoin(), SHORT);
        assertThat(deferred.clock()).isEqualTo(1);
        cluster.await(other.marker(1, 0), SHORT);
        cluster.await(deferred.exchange().pullRange("t", 0, 1, new float[WIDTH]).send(), SHORT);
    }

    /** Reads where nobody would be waited for: all others are idle, and so is it until the cut. */
    @ParameterizedTest
    @ValueSource(strings = {"bsp", "ssp"})
    void aWorkerThatIsHeldWhenItRejoinsReadsWhatItHasPushed(String consistency) {
        boolean bsp = consistency.equals("bsp");
        List<ModelSession> both = twoWithCuts(bsp ? ConsistencySpec.bsp() : ConsistencySpec.ssp(0));
        ModelSession deferred = both.get(0);
        ModelSession other = both.get(1);
        cluster.await(other.idle(), SHORT);
        cluster.await(deferred.idle(), SHORT);
        cluster.await(deferred.marker(1, 0), SHORT);
        cluster.await(bsp ? deferred.rejoin(0) : deferred.rejoin(), SHORT);
        cluster.await(push(deferred, 0, 1), SHORT);
        cluster.await(deferred.exchange().clock().send(), SHORT);
        float[] values = new float[WIDTH];
        CompletableFuture<Void> pull =
                deferred.exchange().pullRange("t", 0, 1, values).timeout(LONG).send();
        pass(SimulatedCluster.SECOND);
        assertThat(pull).as("a pull whose worker's pushes are deferred").isNotDone();
        cluster.await(other.deregister(), SHORT);
        cluster.await(pull, SHORT);
        assertThat(values).containsOnly(1f);
    }

    /** Sends on who waits for a worker that is idle by its clocks: the barrier may be far away. */
    @Test
    void aWorkerThatIsHeldWhenItRejoinsSendsOthersOnToTheBarrier() {
        List<ModelSession> both = twoWithCuts(ConsistencySpec.ssp(0));
        ModelSession deferred = both.get(0);
        ModelSession other = both.get(1);
        cluster.await(deferred.idle(), SHORT);
        cluster.await(other.exchange().clock().send(), SHORT);
        cluster.await(deferred.marker(1, 0), SHORT);
        cluster.await(deferred.marker(2, 0), SHORT);
        cluster.await(deferred.rejoin(), SHORT);
        assertThat(deferred.clock()).isEqualTo(1);
        cluster.await(other.exchange().clock().send(), SHORT);
        for (int cut = 1; cut <= 2; cut++) {
            int[] heard = {0};
            other.onCutPending(() -> heard[0]++);
            CompletableFuture<Void> waits =
                    other.exchange().pullRange("t", 0, 1, new float[WIDTH]).timeout(LONG).send();
            pass(SimulatedCluster.SECOND);
            assertThat(waits).isNotDone();
            assertThat(heard[0]).as("sent on to barrier %d", cut).isPositive();
            cluster.await(other.marker(cut, 0), SHORT);
            if (cut == 2) {
                cluster.await(deferred.exchange().clock().send(), SHORT);
            }
            pass(SimulatedCluster.SECOND);
            assertThat(waits.isDone()).isEqualTo(cut == 2);
        }
    }

    /** Rounds of a finished worker are applied at the restore; later steps count on from them. */
    @Test
    void stepsGoOnBehindTheRoundsOfAWorkerThatHadFinished() {
        ConsistencySpec bsp = ConsistencySpec.bsp();
        UpdateSpec halving = UpdateSpec.sgd(1).with("step-every", 1).with("step-factor", .5);
        List<ModelSession> before = List.of(open(0, 2, bsp), open(1, 2, bsp));
        cluster.await(before.get(0).createTable(TableSpec.dense("steps", 1, 1, halving)), SHORT);
        cluster.await(before.get(0).beginCuts("model", null, SHORT), SHORT);
        for (int batch = 0; batch < 3; batch++) {
            cluster.await(step(before.get(0)), SHORT);
        }
        cluster.await(before.get(0).deregister(), SHORT);
        before.forEach(worker -> cluster.await(worker.marker(1, 0), SHORT));
        try (TestingCuts cuts = new TestingCuts(storage, "model", bsp, 2)) {
            ManifestRef cut =
                    cuts.write(1, 1, cluster.await(before.get(0).awaitCut(1, LONG), LONG));
            SessionSpec spec = new SessionSpec("m", "run", 2, 0, 1, bsp, LONG);
            ModelSession after = cluster.await(cluster.client(SHORT).open(spec), SHORT);
            cluster.await(after.beginCuts("model", cut, SHORT), SHORT);
            cluster.await(after.describe("steps"), SHORT);
            cluster.await(step(after), SHORT);
            float[] value = new float[1];
            cluster.await(after.exchange().pullRange("steps", 0, 1, value).send(), SHORT);
            assertThat(value).containsExactly(-(1 + .5f + .25f + .125f));
        }
    }

    /**
     * The round divides by the mini-batches of both; who was idle does not end it for the other.
     */
    @Test
    void aRoundThatIsOpenBesideAnIdleWorkerGoesOnAsOne() {
        ConsistencySpec bsp = ConsistencySpec.bsp();
        List<ModelSession> before = List.of(open(0, 2, bsp), open(1, 2, bsp));
        TableSpec table = TableSpec.dense("steps", 1, 1, UpdateSpec.sgd(1));
        cluster.await(before.get(0).createTable(table), SHORT);
        cluster.await(before.get(1).describe("steps"), SHORT);
        cluster.await(before.get(0).beginCuts("model", null, SHORT), SHORT);
        cluster.await(step(before.get(1)), SHORT);
        cluster.await(before.get(1).idle(), SHORT);
        before.forEach(worker -> cluster.await(worker.marker(1, 0), SHORT));
        try (TestingCuts cuts = new TestingCuts(storage, "model", bsp, 2)) {
            ManifestRef cut =
                    cuts.write(1, 1, cluster.await(before.get(0).awaitCut(1, LONG), LONG));
            List<ModelSession> after = new ArrayList<>();
            for (int worker = 0; worker < 2; worker++) {
                SessionSpec spec = new SessionSpec("m", "run", 2, worker, 2, bsp, LONG);
                after.add(cluster.await(cluster.client(SHORT).open(spec), SHORT));
                cluster.await(after.get(worker).beginCuts("model", cut, SHORT), SHORT);
                cluster.await(after.get(worker).describe("steps"), SHORT);
            }
            cluster.await(step(after.get(0)), SHORT);
            float[] value = new float[1];
            cluster.await(after.get(0).exchange().pullRange("steps", 0, 1, value).send(), SHORT);
            assertThat(value).as("one step with the mean").containsExactly(-1);
        }
    }

    /** It has counted fewer steps than the workers have clocks; the next attempt cuts it too. */
    @ParameterizedTest
    @CsvSource({"true, asp", "true, bsp", "false, asp", "false, bsp"})
    void aTableThatCameLateIsInTheCutsOfTheNextAttempt(boolean kept, String consistency) {
        ConsistencySpec asp = ConsistencySpec.asp();
        List<ModelSession> before = List.of(open(0, 2, asp), open(1, 2, asp));
        cluster.await(before.get(0).beginCuts("model", null, SHORT), SHORT);
        for (int batch = 0; batch < 5; batch++) {
            before.forEach(worker -> cluster.await(worker.exchange().clock().send(), SHORT));
        }
        TableSpec late = TableSpec.dense("steps", 1, 1, UpdateSpec.of("add")).withPartitions(1);
        cluster.await(before.get(0).createTable(late), SHORT);
        cluster.await(step(before.get(0)), SHORT);
        before.forEach(worker -> cluster.await(worker.marker(1, 0), SHORT));
        try (TestingCuts cuts = new TestingCuts(storage, "model", asp, 2)) {
            ManifestRef cut =
                    cuts.write(1, 1, cluster.await(before.get(0).awaitCut(1, LONG), LONG));
            CutOrigin origin = new CutOrigin("model", cut, kept, Duration.ZERO);
            ConsistencySpec next =
                    consistency.equals("bsp") ? ConsistencySpec.bsp() : ConsistencySpec.asp();
            List<ModelSession> after = new ArrayList<>();
            for (int worker = 0; worker < 2; worker++) {
                SessionSpec spec = new SessionSpec("m", "run", 2, worker, 2, next, LONG);
                after.add(cluster.await(cluster.client(SHORT).open(spec), SHORT));
                cluster.await(after.get(worker).beginCuts(origin, SHORT), SHORT);
                cluster.await(after.get(worker).describe("steps"), SHORT);
            }
            after.forEach(worker -> cluster.await(step(worker), SHORT));
            after.forEach(worker -> cluster.await(worker.marker(2, 0), SHORT));
            ManifestRef second =
                    cuts.write(2, 2, cluster.await(after.get(0).awaitCut(2, LONG), LONG));
            assertThat(cuts.read(second).get("steps").get(0L)).isEqualTo(3);
        }
    }

    /** All rounds are over where nobody is in one: the next step is the next one. */
    @Test
    void stepsGoOnBehindWorkersThatWereAllIdle() {
        ConsistencySpec bsp = ConsistencySpec.bsp();
        UpdateSpec halving = UpdateSpec.sgd(1).with("step-every", 1).with("step-factor", .5);
        List<ModelSession> before = List.of(open(0, 2, bsp), open(1, 2, bsp));
        cluster.await(before.get(0).createTable(TableSpec.dense("steps", 1, 1, halving)), SHORT);
        cluster.await(before.get(1).describe("steps"), SHORT);
        cluster.await(before.get(0).beginCuts("model", null, SHORT), SHORT);
        cluster.await(step(before.get(0)), SHORT);
        cluster.await(before.get(0).idle(), SHORT);
        for (int batch = 0; batch < 3; batch++) {
            cluster.await(step(before.get(1)), SHORT);
        }
        cluster.await(before.get(1).idle(), SHORT);
        before.forEach(worker -> cluster.await(worker.marker(1, 0), SHORT));
        try (TestingCuts cuts = new TestingCuts(storage, "model", bsp, 2)) {
            ManifestRef cut =
                    cuts.write(1, 1, cluster.await(before.get(0).awaitCut(1, LONG), LONG));
            List<ModelSession> after = new ArrayList<>();
            List<Long> clocks = new ArrayList<>();
            for (int worker = 0; worker < 2; worker++) {
                SessionSpec spec = new SessionSpec("m", "run", 2, worker, 2, bsp, LONG);
                after.add(cluster.await(cluster.client(SHORT).open(spec), SHORT));
                clocks.add(cluster.await(after.get(worker).beginCuts("model", cut, SHORT), SHORT));
                cluster.await(after.get(worker).describe("steps"), SHORT);
            }
            assertThat(clocks).containsExactly(1L, 3L);
            cluster.await(step(after.get(0)), SHORT);
            float[] value = new float[1];
            cluster.await(
                    after.get(0).exchange().clock().pullRange("steps", 0, 1, value).send(), SHORT);
            assertThat(value).containsExactly(-(1 + .5f + .25f + .125f));
        }
    }

    private static CompletableFuture<Void> step(ModelSession worker) {
        return worker.exchange().pushRange("steps", 0, 1, new float[] {1}, 1).clock().send();
    }
}
