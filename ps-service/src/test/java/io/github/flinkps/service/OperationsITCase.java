package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.ClientConfig;
import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.ServerStats;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.InitializerSpec;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerConfig.RequestLimits;
import io.github.flinkps.server.ServerConfig.StoreLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations of sessions over real servers: order, limits, key lists, tables that come and go. */
class OperationsITCase {
    private static final UpdateSpec ADD = UpdateSpec.of("add");

    private static void fails(ErrorCode code, String part, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(part);
    }

    private static SessionSpec plain(String model) {
        return new SessionSpec(
                model,
                "run",
                0,
                SessionSpec.NO_WORKER,
                1,
                ConsistencySpec.asp(),
                TestingCluster.TIMEOUT);
    }

    private static float value(ModelSession session, String table, long key) {
        float[] value = new float[1];
        get(session.exchange().pullRange(table, key, key + 1, value).send());
        return value[0];
    }

    private static Exchange add(ModelSession session, float by) {
        return session.exchange().pushRange("t", 0, 1, new float[] {by}, 1);
    }

    @Test
    void operationsWaitForTheirDependenciesAndFailWithThem() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ModelSession slow = cluster.worker("m", 0, 2, ConsistencySpec.bsp());
            ModelSession other = cluster.worker("m", 1, 2, ConsistencySpec.bsp());
            get(slow.createTable(TableSpec.dense("t", 4, 1, ADD)));
            get(other.createTable(TableSpec.dense("t", 4, 1, ADD)));
            Exchange first = add(slow, 1).clock().pullRange("t", 0, 1, new float[1]);
            CompletableFuture<Void> waits = first.send();
            CompletableFuture<Void> second = add(slow, 2).after(first.timestamp()).send();
            assertThat(value(other, "t", 0)).isZero();
            assertThat(second).isNotDone();
            get(other.exchange().clock().send());
            get(waits);
            get(second);
            Exchange doomed =
                    slow.exchange()
                            .clock()
                            .pullRange("t", 0, 1, new float[1])
                            .timeout(Duration.ofSeconds(2));
            CompletableFuture<Void> failing = doomed.send();
            CompletableFuture<Void> behind = add(slow, 4).after(doomed.timestamp()).send();
            Exchange impatient =
                    add(slow, 4).after(doomed.timestamp()).timeout(Duration.ofMillis(50));
            CompletableFuture<Void> early = impatient.send();
            fails(ErrorCode.TIMEOUT, "still waits", () -> get(early));
            fails(ErrorCode.NOT_READY, "worker 1", () -> get(failing));
            fails(ErrorCode.NOT_READY, "worker 1", () -> get(behind));
            fails(
                    ErrorCode.NOT_READY,
                    "worker 1",
                    () -> get(add(slow, 4).after(doomed.timestamp()).send()));
            get(add(slow, 8).after(first.timestamp(), 999).send());
        }
    }

    @Test
    void anExchangeIsSentOnceAndNotTooManyAreUnderWay() {
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            ParameterClient client = cluster.client(ClientConfig.defaults().withMaxInFlight(2));
            ModelSession session = get(client.open(plain("m")));
            get(session.createTable(TableSpec.dense("t", 4, 1, ADD)));
            Exchange once = add(session, 1);
            get(once.send());
            fails(ErrorCode.INVALID_ARGUMENT, "only once", () -> get(once.send()));
            assertThat(value(session, "t", 0)).isEqualTo(1);
            ModelSession worker =
                    get(
                            client.open(
                                    new SessionSpec(
                                            "m",
                                            "run",
                                            1,
                                            0,
                                            2,
                                            ConsistencySpec.bsp(),
                                            Duration.ofSeconds(1))));
            get(worker.describe("t"));
            List<CompletableFuture<Void>> parked = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                parked.add(worker.exchange().clock().pullRange("t", 0, 1, new float[1]).send());
            }
            fails(
                    ErrorCode.THROTTLED,
                    "max-in-flight",
                    () -> get(worker.exchange().clock().send()));
            fails(ErrorCode.NOT_READY, "worker 1", () -> get(parked.get(0)));
            fails(
                    ErrorCode.INVALID_ARGUMENT,
                    "staleness",
                    () -> get(worker.exchange().ahead(1).send()));
            fails(
                    ErrorCode.INVALID_ARGUMENT,
                    "weight",
                    () -> session.exchange().pushRange("t", 0, 1, new float[1], Double.NaN));
            fails(ErrorCode.INVALID_ARGUMENT, "clock", () -> session.exchange().clock());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1 << 20, 0})
    void aKeyListTravelsOnceAndIsSpelledAgainWhereItIsForgotten(long cacheBytes) {
        ServerConfig config =
                ServerConfig.defaults()
                        .withOwners(1)
                        .withStore(new StoreLimits(cacheBytes, 1 << 20));
        try (TestingCluster cluster = new TestingCluster(1, false, config)) {
            ParameterClient client = cluster.client();
            ModelSession session = get(client.open(plain("m")));
            get(session.createTable(TableSpec.sparse("t", 1, ADD)));
            long[] raw = LongStream.range(0, 5000).map(i -> i * i).toArray();
            KeyList keys = session.keys("t", raw, 0, raw.length);
            KeyList others = session.keys("t", raw, 0, 4999);
            float[] ones = new float[5000];
            Arrays.fill(ones, 1);
            long[] bytes = new long[4];
            for (int i = 0; i < 4; i++) {
                long before = client.traffic().bytesSent();
                get(session.exchange().push(keys, ones, 1).send());
                bytes[i] = client.traffic().bytesSent() - before;
                get(session.exchange().push(others, ones, 1).send());
            }
            if (cacheBytes == 0) {
                assertThat(client.traffic().retries()).isPositive();
                assertThat(bytes[1]).isGreaterThan(bytes[0]);
            } else {
                assertThat(client.traffic().retries()).isZero();
                assertThat(bytes[1]).isLessThan(bytes[0] / 2);
                assertThat(bytes[3]).isEqualTo(bytes[1]);
            }
            float[] values = new float[5000];
            get(session.exchange().pull(keys, values).send());
            long all = 0;
            for (float value : values) {
                all += (long) value;
            }
            assertThat(all).isEqualTo(4 * 5000 + 4 * 4999);
        }
    }

    @Test
    void wideRowsAndPartitionsLargerThanAChunkPassBothWays() {
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            ModelSession session = cluster.session("m");
            int rows = 40;
            int width = 4096;
            TableSpec wide = TableSpec.dense("wide", rows, width, ADD).withPartitions(3);
            TableSpec long_ = TableSpec.dense("long", 3_000_000, 1, ADD).withPartitions(1);
            get(session.createTable(wide));
            get(session.createTable(long_));
            float[] numbers = new float[3_000_000];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = i % 8191;
            }
            get(session.exchange().pushRange("wide", 0, rows, numbers, 1).send());
            get(session.exchange().pushRange("long", 0, numbers.length, numbers, 1).send());
            float[] back = new float[rows * width];
            get(session.exchange().pullRange("wide", 0, rows, back).send());
            assertThat(back).isEqualTo(Arrays.copyOf(numbers, back.length));
            float[] all = new float[numbers.length];
            get(session.exchange().pullRange("long", 0, all.length, all).send());
            assertThat(all).isEqualTo(numbers);
        }
    }

    @Test
    void manyLargePullsAtOnceAndASmallOneBetweenThem() {
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            // Keys of one partition travel in one frame: 40 answers of 4 MB, in chunks.
            int rows = 1_000_000;
            ModelSession session = cluster.session("m");
            get(session.createTable(TableSpec.dense("t", rows, 1, ADD).withPartitions(1)));
            get(add(session, 3).send());
            long[] raw = LongStream.range(0, rows).toArray();
            KeyList keys = session.keys("t", raw, 0, rows);
            float[][] values = new float[40][rows];
            List<CompletableFuture<Void>> large = new ArrayList<>();
            ParameterClient client = cluster.client();
            for (float[] into : values) {
                ModelSession own = get(client.open(plain("m")));
                large.add(own.exchange().pull(keys, into).send());
            }
            assertThat(value(session, "t", 0)).isEqualTo(3);
            large.forEach(TestingCluster::get);
            for (float[] into : values) {
                assertThat(into[0]).isEqualTo(3);
                assertThat(into[rows - 1]).isZero();
            }
            // A lost connection would have sent them all again.
            assertThat(client.traffic().requests() - client.traffic().retries()).isLessThan(90);
        }
    }

    @Test
    void framesBeyondTheServersLimitAreRefusedByName() {
        ServerConfig config = ServerConfig.defaults().withOwners(1);
        ServerConfig small = config.withRequests(new RequestLimits(1 << 16, 64 << 20, 4096));
        try (TestingCluster cluster = new TestingCluster(1, false, small)) {
            ModelSession session = cluster.session("m");
            get(session.createTable(TableSpec.dense("t", 50_000, 1, ADD).withPartitions(1)));
            fails(
                    ErrorCode.TOO_LARGE,
                    "max-frame-bytes 65536",
                    () ->
                            get(
                                    session.exchange()
                                            .pushRange("t", 0, 50_000, new float[50_000], 1)
                                            .send()));
            // The push has no place in the log; the session says so instead of hanging.
            fails(ErrorCode.TOO_LARGE, "open a new session", () -> get(add(session, 1).send()));
            ModelSession next = cluster.session("m");
            get(add(next, 1).send());
            assertThat(value(next, "t", 0)).isEqualTo(1);
        }
    }

    @Test
    void answersBeyondTheServersLimitAreRefusedByName() {
        ServerConfig config = ServerConfig.defaults().withOwners(1);
        ServerConfig small = config.withRequests(new RequestLimits(1 << 16, 64 << 20, 4096));
        try (TestingCluster cluster = new TestingCluster(1, false, small)) {
            ModelSession session = cluster.session("m");
            get(session.createTable(TableSpec.dense("t", 1, 1, ADD)));
            get(session.createTable(TableSpec.sparse("wide", 64, ADD).withPartitions(1)));
            int rows = 1000;
            KeyList keys = session.keys("wide", LongStream.range(0, rows).toArray(), 0, rows);
            float[] into = new float[64 * rows];
            fails(
                    ErrorCode.TOO_LARGE,
                    "more than max-frame-bytes 65536",
                    () -> get(session.exchange().pull(keys, into).send()));
            // Its push takes its turn, and has no effect.
            fails(
                    ErrorCode.TOO_LARGE,
                    "more than max-frame-bytes 65536",
                    () -> get(add(session, 1).pull(keys, into).send()));
            ModelSession next = cluster.session("m");
            get(add(next, 1).send());
            assertThat(value(next, "t", 0)).isEqualTo(1);
        }
    }

    /** At once: to find that there is no room takes seconds. */
    @Test
    void aTableThatTakesTheHeapBeforeItIsTrainedIsRefused() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ModelSession session = cluster.session("m");
            for (UpdateSpec update : List.of(UpdateSpec.of("adagrad"), ADD)) {
                TableSpec huge =
                        new TableSpec(
                                "huge",
                                60_000_000_000_000L,
                                64,
                                1,
                                1 << 16,
                                InitializerSpec.zero(),
                                update,
                                0);
                fails(
                        ErrorCode.INVALID_ARGUMENT,
                        "table 'huge': size 60000000000000 and 65536 partitions take about",
                        () -> get(session.createTable(huge)));
            }
            assertThat(get(session.tables())).isEmpty();
            get(session.createTable(TableSpec.dense("huge", 1_000_000_000, 1, ADD)));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tablesComeAndGoWhileTheModelIsUsed(boolean local) {
        try (TestingCluster cluster = TestingCluster.of(3, local)) {
            ModelSession plain = cluster.session("m");
            ModelSession worker = cluster.worker("m", 0, 1, ConsistencySpec.bsp());
            for (int i = 0; i < 3; i++) {
                get(worker.exchange().clock().send()); // entries before there is any table
            }
            for (int again = 0; again < 3; again++) {
                get(plain.createTable(TableSpec.dense("t", 1, 1, ADD)));
                get(worker.describe("t"));
                get(add(plain, 1).send());
                get(add(plain, 1).send());
                get(add(worker, 2).clock().send());
                assertThat(value(worker, "t", 0)).isEqualTo(4);
                assertThat(get(plain.tables())).containsExactly("t");
                get(plain.dropTable("t"));
                get(plain.dropTable("t"));
                assertThat(get(plain.tables())).isEmpty();
                fails(ErrorCode.UNKNOWN_TABLE, "table", () -> get(add(worker, 1).clock().send()));
                fails(ErrorCode.UNKNOWN_TABLE, "t", () -> get(plain.describe("t")));
            }
            assertThat(worker.clock()).isEqualTo(9);
        }
    }

    /** A push that was refused has taken its turn, in the tables that are still there too. */
    @Test
    void aPlainClientGoesOnBehindAPushToATableThatIsGone() {
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            ModelSession plain = cluster.session("m");
            ModelSession other = cluster.session("m");
            for (String table : List.of("t", "u")) {
                get(plain.createTable(TableSpec.dense(table, 1, 1, ADD)));
                get(other.describe(table));
            }
            get(plain.dropTable("t"));
            fails(
                    ErrorCode.UNKNOWN_TABLE,
                    "no table",
                    () ->
                            get(
                                    other.exchange()
                                            .pushRange("u", 0, 1, new float[] {1}, 1)
                                            .pushRange("t", 0, 1, new float[] {1}, 1)
                                            .send()));
            get(other.exchange().pushRange("u", 0, 1, new float[] {2}, 1).send());
            assertThat(value(other, "u", 0)).isEqualTo(2);
        }
    }

    @Test
    void aFullPartitionRefusesThePushAndTheWorkerGoesOn() {
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            ModelSession worker = cluster.worker("m", 0, 1, ConsistencySpec.asp());
            get(worker.createTable(TableSpec.dense("t", 1, 1, UpdateSpec.of("add"))));
            get(
                    worker.createTable(
                            TableSpec.dense("s", 2, 1, UpdateSpec.of(SignUpdateFactory.NAME))));
            float[] broken = {5, 666};
            fails(
                    ErrorCode.INTERNAL,
                    "no step of 666",
                    () -> get(worker.exchange().pushRange("s", 0, 2, broken, 1).clock().send()));
            get(worker.exchange().pushRange("s", 0, 2, new float[] {5, -7}, 1).clock().send());
            assertThat(value(worker, "s", 1)).isEqualTo(-1);
            assertThat(worker.clock()).isEqualTo(2);
        }
    }

    /** Pushes of all of them are lost, though they were acknowledged. */
    @Test
    void aRoundThatFailsIsTheErrorOfAllWorkersAndOtherRoundsAreApplied() {
        try (TestingCluster cluster = TestingCluster.of(1, false)) {
            ModelSession ahead = cluster.worker("m", 0, 2, ConsistencySpec.bsp());
            ModelSession last = cluster.worker("m", 1, 2, ConsistencySpec.bsp());
            UpdateSpec sign = UpdateSpec.of(SignUpdateFactory.NAME);
            get(ahead.createTable(TableSpec.dense("s", 1, 1, sign)));
            get(ahead.exchange().pushRange("s", 0, 1, new float[] {666}, 1).clock().send());
            get(ahead.exchange().pushRange("s", 0, 1, new float[] {5}, 1).clock().send());
            CompletableFuture<Void> waits =
                    ahead.exchange().pullRange("s", 0, 1, new float[1]).send();
            fails(ErrorCode.INTERNAL, "no step of 666", () -> get(last.deregister()));
            fails(ErrorCode.INTERNAL, "no step of 666", () -> get(waits));
            fails(
                    ErrorCode.INTERNAL,
                    "no step of 666",
                    () -> get(ahead.exchange().pullRange("s", 0, 1, new float[1]).send()));
            try (ParameterClient client = cluster.client()) {
                ModelSession plain = get(client.open(plain("m")));
                get(plain.describe("s"));
                assertThat(value(plain, "s", 0)).isEqualTo(1);
            }
        }
    }

    @Test
    void modelsAreDroppedAndCountedByServers() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            ParameterClient client = cluster.client();
            ModelSession session = get(client.open(plain("m")));
            get(session.createTable(TableSpec.dense("t", 100, 1, ADD).withPartitions(64)));
            get(session.exchange().pushRange("t", 0, 100, new float[100], 1).send());
            List<ServerStats> stats = get(client.stats(Duration.ofSeconds(20)));
            assertThat(stats).hasSize(2).allMatch(s -> s.models() == 1 && s.tables() == 1);
            assertThat(stats.stream().mapToLong(ServerStats::rows).sum()).isEqualTo(100);
            assertThat(stats).allMatch(s -> s.owners() == 2 && s.requests() > 0 && s.bytes() > 0);
            get(client.dropModel("m", Duration.ofSeconds(20)));
            get(client.dropModel("m", Duration.ofSeconds(20)));
            fails(ErrorCode.UNKNOWN_SESSION, "session", () -> get(add(session, 1).send()));
            assertThat(get(client.stats(Duration.ofSeconds(20))))
                    .allMatch(s -> s.models() == 0 && s.rows() == 0);
            ModelSession next = get(client.open(plain("m")));
            assertThat(get(next.tables())).isEmpty();
        }
    }

    @Test
    void rowsWithSlotsAreScannedAndLoadedElsewhere() {
        try (TestingCluster cluster = TestingCluster.of(2, false)) {
            TableSpec spec = TableSpec.sparse("t", 3, UpdateSpec.of("adagrad")).withPartitions(4);
            ModelSession from = cluster.session("from");
            ModelSession to = cluster.session("to");
            get(from.createTable(spec));
            get(to.createTable(spec));
            long[] raw = LongStream.range(0, 1000).map(i -> i * 977).toArray();
            KeyList keys = from.keys("t", raw, 0, raw.length);
            float[] gradients = new float[3000];
            for (int i = 0; i < gradients.length; i++) {
                gradients[i] = i % 17 - 8;
            }
            get(from.exchange().push(keys, gradients, 1).send());
            for (int partition = 0; partition < 4; partition++) {
                long cursor = 0;
                while (cursor != RowChunk.END) {
                    RowChunk chunk = get(from.scan("t", partition, cursor, true));
                    assertThat(chunk.slots()).hasDimensions(1, chunk.values().length);
                    get(to.load("t", chunk));
                    cursor = chunk.nextCursor();
                }
            }
            KeyList same = to.keys("t", raw, 0, raw.length);
            // Another step shows that the slots have come along.
            get(from.exchange().push(keys, gradients, 1).send());
            get(to.exchange().push(same, gradients, 1).send());
            float[] expected = new float[3000];
            float[] actual = new float[3000];
            get(from.exchange().pull(keys, expected).send());
            get(to.exchange().pull(same, actual).send());
            assertThat(actual).isEqualTo(expected);
            fails(ErrorCode.INVALID_ARGUMENT, "no partition 4", () -> from.scan("t", 4, 0, true));
            fails(ErrorCode.INVALID_ARGUMENT, "cursor", () -> get(from.scan("t", 0, -5, true)));
        }
    }
}
