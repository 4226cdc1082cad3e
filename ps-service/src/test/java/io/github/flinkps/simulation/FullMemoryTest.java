package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.Exchange;
import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.ErrorCode;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerConfig.RequestLimits;
import io.github.flinkps.server.ServerConfig.StoreLimits;
import io.github.flinkps.testing.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Servers that now and then have no memory for an answer, nor for saying so: each request has an
 * answer all the same, or its connection ends and it comes again; entries count once, and nothing
 * stays allocated.
 */
class FullMemoryTest {
    private static final int RUNS = Integer.getInteger("simulation.runs", 80) / 2;
    private static final Duration PATIENCE = Duration.ofSeconds(200);
    private static final int BATCHES = 12;
    private static final int BARRIER_EVERY = 4;

    private int failures;
    private int refusals;

    @Test
    void everyEntryCountsOnce() {
        Seeds.forEach("full memory", RUNS, this::train);
        assertThat(refusals).as("times that there was no memory").isPositive();
        assertThat(failures).as("requests that failed of it").isPositive();
    }

    /**
     * The push took its place in the log: asked again, the server must not say that all is well.
     */
    @Test
    void aRefusalWhoseAnswerIsLostIsToldAgain() {
        for (int worker : new int[] {0, SessionSpec.NO_WORKER}) {
            SimulatedCluster cluster =
                    new SimulatedCluster(
                            1,
                            new int[] {1},
                            ServerConfig.defaults()
                                    .withRequests(new RequestLimits(1 << 20, 4 << 20, 4096))
                                    .withStore(new StoreLimits(1 << 20, 4)),
                            1_000_000);
            SessionSpec spec =
                    new SessionSpec(
                            "m",
                            "run",
                            worker < 0 ? 0 : 1,
                            worker,
                            1,
                            ConsistencySpec.asp(),
                            PATIENCE);
            ModelSession session = cluster.await(cluster.client(PATIENCE).open(spec), PATIENCE);
            TableSpec table = TableSpec.sparse("t", 1, UpdateSpec.of("add")).withPartitions(1);
            cluster.await(session.createTable(table), PATIENCE);
            long[] keys = {1, 2, 3, 4, 5, 6};
            KeyList few = session.keys("t", keys, 0, 4);
            cluster.await(session.exchange().pull(few, new float[4]).send(), PATIENCE);
            int[] times = {0};
            cluster.network().serversFullIf(() -> times[0]++ == 0);
            Exchange push = session.exchange().push(session.keys("t", keys, 0, 6), new float[6], 1);
            assertThatThrownBy(() -> cluster.await(push.send(), PATIENCE))
                    .isInstanceOfSatisfying(
                            PsException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_FULL));
            assertThat(times[0]).as("answers: none, a hello, and it again").isEqualTo(3);
            cluster.await(
                    session.exchange().push(few, new float[] {1, 1, 1, 1}, 1).send(), PATIENCE);
            cluster.close();
        }
    }

    private void train(long seed) {
        Random random = new Random(seed);
        int workers = 1 + random.nextInt(3);
        ConsistencySpec consistency =
                List.of(ConsistencySpec.bsp(), ConsistencySpec.ssp(1), ConsistencySpec.asp())
                        .get(random.nextInt(3));
        SimulatedCluster cluster =
                new SimulatedCluster(
                        seed,
                        random.ints(1 + random.nextInt(2), 1, 3).toArray(),
                        ServerConfig.defaults(),
                        100_000L << random.nextInt(6),
                        new MemoryStorage());
        List<ModelSession> sessions =
                IntStream.range(0, workers)
                        .mapToObj(
                                worker ->
                                        new SessionSpec(
                                                "m",
                                                "run",
                                                1,
                                                worker,
                                                workers,
                                                consistency,
                                                PATIENCE))
                        .map(spec -> cluster.await(cluster.client(PATIENCE).open(spec), PATIENCE))
                        .toList();
        int elements = workers * BATCHES;
        cluster.await(
                sessions.get(0)
                        .createTable(
                                TableSpec.dense("seen", elements, 1, UpdateSpec.of("add"))
                                        .withPartitions(7)),
                PATIENCE);
        sessions.forEach(each -> cluster.await(each.describe("seen"), PATIENCE));
        cluster.await(sessions.get(0).beginCuts("model", null, PATIENCE), PATIENCE);
        if (random.nextBoolean()) {
            cluster.cut(20_000_000);
        }
        double share = .05 + random.nextDouble() / 3;
        cluster.network().serversFullIf(() -> random.nextDouble() < share && ++refusals > 0);
        CompletableFuture<?>[] all = new CompletableFuture<?>[workers];
        for (int worker = 0; worker < workers; worker++) {
            all[worker] = train(sessions.get(worker), worker, workers, 0);
        }
        cluster.await(CompletableFuture.allOf(all), Duration.ofHours(1));
        cluster.network().serversFullIf(() -> false);
        // What is deferred behind the last barrier has its effect when the cut before is written.
        cluster.time().runUntil(() -> false, cluster.time().now() + 60 * SimulatedCluster.SECOND);
        assertThat(cluster.network().unanswered()).as("requests without an answer").isEmpty();
        float[] seen = new float[elements];
        cluster.await(
                sessions.get(0).exchange().pullRange("seen", 0, elements, seen).send(), PATIENCE);
        assertThat(seen).as("each push once").containsOnly(1f);
        cluster.close();
    }

    /** A mini-batch after the other; behind some of them comes the barrier of a cut. */
    private CompletableFuture<Void> train(
            ModelSession session, int worker, int workers, int batch) {
        if (batch == BATCHES) {
            return orFailed(session.deregister());
        }
        long own = (long) batch * workers + worker;
        Exchange exchange =
                session.exchange().pushRange("seen", own, own + 1, new float[] {1}, 1).clock();
        int elements = workers * BATCHES;
        exchange.pullRange("seen", 0, elements, new float[elements]);
        CompletableFuture<Void> trained = orFailed(exchange.send());
        int next = batch + 1;
        if (next % BARRIER_EVERY == 0) {
            trained =
                    trained.thenCompose(done -> orFailed(session.marker(next / BARRIER_EVERY, 0)));
        }
        return trained.thenCompose(done -> train(session, worker, workers, next));
    }

    private CompletableFuture<Void> orFailed(CompletableFuture<Void> request) {
        return request.exceptionally(
                e -> {
                    Throwable cause = e instanceof CompletionException ? e.getCause() : e;
                    if (!(cause instanceof PsException known)
                            || known.code() != ErrorCode.INTERNAL
                            || !cause.getMessage().contains("no memory for")) {
                        throw new CompletionException(cause);
                    }
                    failures++;
                    return null;
                });
    }
}
