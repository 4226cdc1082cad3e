package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what workers see of each other under each consistency, over real servers. */
class ConsistencyITCase {
    private static final TableSpec TABLE =
            TableSpec.dense("t", 8, 1, UpdateSpec.of("add")).withPartitions(8);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final int ASKED_AT_MOST = 20;

    private static void fails(ErrorCode code, String part, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(part);
    }

    /**
     * A pull in vain names who holds it back. Servers say so a moment before the deadline; where
     * the machine is too busy for that to arrive, it is asked again.
     */
    private static void isHeldBackByWorker1(ModelSession worker) {
        PsException error;
        int asked = 0;
        do {
            error =
                    catchThrowableOfType(
                            PsException.class,
                            () ->
                                    get(
                                            worker.exchange()
                                                    .pullRange("t", 0, 8, new float[8])
                                                    .timeout(SHORT)
                                                    .send()));
        } while (error != null && error.code() == ErrorCode.TIMEOUT && ++asked < ASKED_AT_MOST);
        assertThat(error).as("it is not answered").hasMessageContaining("worker 1");
        assertThat(error.code()).isEqualTo(ErrorCode.NOT_READY);
    }

    private static float[] ones() {
        return new float[] {1, 1, 1, 1, 1, 1, 1, 1};
    }

    private static CompletableFuture<Void> clock(ModelSession worker) {
        return worker.exchange().pushRange("t", 0, 8, ones(), 1).clock().send();
    }

    private static float pull(ModelSession worker) {
        float[] values = new float[8];
        get(worker.exchange().pullRange("t", 0, 8, values).send());
        assertThat(values).containsOnly(values[0]);
        return values[0];
    }

