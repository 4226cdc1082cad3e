package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.ServerConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Workers that train for some mini-batches and watch what they see: who has pushed, and how often.
 * What they push is a function of the program's seed and of what they pulled.
 */
public final class SimulatedTraining {
    static final int BATCHES = 8;
    static final Duration TIMEOUT = Duration.ofSeconds(200);
    private static final int KEYS = 48;
    private static final int WEIGHTS = 37;

    private final SimulatedCluster cluster;
    private final long program;
    private final int workers;
    private final ConsistencySpec consistency;
    private final VisibleClocks clocks;

    /** True if workers are idle now and then: others do not wait for them, nor for their clocks. */
    private final boolean rests;

    /** Elements of the table of clocks whose pushes have been acknowledged. */
    private final boolean[] acknowledged;

    private final Map<Long, Integer> counts = new HashMap<>();

    /** The pushes of each worker to {@link TrainedTables}, by clock. */
    private final History history = new History();

    private int lateCount;

    SimulatedTraining(
            SimulatedCluster cluster,
            long program,
            int workers,
            ConsistencySpec consistency,
            boolean rests) {
        this.cluster = cluster;
        this.program = program;
        this.workers = workers;
        this.consistency = consistency;
        this.clocks = new VisibleClocks(consistency, workers, BATCHES);
        this.rests = rests;
        this.acknowledged = new boolean[clocks.elements()];
    }

    /** Trains with workers that are idle now and then, on a network that loses nothing. */
    public static void withRests(long seed) {
        Random random = new Random(seed);
        boolean ssp = random.nextBoolean();
        ConsistencySpec consistency =
                ssp ? ConsistencySpec.ssp(random.nextInt(4)) : ConsistencySpec.asp();
        int[] owners = random.ints(1 + random.nextInt(3), 1, 4).toArray();
        SimulatedCluster cluster =
                new SimulatedCluster(
                        seed, owners, ServerConfig.defaults(), 100_000L << random.nextInt(9));
        int workers = 2 + random.nextInt(3);
        new SimulatedTraining(cluster, seed, workers, consistency, true).runAndClose();
    }

    private CompletableFuture<ModelSession> open(int worker) {
        return cluster.client(TIMEOUT)
                .open(
                        new SessionSpec(
                                "m",
                                "run",
                                worker < 0 ? 0 : 1,
                                worker,
                                workers,
                                consistency,
                                TIMEOUT));
    }

    /** Trains, checks what can be checked, and returns the bits of all weights. */
    int[] runAndClose() {
        try (cluster) {
            return run();
        }
    }

    private int[] run() {
        ModelSession plain = cluster.await(open(SessionSpec.NO_WORKER), TIMEOUT);
        cluster.await(
                CompletableFuture.allOf(
                        plain.createTable(
                                TableSpec.dense("seen", clocks.elements(), 1, UpdateSpec.of("add"))
                                        .withPartitions(3)),
                        plain.createTable(
                                TableSpec.sparse("count", 2, UpdateSpec.of("add"))
                                        .withKeyBits(20)
                                        .withPartitions(8)),
                        plain.createTable(
                                TableSpec.dense("dense", WEIGHTS, 2, UpdateSpec.of("adagrad"))
                                        .withPartitions(5)),
                        plain.createTable(
                                TableSpec.sparse("keyed", 1, UpdateSpec.of("adagrad"))
                                        .withPartitions(16))),
                TIMEOUT);
        TrainedTables.ALL.forEach(table -> cluster.await(plain.createTable(table), TIMEOUT));
        cluster.await(TrainedTables.load(plain), TIMEOUT);
        CompletableFuture<?>[] all = new CompletableFuture<?>[workers + 1];
        for (int worker = 0; worker < workers; worker++) {
            int index = worker;
            all[worker] = open(worker).thenCompose(session -> new Worker(session, index).train());
        }
        all[workers] = count(plain, new Random(program), 0);
        cluster.await(CompletableFuture.allOf(all), Duration.ofHours(1));
        return check(plain);
    }

    /** A plain client counts along. */
    private CompletableFuture<Void> count(ModelSession plain, Random random, int done) {
        if (done == 2 * BATCHES) {
            return CompletableFuture.completedFuture(null);
        }
        KeyList keys = keys(plain, "count", random);
        add(keys);
        float[] ones = ones(2 * keys.size());
        return plain.exchange()
                .push(keys, ones, 1)
                .send()
                .thenCompose(ok -> count(plain, random, done + 1));
    }

