package io.github.flinkps.service;

import static io.github.flinkps.service.TestingCluster.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.client.AggregateResult;
import io.github.flinkps.client.ModelSession;
import io.github.flinkps.client.ParameterClient;
import io.github.flinkps.client.SessionSpec;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.LeakExtension;
import io.github.flinkps.testing.TestingAggregate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Whoever asks for many aggregates takes turns with others, and none once it is gone. */
@ExtendWith(LeakExtension.class)
@Timeout(120)
class AggregateQueueITCase {
    private static final int PARTITIONS = 16;
    private static final int ASKED = 300;
    private static final TableSpec COUNTS =
            TableSpec.dense("counts", PARTITIONS, 1, UpdateSpec.of("add"))
                    .withPartitions(PARTITIONS);

    @TempDir private Path folder;

    @Test
    void manyAggregatesOfOneDoNotKeepOthersWaiting() throws Exception {
        TestingAggregate.with(folder, AggregateQueueITCase::askForMany);
    }

    private static void askForMany() {
        try (TestingCluster cluster =
                new TestingCluster(1, false, ServerConfig.defaults().withOwners(1))) {
            ParameterClient greedy = cluster.client();
            ModelSession asks =
                    get(
                            greedy.open(
                                    new SessionSpec(
                                            "m",
                                            "run",
                                            0,
                                            SessionSpec.NO_WORKER,
                                            1,
                                            ConsistencySpec.asp(),
                                            TestingCluster.TIMEOUT)));
            get(asks.createTable(COUNTS));
            ModelSession other = cluster.session("m");
            get(other.createTable(COUNTS));
            List<CompletableFuture<?>> asked = new ArrayList<>();
            for (int i = 0; i < ASKED; i++) {
                asked.add(asks.aggregate("counts", TestingAggregate.NAME, List.of()));
            }
            CompletableFuture<?> pulled =
                    other.exchange().pullRange("counts", 0, 8, new float[8]).send();
            // A turn or two for each that was asked for: far fewer than all have partitions.
            for (int i = 0; i < 2 * ASKED && !pulled.isDone(); i++) {
                TestingAggregate.PERMITS.release();
                pause();
            }
            get(pulled);
            assertThat(TestingAggregate.BEGUN).hasValueLessThan(2 * ASKED);
            assertThat(asked.stream().filter(CompletableFuture::isDone).count())
                    .isLessThan(ASKED / 2);
            greedy.close();
            CompletableFuture<AggregateResult> own =
                    other.aggregate("counts", TestingAggregate.NAME, List.of());
            // Slowly: it takes a while until the server sees that the connection is closed.
            while (!own.isDone()) {
                TestingAggregate.PERMITS.release();
                pause();
            }
            assertThat(get(own).values()).containsExactly(1);
            // Of what was asked for by who has left, no more than what was under way.
            assertThat(TestingAggregate.BEGUN).hasValueLessThan(4 * ASKED);
        }
    }

    @Test
    void aLargePartitionIsReadInPieces() {
        TableSpec large =
                TableSpec.dense("large", 30_000_000, 1, UpdateSpec.of("add")).withPartitions(1);
        try (TestingCluster cluster =
                new TestingCluster(1, false, ServerConfig.defaults().withOwners(1))) {
            ModelSession session = cluster.session("m");
            get(session.createTable(large));
            get(session.exchange().pushRange("large", 7, 8, new float[] {2}, 1).send());
            boolean between = false;
            for (int again = 0; again < 5 && !between; again++) { // unless this thread is late
                CompletableFuture<AggregateResult> sum =
                        session.aggregate("large", "sum", List.of());
                get(session.exchange().pullRange("large", 0, 8, new float[8]).send());
                between = !sum.isDone();
                assertThat(get(sum).values()).containsExactly(2);
            }
            assertThat(between).isTrue();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
