package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.TestingFeed;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.testing.Polling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers of an unbounded input that have no rows for a while, over real servers. */
@Timeout(120)
class IdleWorkerITCase {
    private static final int ROWS = 16;
    private static final int STALENESS = 1;
    private static final Map<Integer, Long> TRAINED = new ConcurrentHashMap<>();

    @TempDir Path root;
    private long batches;

    private void give(TestingFeed<RowBatch> feed, int worker, int count) {
        for (int i = 0; i < count; i++) {
            feed.give(worker, TestingRows.batch(batches++, ROWS, 100));
        }
    }

    /** Waits until a worker has trained so many mini-batches; returns how many it has. */
    private static long await(int worker, long least) throws Exception {
        Polling.await(
                "worker " + worker + " does not train",
                () -> TRAINED.getOrDefault(worker, 0L) >= least);
        return TRAINED.get(worker);
    }

    private static TrainingProgress note(TrainingProgress progress) {
        TRAINED.merge(progress.worker(), progress.batches(), Math::max);
        return progress;
    }

    @Test
    void aWorkerWithoutRowsIsWaitedForNoLongerAndComesBack() throws Exception {
        TestingFeed<RowBatch> feed = new TestingFeed<>("idle");
        try (LocalCluster cluster = new LocalCluster()) {
            StreamExecutionEnvironment env = cluster.environment(2);
            DataStream<RowBatch> rows =
                    env.fromSource(
                            feed,
                            WatermarkStrategy.noWatermarks(),
                            "feed",
                            RowBatchTypeInfo.INSTANCE);
            Training training =
                    FlinkPs.train(rows, LogisticRegression.builder().build())
                            .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                            .set(PsOptions.WORKERS, 2)
                            .set(PsOptions.SERVERS, 2)
                            .set(PsOptions.BATCH_SIZE, ROWS)
                            .set(PsOptions.CONSISTENCY, ConsistencySpec.Kind.SSP)
                            .set(PsOptions.STALENESS, STALENESS)
                            .set(PsOptions.PREFETCH, 0)
                            .set(PsOptions.LINGER, Duration.ofMillis(20))
                            .set(PsOptions.IDLE_TIMEOUT, Duration.ofMillis(300))
                            .set(PsOptions.PROGRESS_INTERVAL, Duration.ofMillis(20))
                            .set(PsOptions.TIMEOUT, Duration.ofSeconds(60))
                            .start();
            training.progress().map(IdleWorkerITCase::note).sinkTo(new DiscardingSink<>());
            try (CloseableIterator<WorkerReport> reports = training.reports().collectAsync()) {
                env.executeAsync();
                give(feed, 0, 1);
                give(feed, 1, 1);
                await(0, 1);
                await(1, 1);

                // Far beyond the staleness, while the other has nothing.
                give(feed, 0, 20);
                await(0, 21);
                assertThat(await(1, 1)).isEqualTo(1);

                // It comes back, and is the one that goes on alone.
                give(feed, 1, 30);
                await(1, 31);
                assertThat(await(0, 21)).isEqualTo(21);

                give(feed, 0, 5);
                give(feed, 1, 5);
                await(0, 26);
                await(1, 36);
                feed.end();
                List<WorkerReport> all = new ArrayList<>();
                reports.forEachRemaining(all::add);
                assertThat(all).hasSize(2);
                assertThat(all)
                        .allSatisfy(
                                report -> {
                                    long mine = report.worker() == 0 ? 26 : 36;
                                    assertThat(report.rows()).isEqualTo(mine * ROWS);
                                    assertThat(report.batches()).isEqualTo(mine);
                                });
            }
        }
    }
}