    private static KeyList keys(ModelSession session, String table, Random random) {
        long[] raw = random.longs(1 + random.nextInt(12), 0, KEYS).toArray();
        return session.keys(table, raw, 0, raw.length);
    }

    private void add(KeyList keys) {
        for (int i = 0; i < keys.size(); i++) {
            counts.merge(keys.key(i), 1, Integer::sum);
        }
    }

    private static float[] ones(int count) {
        float[] ones = new float[count];
        java.util.Arrays.fill(ones, 1);
        return ones;
    }

    private int[] check(ModelSession plain) {
        float[] seen = new float[clocks.elements()];
        float[] dense = new float[2 * WEIGHTS];
        long[] every = java.util.stream.LongStream.range(0, KEYS).toArray();
        KeyList countKeys = plain.keys("count", every, 0, KEYS);
        KeyList sparseKeys = plain.keys("keyed", every, 0, KEYS);
        float[] count = new float[2 * KEYS];
        float[] sparse = new float[KEYS];
        float[] late = new float[1];
        cluster.await(plain.describe("late"), TIMEOUT);
        cluster.await(
                plain.exchange()
                        .pullRange("seen", 0, seen.length, seen)
                        .pullRange("dense", 0, WEIGHTS, dense)
                        .pullRange("late", 6, 7, late)
                        .pull(countKeys, count)
                        .pull(sparseKeys, sparse)
                        .send(),
                TIMEOUT);
        assertThat(seen).as("each push once").containsOnly(1f);
        assertThat(late[0]).as("pushes to a table made in mid-run").isEqualTo(lateCount);
        for (int i = 0; i < KEYS; i++) {
            int pushed = counts.getOrDefault(countKeys.key(i), 0);
            assertThat(count[2 * i]).as("key %s", countKeys.key(i)).isEqualTo(pushed);
            assertThat(count[2 * i + 1]).isEqualTo(pushed);
        }
        checkTrained(plain);
        int[] bits = new int[dense.length + KEYS];
        for (int i = 0; i < dense.length; i++) {
            bits[i] = Float.floatToRawIntBits(dense[i]);
        }
        for (int i = 0; i < KEYS; i++) {
            bits[dense.length + (int) sparseKeys.key(i)] = Float.floatToRawIntBits(sparse[i]);
        }
        return bits;
    }

    /** Compares, where steps have one order, with the model that the optimizers alone make. */
    private void checkTrained(ModelSession plain) {
        Map<String, String> trained = new JobContents.Reader(cluster, plain).trained();
        if (consistency.kind() == ConsistencySpec.Kind.BSP) {
            assertThat(trained).isEqualTo(history.model(BATCHES).rows());
        }
        assertThat(trained.values())
                .as("values of trained rows")
                .noneMatch(row -> row.contains("NaN"));
    }

    private final class Worker {
        private final ModelSession session;
        private final int worker;
        private final Random random;
        private final boolean fused;
        private final int ahead;
        private final float[] seen = new float[clocks.elements()];
        private final float[] dense = new float[2 * WEIGHTS];
        private KeyList keys;
        private float[] sparse;

        Worker(ModelSession session, int worker) {
            this.session = session;
            this.worker = worker;
            this.random = new Random(program * 31 + worker);
            this.fused = random.nextBoolean();
            int most = Math.min(2, consistency.prefetchLimit());
            this.ahead = most == 0 ? 0 : random.nextInt(most + 1);
        }

        CompletableFuture<Void> train() {
            return pull(session.exchange(), 0)
                    .thenCompose(ok -> batch(0))
                    .thenCompose(ok -> session.deregister())
                    .thenCompose(ok -> session.barrier("end", workers, TIMEOUT));
        }

        /** The pull for batch {@code c}, at the end of an exchange that brings the clock there. */
        private CompletableFuture<Void> pull(Exchange exchange, int c) {
            keys = keys(session, "keyed", random);
            sparse = new float[keys.size()];
            int early = Math.min(ahead, BATCHES - c);
            boolean[] before = acknowledged.clone();
            return exchange.pullRange("seen", 0, seen.length, seen)
                    .pullRange("dense", 0, WEIGHTS, dense)
                    .pull(keys, sparse)
                    .pullRange("decayed", 0, TrainedTables.DECAYED.size(), new float[33])
                    .ahead(early)
                    .send()
                    .thenRun(() -> check(before, c + early));
        }

