package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.CountingModel;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.NotedMap;
import io.github.flinkps.flink.testing.TestingFailures;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.testing.Polling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.CloseableIterator;

/** A job that counts rows and fails at random, drawn by a seed that is printed. */
final class CountingJob {
    static final int ROWS = 10;
    private static final double TRICKLE = 40;

    final int batches;
    final int epochs;
    final TestingFailures failures;
    final TrainingJob<RowBatch> job;

    /** The input, in batches of {@link #ROWS} rows, and how often it is gone through. */
    record Input(int batches, boolean bounded, int epochs) {}

    /** Numbers that end, of a source that does not say so. */
    private static final class Endless extends DataGeneratorSource<Long> {
        private static final long serialVersionUID = 1L;

        Endless(long count, TestingFailures failures) {
            super(number -> number, count, paced(count / 2.0, failures), Types.LONG);
        }

        private static RateLimiterStrategy paced(double perSecond, TestingFailures failures) {
            RateLimiterStrategy fast = RateLimiterStrategy.perSecond(perSecond);
            RateLimiterStrategy slow = RateLimiterStrategy.perSecond(TRICKLE);
            return parallelism -> {
                RateLimiter flow = fast.createRateLimiter(parallelism);
                RateLimiter trickle = slow.createRateLimiter(parallelism);
                return new Pace(() -> failures.isTrickling() ? trickle : flow);
            };
        }

        @Override
        public Boundedness getBoundedness() {
            return Boundedness.CONTINUOUS_UNBOUNDED;
        }
    }

    /** Has the form of Flink 1.20 and that of Flink 2, which asks for single records too. */
    record Pace(Supplier<RateLimiter> now) implements RateLimiter {
        @Override
        public CompletionStage<Void> acquire() {
            return now.get().acquire();
        }

        public CompletionStage<Void> acquire(int records) {
            return acquire();
        }
    }

    /**
     * @param most failures, in workers or before them
     */
    CountingJob(
            StreamExecutionEnvironment env,
            Path root,
            ConsistencySpec.Kind kind,
            Input input,
            int most) {
        this(env, root, kind, input, most, rows -> rows);
    }

    /**
     * @param edge what lies between rows and workers
     */
    CountingJob(
            StreamExecutionEnvironment env,
            Path root,
            ConsistencySpec.Kind kind,
            Input input,
            int most,
            UnaryOperator<DataStream<RowBatch>> edge) {
        this.batches = input.batches;
        this.epochs = input.epochs;
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        TestingFailures some = TestingFailures.some("counting" + seed, seed, most);
        this.failures = some;
        DataStream<RowBatch> rows =
                (input.bounded
                                ? env.fromSequence(0, batches - 1)
                                : env.fromSource(
                                        new Endless(batches, some),
                                        WatermarkStrategy.noWatermarks(),
                                        "endless"))
                        .map(
                                new NotedMap<Long, RowBatch>(
                                        some,
                                        number -> {
                                            some.before(number);
                                            return CountingModel.batch(number, ROWS);
                                        }))
                        .returns(RowBatchTypeInfo.INSTANCE)
                        .uid("counting-rows");
        job =
                FlinkPs.train(edge.apply(rows), new CountingModel(failures))
                        .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                        .set(PsOptions.WORKERS, 2)
                        .set(PsOptions.SERVERS, 2)
                        .set(PsOptions.BATCH_SIZE, ROWS + 3)
                        .set(PsOptions.EPOCHS, epochs)
                        .set(PsOptions.CONSISTENCY, kind)
                        .set(PsOptions.TIMEOUT, Duration.ofSeconds(20));
        if (kind != ConsistencySpec.Kind.BSP) {
            job.set(PsOptions.PREFETCH, 2);
        }
        if (kind == ConsistencySpec.Kind.SSP) {
            job.set(PsOptions.STALENESS, 2);
        }
    }

