package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.TestingFeed;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.WorkerReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A bound of the user's own, by the name it has on the servers' class path. */
@Timeout(120)
class ReadPredicateITCase {
    private static final int ROWS = 16;
    private static final int AHEAD = 20;

    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;

    private TrainingJob<RowBatch> job(
            StreamExecutionEnvironment env, TestingFeed<RowBatch> feed, String predicate) {
        DataStream<RowBatch> rows =
                env.fromSource(
                        feed, WatermarkStrategy.noWatermarks(), "feed", RowBatchTypeInfo.INSTANCE);
        return FlinkPs.train(rows, LogisticRegression.builder().build())
                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                .set(PsOptions.WORKERS, 2)
                .set(PsOptions.BATCH_SIZE, ROWS)
                .set(PsOptions.CONSISTENCY, ConsistencySpec.Kind.PREDICATE)
                .set(PsOptions.READ_PREDICATE, predicate)
                .set(PsOptions.PREFETCH, 0)
                .set(PsOptions.IDLE_TIMEOUT, Duration.ZERO)
                .set(PsOptions.PROGRESS_INTERVAL, Duration.ofMillis(20))
                .set(PsOptions.TIMEOUT, Duration.ofSeconds(60));
    }

    /** One of two workers is half of them, so that it waits for nobody. */
    @Test
    void letsAWorkerReadAsSoonAsThePredicateHolds() throws Exception {
        TestingFeed<RowBatch> feed = new TestingFeed<>("predicate");
        StreamExecutionEnvironment env = CLUSTER.environment(2);
        Training training = job(env, feed, "half-of-the-workers").start();
        try (CloseableIterator<TrainingProgress> progress = training.progress().collectAsync();
                CloseableIterator<WorkerReport> reports = training.reports().collectAsync()) {
            env.executeAsync();
            for (int batch = 0; batch < AHEAD; batch++) {
                feed.give(0, TestingRows.batch(batch, ROWS, 100));
            }
            long trained = 0;
            while (trained < AHEAD && progress.hasNext()) {
                TrainingProgress next = progress.next();
                trained = next.worker() == 0 ? next.batches() : trained;
            }
            assertThat(trained).isEqualTo(AHEAD);
            feed.give(1, TestingRows.batch(AHEAD, ROWS, 100));
            feed.end();
            List<Long> batches = new ArrayList<>();
            reports.forEachRemaining(report -> batches.add(report.batches()));
            assertThat(batches).containsExactlyInAnyOrder((long) AHEAD, 1L);
        }
    }

    @Test
    void failsForAPredicateThatTheServersDoNotHave() {
        TestingFeed<RowBatch> feed = new TestingFeed<>("no-predicate");
        StreamExecutionEnvironment env = CLUSTER.environment(2);
        job(env, feed, "no-such").start();
        assertThatThrownBy(env::execute).hasStackTraceContaining("consistency predicate 'no-such'");
    }
}
