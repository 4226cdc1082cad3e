package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.RowChunk;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.protocol.AdminCodec;
import io.github.flinkps.protocol.AdminMessages;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.protocol.ScanMessage;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerConfig.RequestLimits;
import io.github.flinkps.server.ServerConfig.StoreLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what a server does when it is asked for more than it may hold. */
class LimitsITCase {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final ServerConfig CONFIG = ServerConfig.defaults().withOwners(1);
    private static final UpdateSpec ADD = UpdateSpec.of("add");
    private static final int LEAST_IN_FLIGHT = 4 << 20;

    private static TestingCluster cluster(boolean local, int partitionRows) {
        return new TestingCluster(
                1, local, limited(CONFIG.requests().maxFrameBytes(), partitionRows));
    }

    private static ServerConfig limited(int frameBytes, int partitionRows) {
        return CONFIG.withRequests(
                        new RequestLimits(
                                frameBytes, LEAST_IN_FLIGHT, CONFIG.requests().maxParked()))
                .withStore(new StoreLimits(CONFIG.store().keyCacheBytes(), partitionRows));
    }

    private static float[] ones(int length) {
        float[] ones = new float[length];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** Their frames would wait for nobody until their deadline. */
    @Test
    void pullsOfAConnectionThatHasClosedTakeNoRoomOfOthers() {
        RequestLimits of = CONFIG.requests();
        RequestLimits one = new RequestLimits(of.maxFrameBytes(), of.inFlightBytes(), 1);
        try (TestingCluster cluster = new TestingCluster(1, false, CONFIG.withRequests(one))) {
            ParameterClient first = cluster.client();
            ModelSession gone = get(first.open(worker(0)));
            ModelSession stays = get(cluster.client().open(worker(1)));
            cluster.worker("m", 2, 3, ConsistencySpec.bsp());
            get(gone.createTable(TableSpec.dense("t", 1, 1, ADD)));
            get(stays.describe("t"));
            get(gone.exchange().clock().send());
            get(stays.exchange().clock().send());
            gone.exchange().pullRange("t", 0, 1, new float[1]).timeout(LONG).send();
            get(gone.tables()); // sent behind it
            first.close();
            assertThatThrownBy(
                            () ->
                                    get(
                                            stays.exchange()
                                                    .pullRange("t", 0, 1, new float[1])
                                                    .timeout(Duration.ofSeconds(5))
                                                    .send()))
                    .as("it waits, and is told for whom")
                    .hasMessageContaining("worker 2 of model 'm' stands at clock 0");
        }
    }

    private static SessionSpec worker(int worker) {
        return new SessionSpec("m", "run", 1, worker, 3, ConsistencySpec.bsp(), TIMEOUT);
    }

    /** Each round that waits keeps the weights of all workers, also where nobody pushes. */
    @ParameterizedTest
    @CsvSource({"2, 256", "2000, 256"})
    void aWorkerThatOnlyCountsClocksIsHeldBackToo(int workers, int most) {
        try (TestingCluster cluster = cluster(true, 10)) {
            ModelSession fast = cluster.worker("m", 0, workers, ConsistencySpec.bsp());
            for (int clock = 0; clock < most; clock++) {
                get(fast.exchange().clock().timeout(LONG).send());
            }
            CompletableFuture<Void> refused =
                    fast.exchange().clock().timeout(Duration.ofSeconds(1)).send();
            assertThatThrownBy(() -> get(refused))
                    .hasMessageContaining("worker 0 is " + most + " rounds ahead of worker 1");
        }
    }

    /** Rounds that wait for a slow worker are kept, but not without end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWorkerFarAheadOfAnotherIsHeldBack(boolean local) {
        try (TestingCluster cluster = cluster(local, 10)) {
            ModelSession fast = cluster.worker("m", 0, 2, ConsistencySpec.bsp());
            ModelSession slow = cluster.worker("m", 1, 2, ConsistencySpec.bsp());
            int size = 200_000; // a fifth of what may wait
            get(fast.createTable(TableSpec.dense("t", size, 1, ADD)));
            get(slow.createTable(TableSpec.dense("t", size, 1, ADD)));
            int sent = 0;
            CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
            while (last.isDone() && !last.isCompletedExceptionally()) {
                assertThat(sent).isLessThan(20);
                last = push(fast, size, sent < 3 ? LONG : Duration.ofSeconds(2));
                sent++;
                last.handle((done, cause) -> null).join();
            }
            CompletableFuture<Void> refused = last;
            assertThat(sent).isBetween(6, 9);
            assertThatThrownBy(() -> get(refused))
                    .hasMessageContaining("rounds ahead of worker 1")
                    .hasMessageContaining("bytes of pushes wait");
            for (int i = 1; i < sent; i++) {
                get(slow.exchange().clock().send());
            }
            float[] first = new float[1];
            get(slow.exchange().pullRange("t", 0, 1, first).send());
            assertThat(first).containsExactly(sent - 1);
        }
    }

    private static CompletableFuture<Void> push(ModelSession worker, int size, Duration timeout) {
        return worker.exchange()
                .pushRange("t", 0, size, ones(size), 1)
                .clock()
                .timeout(timeout)
                .send();
    }

    /** Requests are cut to what the server takes, their keys included. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requestsFitTheFramesOfTheServer(boolean local) {
        ServerConfig small = limited(1 << 16, 1 << 20);
        try (TestingCluster cluster = new TestingCluster(1, local, small)) {
            ModelSession session = cluster.worker("m", 0, 1, ConsistencySpec.asp());
            get(session.createTable(TableSpec.sparse("t", 1, ADD)));
            int count = 100_000;
            KeyList keys =
                    session.keys(
                            "t", LongStream.range(0, count).map(k -> k * k).toArray(), 0, count);
            get(session.exchange().push(keys, ones(count), 1).clock().send());
            float[] values = new float[count];
            get(session.exchange().pull(keys, values).send());
            assertThat(values).containsOnly(1);
        }
    }

    /** The server would cut it off, and again each time that it comes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aControlRequestThatIsTooLargeIsNotSent(boolean local) {
        try (TestingCluster cluster = cluster(local, 10)) {
            ModelSession session = cluster.session("m");
            int most = FrameHeader.CONTROL_FRAME_LIMIT / Double.BYTES;
            assertThatThrownBy(() -> get(session.barrier("b", 1, new double[most - 100], LONG)))
                    .as("it is sent, and answered")
                    .hasMessageContaining("at most 64 values of each");
            assertThatThrownBy(() -> get(session.barrier("b", 1, new double[most], LONG)))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE))
                    .hasMessageContaining("more than a control request may have, 4194304");
            assertThat(cluster.client().traffic().retries()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFullTableIsNamedWithWhatToChange(boolean local) {
        try (TestingCluster cluster = cluster(local, 10)) {
            ModelSession worker = cluster.worker("m", 0, 1, ConsistencySpec.bsp());
            get(worker.createTable(TableSpec.sparse("clicks", 1, ADD).withPartitions(1)));
            get(worker.createTable(TableSpec.sparse("other", 1, ADD).withPartitions(1)));
            KeyList eight = worker.keys("clicks", LongStream.range(0, 8).toArray(), 0, 8);
            get(worker.exchange().push(eight, ones(8), 1).clock().send());

            KeyList more = worker.keys("clicks", LongStream.range(6, 20).toArray(), 0, 14);
            KeyList other = worker.keys("other", new long[] {1}, 0, 1);
            assertThatThrownBy(
                            () ->
                                    get(
                                            worker.exchange()
                                                    .push(more, ones(14), 1)
                                                    .push(other, ones(1), 1)
                                                    .clock()
                                                    .send()))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_FULL))
                    .hasMessageContaining("table 'clicks'")
                    .hasMessageContaining("holds 8 rows and cannot take 12 more (limit 10)")
                    .hasMessageContaining("create the table with more partitions than 1");

            // Nothing of it took effect but its place in the log: the worker goes on.
            get(worker.exchange().push(eight, ones(8), 1).clock().send());
            float[] values = new float[8];
            float[] others = new float[15];
            KeyList late = worker.keys("clicks", LongStream.range(8, 20).toArray(), 0, 12);
            get(worker.exchange().pull(eight, values).pull(late, others).send());
            assertThat(values).containsOnly(2);
            get(worker.exchange().pull(other, others).send());
            assertThat(others).containsOnly(0);

            RowChunk rows =
                    new RowChunk(
                            0,
                            LongStream.range(100, 103).toArray(),
                            new float[3],
                            new float[0][],
                            0,
                            RowChunk.END);
            assertThatThrownBy(() -> get(worker.load("clicks", rows)))
                    .hasMessageContaining("table 'clicks'")
                    .hasMessageContaining("cannot take 3 more");
        }
    }

    /** Pulls that wait hold their frames; what is too much is refused and tried again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitingRequestsAreLimitedAndAllAreServedInTheEnd(boolean local) throws Exception {
        int rounds = 7;
        int floats = 100_000;
        try (TestingCluster cluster = cluster(local, 10)) {
            ConsistencySpec bsp = ConsistencySpec.bsp();
            ParameterClient client = cluster.client();
            List<ModelSession> fast = new ArrayList<>();
            for (int worker = 0; worker < 3; worker++) { // over one connection
                SessionSpec spec = new SessionSpec("m", "run", 1, worker, 4, bsp, LONG);
                fast.add(get(client.open(spec)));
                get(fast.get(worker).createTable(TableSpec.dense("t", floats, 1, ADD)));
            }
            ModelSession slow = cluster.worker("m", 3, 4, bsp);
            get(slow.describe("t"));
            List<CompletableFuture<Void>> all = new ArrayList<>();
            float[] seen = new float[1];
            for (int i = 0; i < rounds; i++) {
                for (ModelSession worker : fast) {
                    all.add(
                            worker.exchange()
                                    .pushRange("t", 0, floats, ones(floats), 1)
                                    .clock()
                                    .pullRange("t", 0, 1, seen)
                                    .send());
                }
            }
            long end = System.nanoTime() + TIMEOUT.toNanos();
            while (client.traffic().retries() == 0 && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            assertThat(client.traffic().retries()).as("refused").isPositive();
            assertThat(all).noneMatch(CompletableFuture::isDone);
            for (int i = 0; i < rounds; i++) {
                get(slow.exchange().pushRange("t", 0, floats, ones(floats), 1).clock().send());
            }
            all.forEach(TestingCluster::get);
            float[] values = new float[floats];
            get(slow.exchange().pullRange("t", 0, floats, values).send());
            assertThat(values).containsOnly(4 * rounds);
        }
    }

    /** A client asks for hundreds of megabytes and takes none of it: the server stops reading. */
    @Test
    void aClientThatDoesNotTakeItsAnswersIsNotReadAnyMore() throws Exception {
        int asked = 400;
        try (TestingCluster cluster = cluster(false, 1 << 20)) {
            ModelSession session = cluster.session("m");
            get(session.createTable(TableSpec.dense("t", 4096, 64, ADD).withPartitions(1)));
            ParameterClient watch = cluster.client();
            int port = cluster.server(0).port();
            try (RawClient control = RawClient.hello(port, HelloMessage.CONTROL, 99);
                    RawClient owner = RawClient.hello(port, 0, 99)) {
                int number = control.open("m");
                long before = requests(watch);
                for (int i = 1; i <= asked; i++) {
                    owner.send(i, scan(number));
                }
                long taken = settled(watch) - before;
                // 4 MiB and what the sockets' buffers take, at half a megabyte each
                assertThat(taken).as("requests taken of %s", asked).isBetween(1L, asked / 2L);
                BitSet answered = new BitSet();
                for (int i = 0; i < asked; i++) {
                    ByteBuf answer = owner.receive();
                    assertThat(ErrorFrame.of(answer)).isNull();
                    answered.set((int) FrameHeader.correlation(answer));
                }
                assertThat(answered.cardinality()).isEqualTo(asked);
            }
        }
    }

    /** Of answers that nobody takes, be they small, there is no more than there is memory for. */
    @ParameterizedTest
    @CsvSource({"4096, 60", "200, 500"})
    void answersThatNobodyTakesAreRefusedBeforeTheyTakeMemory(int rows, int asked)
            throws Exception {
        int clients = 4;
        ServerConfig config =
                CONFIG.withConnections(
                        new ServerConfig.Connections(
                                1000, 1000, 64 << 20, 4 << 20, Duration.ofSeconds(10)));
        try (TestingCluster cluster = new TestingCluster(1, false, config)) {
            ModelSession session = cluster.session("m");
            get(session.createTable(TableSpec.dense("t", rows, 64, ADD).withPartitions(1)));
            int port = cluster.server(0).port();
            List<RawClient> greedy = new ArrayList<>();
            try {
                for (int client = 0; client < clients; client++) {
                    greedy.add(RawClient.hello(port, HelloMessage.CONTROL, 99 + client));
                    int number = greedy.get(2 * client).open("m");
                    greedy.add(RawClient.hello(port, 0, 99 + client));
                    for (int i = 1; i <= asked; i++) {
                        greedy.get(2 * client + 1).send(i, scan(number));
                    }
                }
                // Others go on, and meanwhile the server has taken what was sent.
                for (int i = 0; i < 100; i++) {
                    get(session.exchange().pullRange("t", 0, 1, new float[64]).send());
                    TimeUnit.MILLISECONDS.sleep(5);
                }
                int refused = 0;
                for (int client = 0; client < clients; client++) {
                    for (int i = 0; i < asked; i++) {
                        PsException error = ErrorFrame.of(greedy.get(2 * client + 1).receive());
                        if (error != null) {
                            assertThat(error)
                                    .hasMessageContaining("answers that clients do not take")
                                    .extracting(PsException::code)
                                    .isEqualTo(ErrorCode.THROTTLED);
                            refused++;
                        }
                    }
                }
                assertThat(refused).isPositive();
                assertThat(get(session.scan("t", 0, 0, false)).keys()).isNotEmpty();
            } finally {
                for (RawClient each : greedy) {
                    each.close();
                }
            }
        }
    }

    private static long requests(ParameterClient watch) {
        return get(watch.stats(TIMEOUT)).get(0).requests();
    }

    /** The number of requests, less those of asking, once it does not change any more. */
    private static long settled(ParameterClient watch) throws InterruptedException {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        long last = -1;
        long asked = 0;
        int same = 0;
        while (same < 30 && System.nanoTime() < end) {
            asked++;
            long now = requests(watch) - asked;
            same = now == last ? same + 1 : 0;
            last = now;
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(same).as("requests came to a stand").isEqualTo(30);
        return last;
    }

    /** A session's number alone can be guessed: numbers are small and grow by one. */
    @Test
    void aSessionBelongsToTheClientThatHasOpenedIt() throws IOException {
        try (TestingCluster cluster = new TestingCluster(1, false, ServerConfig.defaults())) {
            get(cluster.session("m").createTable(TableSpec.dense("t", 8, 1, ADD)));
            int port = cluster.server(0).port();
            try (RawClient control = RawClient.hello(port, HelloMessage.CONTROL, 99);
                    RawClient own = RawClient.hello(port, 0, 99);
                    RawClient others = RawClient.hello(port, 0, 98);
                    RawClient othersControl = RawClient.hello(port, HelloMessage.CONTROL, 98)) {
                int session = control.open("m");
                own.send(2, scan(session));
                assertThat(ErrorFrame.of(own.receive())).isNull();
                others.send(2, scan(session));
                assertThat(ErrorFrame.of(others.receive()).code())
                        .isEqualTo(ErrorCode.UNKNOWN_SESSION);
                AdminMessages.Barrier barrier =
                        new AdminMessages.Barrier(session, "b", 1, false, new double[0]);
                ByteBuf frame =
                        AdminCodec.request(
                                UnpooledByteBufAllocator.DEFAULT, ApiKey.BARRIER, barrier);
                othersControl.send(2, frame);
                assertThat(ErrorFrame.of(othersControl.receive()).code())
                        .isEqualTo(ErrorCode.UNKNOWN_SESSION);
            }
        }
    }

    private static ByteBuf scan(int session) {
        return new ScanMessage(session, 1, 0, 0, false).encode(UnpooledByteBufAllocator.DEFAULT);
    }
}