    private static ModelSession[] workers(
            TestingCluster cluster, int count, ConsistencySpec consistency) {
        ModelSession[] workers = new ModelSession[count];
        for (int i = 0; i < count; i++) {
            workers[i] = cluster.worker("m", i, count, consistency);
            get(workers[i].createTable(TABLE));
        }
        return workers;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bspWaitsForEveryWorkerAndShowsExactlyTheRoundsBefore(boolean local) {
        try (TestingCluster cluster = TestingCluster.of(2, local)) {
            ModelSession[] two = workers(cluster, 2, ConsistencySpec.bsp());
            float[] values = new float[8];
            CompletableFuture<Void> pulled =
                    two[0].exchange()
                            .pushRange("t", 0, 8, ones(), 1)
                            .clock()
                            .pullRange("t", 0, 8, values)
                            .send();
            assertThat(pull(two[1])).as("a round trip later").isZero();
            assertThat(pulled).isNotDone();
            get(two[1].exchange().pushRange("t", 0, 8, ones(), 1).send());
            assertThat(pulled).isNotDone();
            get(clock(two[1])); // its second push of the round
            get(pulled);
            assertThat(values).containsOnly(3f);
            // Round 1 of one worker is not seen by a pull of round 1.
            get(clock(two[1]));
            assertThat(pull(two[0])).isEqualTo(3);
        }
    }

    @Test
    void aPullThatCannotBeAnsweredNamesTheLaggardAndMayBeRepeated() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ModelSession[] three = workers(cluster, 3, ConsistencySpec.ssp(1));
            for (int i = 0; i < 2; i++) {
                get(clock(three[0]));
                get(clock(three[2]));
            }
            isHeldBackByWorker1(three[0]);
            get(clock(three[1]));
            assertThat(pull(three[0])).isEqualTo(5);
            get(clock(three[0])); // the session goes on
        }
    }

    @Test
    void aspNeverWaits() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ModelSession[] two = workers(cluster, 2, ConsistencySpec.asp());
            for (int i = 0; i < 20; i++) {
                get(clock(two[0]));
            }
            assertThat(pull(two[0])).isEqualTo(20);
            assertThat(pull(two[1])).isEqualTo(20);
            assertThat(two[0].lead()).isEqualTo(20);
            assertThat(two[1].lead()).isZero();
            get(clock(two[1]));
            pull(two[0]);
            assertThat(two[0].lead()).isEqualTo(19);
            get(two[1].deregister());
            pull(two[0]);
            assertThat(two[0].lead()).as("nobody else").isZero();
        }
    }

    @Test
    void aPredicateOfTheUsersDecidesAndAnUnknownOneIsRefused() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            fails(
                    ErrorCode.INVALID_ARGUMENT,
                    "nobody",
                    () -> cluster.worker("x", 0, 1, ConsistencySpec.predicate("nobody")));
            // Half of the workers must have come as far.
            ModelSession[] three =
                    workers(cluster, 3, ConsistencySpec.predicate(HalfOfTheWorkers.NAME));
            get(clock(three[0]));
            float[] values = new float[8];
            CompletableFuture<Void> waits = three[0].exchange().pullRange("t", 0, 8, values).send();
            assertThat(pull(three[1])).as("a round trip later").isEqualTo(1);
            assertThat(waits).isNotDone();
            get(clock(three[2]));
            get(waits);
            assertThat(values).containsOnly(2f);
        }
    }

    @Test
    void anIdleWorkerHoldsNobodyBackAndRejoinsAtTheLowestClock() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ModelSession[] two = workers(cluster, 2, ConsistencySpec.ssp(0));
            get(clock(two[0]));
            get(two[1].idle());
            for (int i = 1; i < 5; i++) {
                get(clock(two[0]));
            }
            assertThat(pull(two[0])).isEqualTo(5);
            fails(ErrorCode.INVALID_ARGUMENT, "rejoin", () -> get(clock(two[1])));
            get(two[1].rejoin());
            assertThat(two[1].clock()).isEqualTo(5);
            assertThat(pull(two[1])).isEqualTo(5);
            get(clock(two[0]));
            isHeldBackByWorker1(two[0]);
            get(clock(two[1]));
            assertThat(pull(two[0])).isEqualTo(7);
        }
    }

    /** Runs two workers with passes of 4 and 1 mini-batches. */
    @Test
    void workersOfBspThatRestBetweenPassesGoOnInOneRound() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ModelSession[] two = workers(cluster, 2, ConsistencySpec.bsp());
            get(clock(two[1]));
            for (int i = 0; i < 4; i++) {
                get(clock(two[0]));
            }
            get(two[1].idle());
            get(two[0].idle());
            List<CompletableFuture<List<double[]>>> met = new ArrayList<>();
            for (int worker = 1; worker >= 0; worker--) {
                double[] values = {two[worker].clock(), worker};
                met.add(two[worker].gather("pass", 2, values, Duration.ofSeconds(20)));
            }
            for (CompletableFuture<List<double[]>> each : met) {
                assertThat(get(each)).containsExactly(new double[] {4, 0}, new double[] {1, 1});
            }
            assertThat(get(two[0].gather("pass", 2, new double[0], Duration.ofSeconds(20))))
                    .as("met already")
                    .hasSize(2);
            fails(ErrorCode.INVALID_ARGUMENT, "at which clock", () -> get(two[1].rejoin()));
            for (ModelSession worker : two) {
                get(worker.rejoin(4));
                assertThat(worker.clock()).isEqualTo(4);
                assertThat(pull(worker)).as("all rounds of the pass").isEqualTo(5);
            }
            get(clock(two[0]));
            isHeldBackByWorker1(two[0]);
            get(clock(two[1]));
            assertThat(pull(two[0])).isEqualTo(7);
            assertThat(pull(two[1])).isEqualTo(7);
        }
    }

    @Test
    void aFinishedWorkerIsWaitedForNoMoreAndCannotGoOn() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ModelSession[] two = workers(cluster, 2, ConsistencySpec.bsp());
            get(clock(two[0]));
            get(clock(two[1]));
            get(two[1].deregister());
            get(clock(two[0]));
            get(clock(two[0]));
            assertThat(pull(two[0])).isEqualTo(4);
            fails(ErrorCode.INVALID_ARGUMENT, "deregistered", () -> get(clock(two[1])));
            get(two[0].deregister());
            assertThat(pull(two[0])).isEqualTo(4);
        }
    }

    @Test
    void barriersWaitForAllOrForTheirTime() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ModelSession[] three = workers(cluster, 3, ConsistencySpec.asp());
            for (int again = 0; again < 2; again++) {
                CompletableFuture<Void> first = three[0].barrier("b", 3, Duration.ofSeconds(20));
                CompletableFuture<Void> second = three[1].barrier("b", 3, Duration.ofSeconds(20));
                get(three[2].barrier("another", 1, Duration.ofSeconds(20)));
                assertThat(first).isNotDone();
                get(three[2].barrier("b", 3, Duration.ofSeconds(20)));
                get(first);
                get(second);
            }
            fails(
                    ErrorCode.TIMEOUT,
                    "only 1 arrived",
                    () -> get(three[0].barrier("alone", 2, Duration.ofMillis(400))));
            fails(
                    ErrorCode.INVALID_ARGUMENT,
                    "parties",
                    () -> get(three[0].barrier("none", 0, Duration.ofSeconds(5))));
        }
    }

    @Test
    void anOlderAttemptCanChangeNothingAndPlainClientsGoOn() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ModelSession plain = cluster.session("m");
            get(plain.createTable(TABLE));
            ConsistencySpec bsp = ConsistencySpec.bsp();
            ModelSession old = cluster.worker("m", 1, 0, 2, bsp);
            get(old.describe("t"));
            float[] values = new float[8];
            CompletableFuture<Void> parked =
                    old.exchange()
                            .pushRange("t", 0, 8, ones(), 1)
                            .clock()
                            .pullRange("t", 0, 8, values)
                            .send();
            assertThat(pull(plain)).as("a round trip later").isZero();
            ModelSession fresh = cluster.worker("m", 2, 0, 1, bsp);
            get(fresh.describe("t"));
            fails(ErrorCode.FENCED, "attempt", () -> get(parked));
            fails(ErrorCode.FENCED, "attempt", () -> get(clock(old)));
            fails(ErrorCode.FENCED, "fence 2", () -> cluster.worker("m", 1, 1, 2, bsp));
            get(clock(fresh));
            assertThat(pull(fresh)).as("the old round is gone").isEqualTo(1);
            get(plain.exchange().pushRange("t", 0, 8, ones(), 1).send());
            assertThat(pull(plain)).isEqualTo(2);
        }
    }

    @Test
    void aWorkerIsOneSession() {
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            ConsistencySpec asp = ConsistencySpec.asp();
            SessionSpec spec = new SessionSpec("m", "run", 1, 0, 2, asp, TestingCluster.TIMEOUT);
            var client = cluster.client();
            ModelSession first = get(client.open(spec));
            get(first.createTable(TABLE));
            fails(ErrorCode.CONFLICTING_DEFINITION, "already", () -> get(client.open(spec)));
            fails(ErrorCode.FENCED, "registered already", () -> cluster.worker("m", 0, 2, asp));
            fails(
                    ErrorCode.CONFLICTING_DEFINITION,
                    "2 workers",
                    () -> cluster.worker("m", 1, 3, asp));
            get(clock(first));
            assertThat(pull(first)).isEqualTo(1);
        }
    }

    @Test
    void sgdStepsWithTheMeanOfAPush() {
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            ModelSession worker = cluster.worker("m", 0, 1, ConsistencySpec.asp());
            get(worker.createTable(TableSpec.dense("w", 2, 1, UpdateSpec.sgd(0.5))));
            get(worker.exchange().pushRange("w", 0, 2, new float[] {8, -4}, 4).clock().send());
            float[] values = new float[2];
            get(worker.exchange().pullRange("w", 0, 2, values).send());
            assertThat(values).containsExactly(-1f, 0.5f); // 0.5 * 8 / 4, 0.5 * -4 / 4
        }
    }

    @Test
    void bspMakesOneStepOfTheWorkersSum() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ConsistencySpec bsp = ConsistencySpec.bsp();
            ModelSession a = cluster.worker("m", 0, 2, bsp);
            ModelSession b = cluster.worker("m", 1, 2, bsp);
            for (ModelSession worker : new ModelSession[] {a, b}) {
                get(
                        worker.createTable(
                                TableSpec.sparse("g", 1, UpdateSpec.of("adagrad"))
                                        .withUpdate(
                                                UpdateSpec.of("adagrad")
                                                        .with("learning-rate", 0.1))));
                get(worker.createTable(TableSpec.dense("s", 1, 1, UpdateSpec.sgd(1))));
            }
            KeyList keys = a.keys("g", new long[] {7}, 0, 1);
            KeyList same = b.keys("g", new long[] {7}, 0, 1);
            for (int round = 0; round < 2; round++) {
                CompletableFuture<Void> first =
                        a.exchange()
                                .push(keys, new float[] {3}, 2)
                                .pushRange("s", 0, 1, new float[] {3}, 2)
                                .clock()
                                .send();
                get(
                        b.exchange()
                                .push(same, new float[] {1}, 6)
                                .pushRange("s", 0, 1, new float[] {1}, 6)
                                .clock()
                                .send());
                get(first);
            }
            float[] adagrad = new float[1];
            float[] sgd = new float[1];
            get(a.exchange().pull(keys, adagrad).pullRange("s", 0, 1, sgd).send());
            // n = 16, then 32: the square of the sum, not the sum of squares.
            assertThat((double) adagrad[0])
                    .isCloseTo(-0.1 * 4 / 4 - 0.1 * 4 / Math.sqrt(32), within(1e-6));
            assertThat(sgd).containsExactly(-1f); // two steps of (3 + 1) / (2 + 6)
        }
    }

    /** A mini-batch that touches nothing at a server, or nothing at all, is in the mean there. */
    @Test
    void theMeanOfARoundCountsMiniBatchesThatTouchedNothing() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ConsistencySpec bsp = ConsistencySpec.bsp();
            ModelSession a = cluster.worker("m", 0, 3, bsp);
            ModelSession b = cluster.worker("m", 1, 3, bsp);
            ModelSession c = cluster.worker("m", 2, 3, bsp);
            for (ModelSession worker : new ModelSession[] {a, b, c}) {
                get(worker.createTable(TableSpec.sparse("g", 1, UpdateSpec.sgd(1))));
            }
            KeyList seven = a.keys("g", new long[] {7}, 0, 1);
            KeyList eight = b.keys("g", new long[] {8}, 0, 1);
            float[] values = new float[2];
            for (int round = 1; round <= 2; round++) {
                CompletableFuture<Void> first =
                        a.exchange().push(seven, new float[] {8}, 3).clock(3).send();
                CompletableFuture<Void> second =
                        b.exchange().push(eight, new float[] {16}, 4).clock().send();
                get(c.exchange().clock(1).send());
                get(first);
                get(second);
                get(a.exchange().pull(a.keys("g", new long[] {7, 8}, 0, 2), values).send());
                assertThat(values).containsExactly(-1f * round, -2f * round); // 8 / 8, 16 / 8
            }
            get(c.deregister());
            CompletableFuture<Void> last =
                    a.exchange().push(seven, new float[] {14}, 3).clock(3).send();
            get(b.exchange().clock(4).send());
            get(last);
            get(a.exchange().pull(seven, values).send());
            assertThat(values[0]).isEqualTo(-4f); // 14 / 7: a finished worker weighs nothing
        }
    }

    @Test
    void aMiniBatchWithoutAWeightIsRefused() {
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            ModelSession worker = cluster.worker("m", 0, 1, ConsistencySpec.bsp());
            for (double weight : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
                fails(
                        ErrorCode.INVALID_ARGUMENT,
                        "weight of a mini-batch",
                        () -> worker.exchange().clock(weight));
            }
        }
    }
}
