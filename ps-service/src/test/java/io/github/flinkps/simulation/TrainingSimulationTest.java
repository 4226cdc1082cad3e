package io.github.flinkps.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.KeyList;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.PsException;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.server.ServerConfig.StoreLimits;
import io.github.flinkps.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Seeded runs of whole clusters. The first seed is printed; {@code -Dsimulation.seed=S} begins with
 * another, {@code -Dsimulation.runs=N} sets how many follow.
 */
class TrainingSimulationTest {
    private static final int RUNS = Integer.getInteger("simulation.runs", 80);
    private static final ServerConfig CONFIG = ServerConfig.defaults();

    private static int[] owners(Random random) {
        return random.ints(1 + random.nextInt(3), 1, 4).toArray();
    }

    @Test
    void everyPushCountsOnceAndIsSeenInTime() {
        Seeds.forEach(
                "training",
                RUNS,
                seed -> {
                    Random random = new Random(seed);
                    ConsistencySpec consistency =
                            switch (random.nextInt(3)) {
                                case 0 -> ConsistencySpec.bsp();
                                case 1 -> ConsistencySpec.ssp(random.nextInt(4));
                                default -> ConsistencySpec.asp();
                            };
                    train(seed, seed, owners(random), 1 + random.nextInt(4), consistency, true);
                });
    }

    @Test
    void bspGivesTheSameBitsWhateverServersAndNetworkDo() {
        Seeds.forEach(
                "bits",
                RUNS / 6,
                seed -> {
                    int workers = 1 + new Random(seed).nextInt(4);
                    ConsistencySpec bsp = ConsistencySpec.bsp();
                    int[] expected = train(seed, seed, new int[] {1}, workers, bsp, false);
                    for (long other = 1; other <= 2; other++) {
                        long network = seed * 31 + other;
                        int[] owners = owners(new Random(network));
                        assertThat(train(network, seed, owners, workers, bsp, true))
                                .isEqualTo(expected);
                    }
                });
    }

    private static int[] train(
            long network,
            long program,
            int[] owners,
            int workers,
            ConsistencySpec consistency,
            boolean trouble) {
        Random random = new Random(network);
        long mostDelay = trouble ? 100_000L << random.nextInt(9) : 1000;
        ServerConfig config =
                random.nextInt(4) == 0
                        ? CONFIG.withStore(new StoreLimits(random.nextInt(4000), 1 << 20))
                        : CONFIG;
        SimulatedCluster cluster = new SimulatedCluster(network, owners, config, mostDelay);
        if (trouble && random.nextInt(4) > 0) {
            cluster.cut(50 * mostDelay);
        }
        boolean rests =
                consistency.kind() != ConsistencySpec.Kind.BSP
                        && new Random(~program).nextInt(3) == 0;
        return new SimulatedTraining(cluster, program, workers, consistency, rests).runAndClose();
    }

    @Test
    void noOperationOutlivesItsDeadlineWhenAServerGoesSilent() {
        Seeds.forEach(
                "silence",
                RUNS / 4,
                seed -> {
                    Random random = new Random(seed);
                    SimulatedCluster cluster =
                            new SimulatedCluster(seed, new int[] {2, 1}, CONFIG, 1_000_000);
                    goSilent(cluster, random);
                    cluster.close();
                });
    }

    private static void goSilent(SimulatedCluster cluster, Random random) {
        Duration patience = Duration.ofSeconds(1);
        ModelSession session =
                cluster.await(
                        cluster.client(patience)
                                .open(
                                        new SessionSpec(
                                                "m",
                                                "run",
                                                1,
                                                0,
                                                2,
                                                ConsistencySpec.ssp(2),
                                                Duration.ofSeconds(2))),
                        Duration.ofSeconds(10));
        TableSpec table = TableSpec.sparse("t", 1, UpdateSpec.of("add"));
        cluster.await(session.createTable(table), Duration.ofSeconds(10));
        String victim = cluster.addresses().get(random.nextInt(2));
        long when = cluster.time().now() + random.nextInt(100_000_000);
        cluster.time().at(when, () -> cluster.network().silence(victim));
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Duration timeout = Duration.ofMillis(50 + random.nextInt(2000));
            long sent = cluster.time().now();
            KeyList keys = session.keys("t", random.longs(50).toArray(), 0, 50);
            float[] values = new float[keys.size()];
            CompletableFuture<Void> done =
                    session.exchange()
                            .push(keys, values.clone(), 1)
                            .clock()
                            .pull(keys, values)
                            .timeout(timeout)
                            .send()
                            .handle(
                                    (ok, error) -> {
                                        assertThat(cluster.time().now() - sent)
                                                .isLessThan(timeout.toNanos() + 30_000_000);
                                        if (error != null) {
                                            assertThat(cause(error))
                                                    .isInstanceOf(PsException.class);
                                        }
                                        return null;
                                    });
            all.add(done);
            cluster.time().runUntil(() -> false, cluster.time().now() + random.nextInt(20_000_000));
        }
        cluster.await(
                CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])),
                Duration.ofSeconds(10));
    }

    private static Throwable cause(Throwable error) {
        return error.getCause() == null ? error : error.getCause();
    }
}
