package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.github.flinkps.protocol.ApiKey;
import io.github.flinkps.protocol.ControlReader;
import io.github.flinkps.protocol.ErrorFrame;
import io.github.flinkps.protocol.FrameHeader;
import io.github.flinkps.protocol.HelloMessage;
import io.github.flinkps.protocol.TableMessage;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.transport.Connection;
import io.github.flinkps.transport.FrameHandler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Good requests of every kind, damaged by a seed, sent to a server: each is answered, by an error
 * or not, the server goes on, and nothing stays allocated.
 */
class DamagedRequestsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int REQUESTS = Integer.getInteger("damaged.requests", 6000);
    private static final int MILLIS = 100;

    private final long seed = Long.getLong("damaged.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final SimulatedCluster cluster =
            new SimulatedCluster(seed, new int[] {1}, ServerConfig.defaults(), 1000);
    private long correlation = 1;
    private long client;
    private Raw control;
    private Raw owner;

    /** A connection without a client above it. */
    private static final class Raw implements FrameHandler {
        private Connection connection;
        private boolean closed;
        private long answered;
        private int errors;
        private final Set<String> internal = new TreeSet<>();

        @Override
        public void onFrame(Connection from, ByteBuf frame) {
            answered = FrameHeader.correlation(frame);
            PsException error = ErrorFrame.of(frame);
            if (error != null) {
                errors++;
                if (error.code() == ErrorCode.INTERNAL) {
                    internal.add(error.getMessage());
                }
            }
            frame.release();
        }

        @Override
        public void onClosed(Connection from, Throwable cause) {
            closed = true;
        }
    }

    @Test
    void everyDamagedRequestIsAnsweredAndTheServerGoesOn() {
        System.out.println("-Ddamaged.seed=" + seed);
        List<byte[]> good = goodRequests();
        control = connect(HelloMessage.CONTROL);
        owner = connect(0);
        int errors = 0;
        for (int i = 0; i < REQUESTS; i++) {
            byte[] bytes = damage(good.get(random.nextInt(good.size())));
            if (bytes == null) {
                continue;
            }
            ApiKey api = api(bytes);
            boolean onOwner = api == ApiKey.EXCHANGE || api == ApiKey.SCAN || api == ApiKey.LOAD;
            errors += send(onOwner != (random.nextInt(50) == 0), bytes);
        }
        assertThat(errors).as("errors among %s", REQUESTS).isBetween(REQUESTS / 4, REQUESTS - 1);
        assertThat(owner.internal).as("failures that no check foresaw").isEmpty();
        assertThat(control.internal).as("failures that no check foresaw").isEmpty();
        use(cluster.client(TIMEOUT), "after", SessionSpec.NO_WORKER);
        cluster.close();
    }

    private static ApiKey api(byte[] frame) {
        for (ApiKey api : ApiKey.values()) {
            if (api.id() == frame[4]) {
                return api;
            }
        }
        return null;
    }

    private Raw connect(int owner) {
        Raw raw = new Raw();
        raw.connection =
                cluster.await(
                        cluster.network()
                                .transport("raw")
                                .connect(cluster.addresses().get(0), raw, 0),
                        TIMEOUT);
        ByteBuf hello =
                HelloMessage.Request.of(owner, client, new byte[0])
                        .encode(raw.connection.allocator());
        FrameHeader.setCorrelation(hello, 77);
        raw.connection.send(hello);
        assertThat(cluster.time().runUntil(() -> raw.answered == 77, Long.MAX_VALUE)).isTrue();
        assertThat(raw.errors).isZero();
        return raw;
    }

    /** Returns 1 if the answer was an error. */
    private int send(boolean onOwner, byte[] bytes) {
        Raw raw = onOwner ? owner : control;
        ByteBuf frame = Unpooled.wrappedBuffer(bytes);
        long sent = ++correlation;
        FrameHeader.setCorrelation(frame, sent);
        FrameHeader.setTimeoutMillis(frame, MILLIS);
        int before = raw.errors;
        raw.connection.send(frame);
        long limit = cluster.time().now() + SimulatedCluster.SECOND;
        boolean answered = cluster.time().runUntil(() -> raw.answered == sent || raw.closed, limit);
        if (!answered) {
            throw new AssertionError(
                    "-Ddamaged.seed=" + seed + ": no answer to " + HexFormat.of().formatHex(bytes));
        }
        if (raw.closed) {
            control = control.closed ? connect(HelloMessage.CONTROL) : control;
            owner = owner.closed ? connect(0) : owner;
            return 1;
        }
        return raw.errors - before;
    }

    /** A copy with some bytes changed, cut or added; null for one that would ask for gigabytes. */
    private byte[] damage(byte[] good) {
        int length = good.length;
        switch (random.nextInt(6)) {
            case 0 -> length = FrameHeader.BYTES + random.nextInt(good.length);
            case 1 -> length += random.nextInt(64);
            default -> {}
        }
        byte[] bytes = java.util.Arrays.copyOf(good, Math.max(FrameHeader.BYTES, length));
        ByteBuffer view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int[] telling = {
            0, 1, -1, 2, 7, 64, 255, 4096, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE
        };
        for (int changes = random.nextInt(4); changes >= 0; changes--) {
            int at = 4 + random.nextInt(bytes.length - 4);
            if (random.nextBoolean()) {
                bytes[at] = (byte) random.nextInt();
            } else if ((at & ~3) + 4 <= bytes.length) {
                view.putInt(at & ~3, telling[random.nextInt(telling.length)]);
            }
        }
        view.putInt(0, bytes.length);
        return api(bytes) == ApiKey.CREATE_TABLE && isHuge(bytes) ? null : bytes;
    }

    private static boolean isHuge(byte[] bytes) {
        try {
            ControlReader in = new ControlReader(Unpooled.wrappedBuffer(bytes));
            in.string();
            TableSpec spec = TableMessage.readSpec(in);
            return spec.size() > 1 << 20 || spec.partitions() > 1 << 10;
        } catch (PsException e) {
            return false;
        }
    }

    private List<byte[]> goodRequests() {
        List<byte[]> frames = new ArrayList<>();
        cluster.network().record(frames);
        ParameterClient client = cluster.client(TIMEOUT);
        use(client, "m", 0);
        use(client, "m", SessionSpec.NO_WORKER);
        cluster.await(client.stats(TIMEOUT), TIMEOUT);
        cluster.await(client.grantFence("granted", "run", "attempt", TIMEOUT), TIMEOUT);
        cluster.await(client.dropModel("gone", TIMEOUT), TIMEOUT);
        cluster.network().record(null);
        for (byte[] frame : frames) {
            if (api(frame) == ApiKey.HELLO) {
                // Sessions are of the client that has opened them.
                this.client = HelloMessage.Request.decode(Unpooled.wrappedBuffer(frame)).client();
            }
        }
        frames.removeIf(frame -> api(frame) == ApiKey.HELLO);
        return frames;
    }

    private void use(ParameterClient client, String model, int worker) {
        long fence = worker < 0 ? 0 : 1;
        ModelSession session =
                cluster.await(
                        client.open(
                                new SessionSpec(
                                        model,
                                        "run",
                                        fence,
                                        worker,
                                        1,
                                        ConsistencySpec.bsp(),
                                        TIMEOUT)),
                        TIMEOUT);
        await(
                session.createTable(
                        TableSpec.dense("d", 20, 2, UpdateSpec.of("adagrad")).withPartitions(20)),
                session.createTable(TableSpec.sparse("s", 1, UpdateSpec.of("add")).withKeyBits(16)),
                session.createTable(TableSpec.sparse("l", 1, UpdateSpec.of("add"))));
        long[] raw = random.longs(30, 0, 1 << 16).toArray();
        KeyList keys = session.keys("s", raw, 0, 30);
        KeyList others = session.keys("l", raw, 0, 30);
        KeyList dense = session.keys("d", new long[] {1, 5, 19}, 0, 3);
        for (int i = 0; i < 3; i++) {
            var exchange = session.exchange().push(keys, new float[30], 1);
            exchange.push(others, new float[30], 1).push(dense, new float[6], 1);
            exchange.pushRange("d", 3, 11, new float[16], 1);
            if (worker >= 0) {
                exchange.clock();
            }
            exchange.pull(keys, new float[30]).pull(others, new float[30]);
            await(exchange.pullRange("d", 0, 20, new float[40]).send());
        }
        RowChunk chunk = cluster.await(session.scan("d", 0, 0, true), TIMEOUT);
        await(
                session.load("d", chunk),
                session.describe("d"),
                session.tables(),
                session.dropTable("none"),
                session.aggregate("d", "sum", List.of()),
                session.barrier("b", 1, TIMEOUT));
    }

    private void await(CompletableFuture<?>... futures) {
        cluster.await(CompletableFuture.allOf(futures), TIMEOUT);
    }
}
