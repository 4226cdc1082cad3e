package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.CountingModel;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.TestingFailures;
import io.github.flinkps.flink.testing.TestingFeed;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.testing.Polling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Endless input of which one of two workers gets no row at all, with checkpoints. */
@Timeout(180)
class StarvedWorkerITCase {
    private static final int BATCHES = 40;
    private static final int ROWS = 16;
    private static final int CHECKPOINTS = 5;

    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;

    private TrainingJob<RowBatch> job(
            StreamExecutionEnvironment env,
            TestingFeed<RowBatch> feed,
            TestingFailures calls,
            ConsistencySpec.Kind kind) {
        DataStream<RowBatch> rows =
                env.fromSource(
                        feed, WatermarkStrategy.noWatermarks(), "feed", RowBatchTypeInfo.INSTANCE);
        return FlinkPs.train(rows, new CountingModel(calls))
                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                .set(PsOptions.WORKERS, 2)
                .set(PsOptions.SERVERS, 2)
                .set(PsOptions.BATCH_SIZE, ROWS)
                .set(PsOptions.BUFFER_ROWS, 2 * ROWS)
                .set(PsOptions.CONSISTENCY, kind);
    }

    private static void checkpoint(StreamExecutionEnvironment env) {
        env.enableCheckpointing(50);
        env.getCheckpointConfig().setTolerableCheckpointFailureNumber(1000); // in the end
    }

    private static void feed(TestingFeed<RowBatch> feed) {
        for (int i = 0; i < BATCHES; i++) {
            feed.give(0, CountingModel.batch(i, ROWS));
        }
    }

    /** A worker that must wait for the other takes no row, but those before barriers. */
    @ParameterizedTest
    @CsvSource({"BSP,0,true", "SSP,0,true", "SSP,200,false", "ASP,0,false"})
    void stopsNoCheckpoint(ConsistencySpec.Kind kind, int idleMillis, boolean waits)
            throws Exception {
        String name = "starved " + kind + idleMillis;
        TestingFeed<RowBatch> feed = new TestingFeed<>(name);
        TestingFailures calls = TestingFailures.some(name, 1, 0);
        StreamExecutionEnvironment env = CLUSTER.environment(2);
        checkpoint(env);
        String directory = root.resolve("model").toString();
        TrainingJob<RowBatch> job =
                job(env, feed, calls, kind)
                        .set(PsOptions.IDLE_TIMEOUT, Duration.ofMillis(idleMillis))
                        .set(PsOptions.MODEL_OUTPUT, directory);
        if (kind == ConsistencySpec.Kind.SSP) {
            job.set(PsOptions.STALENESS, 2);
        }
        feed(feed);
        List<WorkerReport> reports = new ArrayList<>();
        try (CloseableIterator<WorkerReport> all = job.start().reports().collectAsync()) {
            JobClient client = env.executeAsync();
            Polling.await(
                    "no checkpoints",
                    () ->
                            CLUSTER.cluster().checkpoints(client.getJobID()).size() >= CHECKPOINTS
                                    && calls.calls() > 0);
            if (waits) {
                assertThat(calls.calls()).isLessThanOrEqualTo(3);
            } else {
                Polling.await("it does not train on", () -> calls.calls() == BATCHES);
            }
            feed.end();
            all.forEachRemaining(reports::add);
        }
        assertThat(reports).extracting(WorkerReport::rows).contains((long) BATCHES * ROWS, 0L);
        assertThat(CountingJob.table(directory, "total", 1).get(0L))
                .containsExactly(BATCHES * ROWS);
    }

    /** The timeout holds also where checkpoints make the worker ask again and again. */
    @Test
    void isWaitedForAsLongAsTheTimeoutSays() throws Exception {
        TestingFeed<RowBatch> feed = new TestingFeed<>("given up");
        StreamExecutionEnvironment env = CLUSTER.environment(2);
        checkpoint(env);
        TrainingJob<RowBatch> job =
                job(env, feed, TestingFailures.some("given up", 1, 0), ConsistencySpec.Kind.BSP)
                        .set(PsOptions.TIMEOUT, Duration.ofSeconds(6));
        feed(feed);
        try (CloseableIterator<WorkerReport> reports = job.start().reports().collectAsync()) {
            env.executeAsync();
            assertThatThrownBy(() -> reports.forEachRemaining(report -> {}))
                    .hasStackTraceContaining("worker 0 lost its exchange")
                    .hasStackTraceContaining("consistency BSP waits for it at most timeout");
        }
    }
}