    /** Checkpoints often, and goes on after failures of any kind. */
    static StreamExecutionEnvironment failing(StreamExecutionEnvironment env, long interval) {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 50);
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, 1000);
        configuration.set(CheckpointingOptions.CHECKPOINTING_TIMEOUT, Duration.ofSeconds(40));
        env.configure(configuration);
        env.enableCheckpointing(interval);
        return env;
    }

    /** The values of a table of a saved model. */
    static Map<Long, float[]> table(String directory, String table, int width) {
        Map<Long, float[]> rows = new TreeMap<>();
        try (RootAllocator memory = new RootAllocator();
                ModelReader reader = ModelReader.open(new LocalModelStorage(), directory, memory)) {
            reader.read(
                    table,
                    block -> {
                        for (int i = 0; i < block.rows(); i++) {
                            rows.put(
                                    block.keys()[i],
                                    Arrays.copyOfRange(block.values(), i * width, (i + 1) * width));
                        }
                    });
        }
        return rows;
    }

    /** Uses servers that run already. */
    CountingJob over(List<String> servers) {
        job.options.removeConfig(PsOptions.SERVERS);
        job.set(PsOptions.MODEL_NAME, "counted").set(PsOptions.REMOTE, servers);
        return this;
    }

    /** Runs it to its end and checks the model that it saves. */
    void runAndCheck(Path directory) throws Exception {
        check(run(directory), directory.toString());
    }

    /** Runs it to its end, where it saves its model. */
    List<WorkerReport> run(Path directory) throws Exception {
        job.set(PsOptions.MODEL_OUTPUT, directory.toString());
        return LocalCluster.collect(job.start().reports());
    }

    /**
     * Runs as {@link #run} does, from a checkpoint that has reports already: Flink's sink that
     * collects cannot go on for a client that has not seen them.
     */
    void runWithoutReports(StreamExecutionEnvironment env, Path directory) throws Exception {
        job.set(PsOptions.MODEL_OUTPUT, directory.toString());
        job.start().reports().sinkTo(new DiscardingSink<>());
        env.execute();
    }

    /** A job that runs, and what it says at its end. */
    record Running(JobClient client, CloseableIterator<WorkerReport> reports)
            implements AutoCloseable {
        /** Waits for the end. */
        List<WorkerReport> end() {
            List<WorkerReport> all = new ArrayList<>();
            reports.forEachRemaining(all::add);
            return all;
        }

        @Override
        public void close() throws Exception {
            reports.close();
        }
    }

    /** Starts it; its model is saved to the directory, if any, at the end. */
    Running launch(StreamExecutionEnvironment env, Path directory) throws Exception {
        if (directory != null) {
            job.set(PsOptions.MODEL_OUTPUT, directory.toString());
        }
        CloseableIterator<WorkerReport> reports = job.start().reports().collectAsync();
        return new Running(env.executeAsync(), reports);
    }

    /** Waits until so many more checkpoints are complete. */
    void awaitCheckpoints(int more) throws Exception {
        int wanted = failures.completed().size() + more;
        Polling.await("no checkpoints", () -> failures.completed().size() >= wanted);
    }

    /** Checks the model that was saved. */
    void check(List<WorkerReport> reports, String directory) {
        check(directory);
        check(reports);
    }

    /**
     * Checks the model alone: workers that had ended before a checkpoint report no more after it.
     */
    void check(String directory) {
        check(
                table(directory, "own", 1),
                table(directory, "shared", 2),
                table(directory, "total", 1));
    }

    void check(
            List<WorkerReport> reports,
            Map<Long, float[]> own,
            Map<Long, float[]> shared,
            Map<Long, float[]> total) {
        check(own, shared, total);
        check(reports);
    }

    private void check(
            Map<Long, float[]> own, Map<Long, float[]> shared, Map<Long, float[]> total) {
        System.out.println(
                failures.happened() + " failures, went on from checkpoints " + failures.restored());
        int rows = batches * ROWS;
        assertThat(total.get(0L)).containsExactly(rows * epochs);
        assertThat(own).hasSize(rows);
        assertThat(own.values()).allSatisfy(row -> assertThat(row).containsExactly(epochs));
        float[] sums = new float[2];
        shared.forEach(
                (key, row) -> {
                    sums[0] += row[0];
                    sums[1] += row[1];
                });
        assertThat(sums).containsExactly(rows * epochs, 2 * rows * epochs);
    }

    private void check(List<WorkerReport> reports) {
        int rows = batches * ROWS;
        assertThat(reports.stream().mapToLong(WorkerReport::rows).sum()).isEqualTo(rows);
        assertThat(reports.stream().mapToDouble(CountingJob::weight).sum())
                .isEqualTo(rows * epochs);
    }

    private static double weight(WorkerReport report) {
        return Arrays.stream(report.weightSums()).sum();
    }
}