        private void check(boolean[] before, int clock) {
            if (!rests) {
                clocks.check(seen, worker, clock);
                return;
            }
            for (int i = 0; i < seen.length; i++) {
                assertThat(seen[i])
                        .as("element %d, acknowledged before: %s", i, before[i])
                        .isBetween(before[i] ? 1f : 0f, 1f);
            }
        }

        private CompletableFuture<Void> pause(long nanos) {
            CompletableFuture<Void> over = new CompletableFuture<>();
            cluster.time().at(cluster.time().now() + nanos, () -> over.complete(null));
            return over;
        }

        /** Has no mini-batches for a while, now and then. */
        private CompletableFuture<Void> rest() {
            if (!rests || random.nextBoolean()) {
                return CompletableFuture.completedFuture(null);
            }
            long length = random.nextInt(1 << (10 + random.nextInt(18)));
            boolean named = random.nextBoolean();
            return session.idle()
                    .thenCompose(ok -> pause(length))
                    .thenCompose(ok -> named ? session.rejoin(1) : session.rejoin());
        }

        private CompletableFuture<Void> batch(int c) {
            if (c == BATCHES) {
                return CompletableFuture.completedFuture(null);
            }
            CompletableFuture<Void> before =
                    c == BATCHES / 2 ? makeLate() : CompletableFuture.completedFuture(null);
            return before.thenCompose(ok -> push(c))
                    .thenCompose(ok -> rest())
                    .thenCompose(ok -> batch(c + 1));
        }

        private CompletableFuture<Void> makeLate() {
            return session.createTable(
                            TableSpec.dense("late", 7, 1, UpdateSpec.of("add")).withPartitions(2))
                    .thenApply(spec -> null);
        }

        private CompletableFuture<Void> push(int c) {
            Exchange exchange = session.exchange();
            if (c >= BATCHES / 2) {
                exchange.pushRange("late", 6, 7, new float[] {1}, 1);
                lateCount++;
            }
            KeyList counted = keys(session, "count", random);
            add(counted);
            exchange.push(counted, ones(2 * counted.size()), 1);
            if (random.nextInt(4) == 0) { // a round may have several pushes
                CompletableFuture<Void> first = exchange.send();
                exchange = session.exchange();
                assertThat(first).isNotNull();
            }
            int row = clocks.element(worker, c);
            double weight = pushTrained(exchange, row, c);
            exchange.pushRange("seen", row, row + 1, new float[] {1}, 1)
                    .pushRange("dense", 3L * worker, WEIGHTS, gradients(dense, 6 * worker), 1)
                    .push(keys, gradients(sparse, 0), 1)
                    .clock(weight);
            CompletableFuture<Void> sent =
                    fused
                            ? pull(exchange, c + 1)
                            : exchange.send().thenCompose(ok -> pull(session.exchange(), c + 1));
            return sent.thenRun(() -> acknowledged[row] = true);
        }

        /** Pushes what a row trains, and returns its weight. */
        private double pushTrained(Exchange exchange, int row, int c) {
            RecordedExchange recorded = new RecordedExchange(exchange);
            double weight = TrainedTables.weight(row);
            for (TrainedTables.Gradients of : TrainedTables.gradients(row)) {
                long from = of.fromKey();
                String table = of.table().name();
                if (of.table().isSparse()) {
                    KeyList one = session.keys(table, new long[] {from}, 0, 1);
                    recorded.push(one, of.values(), weight);
                } else {
                    recorded.pushRange(table, from, from + of.rows(), of.values(), weight);
                }
            }
            history.add(worker, c, recorded.batch(weight));
            return weight;
        }

        private float[] gradients(float[] pulled, int from) {
            float[] gradients = new float[pulled.length - from];
            for (int i = 0; i < gradients.length; i++) {
                gradients[i] = pulled[from + i] * 0.5f + (random.nextInt(256) - 128) / 64f;
            }
            return gradients;
        }
    }
}
