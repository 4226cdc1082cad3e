package io.github.flinkps.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.codec.BatchLayout;
import io.github.flinkps.codec.BatchView;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateInput;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ControlWriter;
import io.github.flinkps.protocol.ExchangeHeader;
import io.github.flinkps.protocol.ExchangeSection;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.testing.TestingConnection;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.FrameHandler;
import io.github.flinkps.transport.Loop;
import io.github.flinkps.transport.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClientSessionTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final StillLoop loop = new StillLoop();
    private final Nowhere nowhere = new Nowhere();
    private final ServerLink link = link(nowhere, 0);
    private final ClientSession session = session(0);

    private static ServerLink link(Transport transport, int owner) {
        return new ServerLink(
                transport,
                "a:1",
                owner,
                0,
                own -> HelloMessage.Request.of(own, 1, new byte[0]),
                ClientConfig.defaults(),
                new Traffic());
    }

    private ClientSession session(int worker) {
        return session(worker, link);
    }

    /** Returns a session with a server that has as many owners as there are links. */
    private ClientSession session(int worker, ServerLink... links) {
        return new ClientSession(
                new SessionSpec("m", "run", 1, worker, 2, ConsistencySpec.asp(), TIMEOUT),
                ClientConfig.defaults(),
                new Topology(new int[] {links.length}),
                links,
                new int[] {1},
                null,
                loop);
    }

    /** A loop whose time stands still unless it is set, and whose clock can be broken. */
    private static final class StillLoop implements Loop {
        private final Deque<Runnable> commands = new ArrayDeque<>();
        private Error broken;
        private boolean ended;
        private long nanos;

        void runAll() {
            for (Runnable next = commands.poll(); next != null; next = commands.poll()) {
                next.run();
            }
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public Runnable schedule(Runnable command, long delayNanos) {
            return () -> {};
        }

        @Override
        public long nanoTime() {
            if (broken != null) {
                throw broken;
            }
            return nanos;
        }

        @Override
        public void execute(Runnable command) {
            if (ended) {
                throw new RejectedExecutionException("for this test");
            }
            commands.add(command);
        }
    }

    /** Reaches no server, and says so never, or at once. */
    private static final class Nowhere implements Transport {
        private final StillLoop loop = new StillLoop();
        private CompletableFuture<Connection> answer = new CompletableFuture<>();

        @Override
        public CompletableFuture<Connection> connect(
                String address, FrameHandler handler, long timeoutNanos) {
            return answer;
        }

        @Override
        public Loop loop() {
            return loop;
        }

        @Override
        public void close() {}
    }

    private ExchangeOperation clock() {
        return (ExchangeOperation) session.exchange().clock();
    }

    private CompletableFuture<Boolean> toldUnderTheMonitor(ExchangeOperation operation) {
        return operation.result().handle((done, error) -> Thread.holdsLock(session));
    }

    @Test
    void callersAreToldOutsideOfTheMonitor() {
        ExchangeOperation empty = (ExchangeOperation) session.exchange();
        CompletableFuture<Boolean> nothingToSend = toldUnderTheMonitor(empty);
        empty.send();
        assertThat(nothingToSend).isCompletedWithValue(false);

        link.close();
        ExchangeOperation refused = clock();
        CompletableFuture<Boolean> atOnce = toldUnderTheMonitor(refused);
        assertThat(refused.send()).isCompletedExceptionally();
        assertThat(atOnce).isCompletedWithValue(false);
    }

    @Test
    void callersOfAnotherSessionAreToldOutsideOfTheMonitorToo() {
        nowhere.answer =
                CompletableFuture.failedFuture(new PsException(ErrorCode.CLOSED, "for this test"));
        ClientSession other = session(1);
        CompletableFuture<Boolean> told;
        synchronized (session) { // as where it sends
            ExchangeOperation operation = (ExchangeOperation) other.exchange().clock();
            told = toldUnderTheMonitor(operation);
            operation.send();
            assertThat(told).isNotDone();
        }
        nowhere.loop.runAll();
        assertThat(told).isCompletedWithValue(false);
    }

    @Test
    void soTheyAreWhenTheClientEndsMeanwhile() throws Exception {
        nowhere.loop.ended = true;
        CompletableFuture<Boolean> told;
        synchronized (session) {
            ExchangeOperation operation = (ExchangeOperation) session(1).exchange().clock();
            told = toldUnderTheMonitor(operation);
            operation.send();
        }
        assertThat(told.get(20, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void whatFailsWhileItIsSentFailsItsOperationAndWhatFollows() {
        nowhere.loop.broken = new OutOfMemoryError("for this test");
        CompletableFuture<Void> failed = clock().send();
        isInternal(failed, "java.lang.OutOfMemoryError");
        isInternal(clock().send(), "operation 1 of this session has failed");
        assertThat(session.exchange().send()).as("without an entry").isCompleted();
    }

    /**
     * The pull goes to the first owner; the clock goes to both, and the second cannot be reached.
     */
    @Test
    void aBugThatKeepsALaterOperationFromBeingSentFailsTheLoop() {
        Nowhere broken = new Nowhere();
        ClientSession twoOwners = session(0, link, link(broken, 1));
        TableSpec table = TableSpec.dense("t", 2, 1, UpdateSpec.of("sgd")).withPartitions(2);
        twoOwners.learn(new TableRequests.Found(table, UpdateInput.GRADIENT_SUM, new int[] {1}));
        ExchangeOperation pull =
                (ExchangeOperation) twoOwners.exchange().pullRange("t", 0, 1, new float[1]);
        pull.send();
        CompletableFuture<Void> failed =
                twoOwners.exchange().clock().after(pull.timestamp()).send();
        assertThat(failed).isNotDone();

        broken.loop.broken = new AssertionError("for this test");
        twoOwners.finished(pull, null);
        isInternal(failed, "for this test");
        assertThatThrownBy(loop::runAll).isSameAs(broken.loop.broken);
    }

    /** It ends at the first owner's link; the second one sends when its connection is there. */
    @Test
    void anOperationWhoseTimeIsOverSendsLaterWhatItWasGiven() {
        Nowhere slow = new Nowhere();
        ServerLink second = link(slow, 1);
        ClientSession twoOwners = session(0, link, second);
        TableSpec table = TableSpec.dense("t", 2, 1, UpdateSpec.of("sgd")).withPartitions(2);
        twoOwners.learn(new TableRequests.Found(table, UpdateInput.GRADIENT_SUM, new int[] {1}));
        float[] gradients = {3, 5};
        CompletableFuture<Void> push =
                twoOwners.exchange().pushRange("t", 0, 2, gradients, 1).send();
        nowhere.loop.nanos = TIMEOUT.toNanos();
        link.sweep();
        assertThat(push).isCompletedExceptionally();
        Arrays.fill(gradients, 7);

        TestingConnection connection = new TestingConnection(UnpooledByteBufAllocator.DEFAULT);
        slow.answer.complete(connection);
        slow.loop.runAll();
        second.onFrame(
                connection,
                new HelloMessage.Response(1, 2, 9, 1 << 20).encode(connection.allocator(), 0));
        assertThat(pushed(connection.sent().get(1))).isEqualTo(5);
        connection.sent().forEach(ByteBuf::release);
    }

    /** Returns the only value of the only push in a frame. */
    private static float pushed(ByteBuf frame) {
        ByteBuffer in = frame.nioBuffer(0, frame.writerIndex()).order(ByteOrder.LITTLE_ENDIAN);
        int section = ExchangeHeader.section(0);
        BatchView values =
                BatchLayout.values(1)
                        .read(
                                in,
                                ExchangeSection.valuesOffset(in, section),
                                ExchangeSection.valuesLength(in, section));
        return in.getFloat(values.valueOffset());
    }

    /** Whoever waits for the answer is told, and the loop fails as it does without anybody. */
    @Test
    void anErrorThatReadingAnAnswerThrowsFailsItsOperationAndTheLoop() {
        Error error = new OutOfMemoryError("for this test");
        List<PsException> failures = new ArrayList<>();
        PendingRequest request =
                new PendingRequest(TIMEOUT.toNanos(), link.window(), 0) {
                    @Override
                    ByteBuf encode(boolean spellKeys) {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    void onAnswer(ByteBuf response) {
                        throw error;
                    }

                    @Override
                    void onFailure(PsException failure) {
                        failures.add(failure);
                    }
                };
        link.send(request);
        ByteBuf answer =
                new ControlWriter(UnpooledByteBufAllocator.DEFAULT)
                        .response(ApiKey.EXCHANGE, request.correlation());
        assertThatThrownBy(() -> link.onFrame(null, answer)).isSameAs(error);
        assertThat(failures).singleElement().extracting(PsException::getCause).isSameAs(error);
        assertThat(answer.refCnt()).isZero();
    }

    private static void isInternal(CompletableFuture<Void> failed, String message) {
        assertThat(failed).isCompletedExceptionally();
        assertThatThrownBy(failed::get)
                .hasMessageContaining(message)
                .cause()
                .isInstanceOfSatisfying(
                        PsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL));
    }
}
