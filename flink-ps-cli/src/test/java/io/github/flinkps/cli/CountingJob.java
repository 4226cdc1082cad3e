package io.github.flinkps.cli;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.TableSpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.Training;
import io.github.flinkps.flink.algorithm.Gradients;
import io.github.flinkps.flink.algorithm.KeyCollector;
import io.github.flinkps.flink.algorithm.Parameters;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.training.TrainingProgress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * A Flink job in a process of its own which trains a named model on remote servers: each of its
 * keys counts the rows that were trained. Prints who trains while it does and "trained" at the end,
 * or fails with the messages of its failure in one line.
 */
final class CountingJob {
    static final String MODEL = "counts";
    static final String TABLE = "rows";
    static final int KEYS = 64;
    static final int WORKERS = 2;

    /** The beginning, before the worker, of a line that says that a worker trains. */
    static final String PROGRESS = "progress ";

    private static final int BATCHES = 40;
    private static final int ROWS = 32;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private CountingJob() {}

    /** Returns the value of every key when so many passes have been trained, and nothing else. */
    static float count(int epochs) {
        return (float) BATCHES * ROWS * epochs / KEYS;
    }

    /**
     * Arguments: the servers, the folder of the registry, the number of passes, the directory the
     * model goes to and the file without which the second half of the rows does not come.
     */
    public static void main(String[] arguments) throws Exception {
        try {
            run(
                    List.of(arguments[0].split(",")),
                    Path.of(arguments[1]),
                    Integer.parseInt(arguments[2]),
                    arguments[3],
                    arguments[4]);
            System.out.println("trained");
        } catch (Exception e) {
            StringBuilder messages = new StringBuilder("failed");
            for (Throwable each = e; each != null; each = each.getCause()) {
                messages.append(": ").append(each.getMessage());
            }
            System.err.println(messages.toString().replace('\n', ' '));
            throw e;
        }
    }

    private static void run(
            List<String> servers, Path root, int epochs, String directory, String gate)
            throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        // Its own parts are not to miss each other when it has slept.
        configuration.set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, PATIENCE);
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(WORKERS, configuration);
        DataStream<RowBatch> rows =
                env.fromSequence(0, BATCHES - 1)
                        .setParallelism(1)
                        .map(number -> batch(number, Path.of(gate)))
                        .returns(RowBatchTypeInfo.INSTANCE)
                        .setParallelism(1);
        Training training =
                FlinkPs.train(rows, new Counting())
                        .set(PsOptions.MODEL_NAME, MODEL)
                        .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                        .set(PsOptions.REMOTE, servers)
                        .set(PsOptions.WORKERS, WORKERS)
                        .set(PsOptions.EPOCHS, epochs)
                        .set(PsOptions.BATCH_SIZE, ROWS)
                        .set(PsOptions.CONSISTENCY, ConsistencySpec.Kind.BSP)
                        .set(PsOptions.MODEL_OUTPUT, directory)
                        .set(PsOptions.PROGRESS_INTERVAL, Duration.ofMillis(20))
                        .set(PsOptions.TIMEOUT, PATIENCE)
                        .start();
        training.progress().map(CountingJob::print).sinkTo(new DiscardingSink<>());
        training.reports().sinkTo(new DiscardingSink<>());
        env.execute();
    }

    private static TrainingProgress print(TrainingProgress progress) {
        if (progress.batches() > 2 || progress.epoch() > 0) { // connected to every server
            System.out.println(PROGRESS + progress.worker());
        }
        return progress;
    }

    private static RowBatch batch(long number, Path gate) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (number >= BATCHES / 2 && !Files.exists(gate) && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        RowBatchBuilder builder = new RowBatchBuilder();
        for (int row = 0; row < ROWS; row++) {
            builder.add((number * ROWS + row) % KEYS);
            builder.endRow(1);
        }
        return builder.position(number, 0).build();
    }

    /** The gradient of a key is the number of its rows, and its parameter their sum. */
    private static final class Counting implements TrainingModel {
        private static final long serialVersionUID = 1L;

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public Map<String, String> options() {
            return Map.of();
        }

        @Override
        public List<TableSpec> tables() {
            return List.of(TableSpec.dense(TABLE, KEYS, 1, UpdateSpec.of("add")));
        }

        @Override
        public Labels labels() {
            return Labels.REAL;
        }

        @Override
        public void touch(RowBatch rows, int from, int to, KeyCollector keys) {
            keys.add(0, rows.keys(), rows.rowStart(from), rows.rowStart(to));
        }

        @Override
        public double gradients(
                RowBatch rows, int from, int to, Parameters parameters, Gradients gradients) {
            int[] positions = parameters.positions(0);
            for (int i = 0; i < rows.rowStart(to) - rows.rowStart(from); i++) {
                gradients.values(0)[positions[i]]++;
            }
            return 0;
        }

        @Override
        public void score(
                RowBatch rows, int from, int to, Parameters parameters, float[] scores, int at) {
            throw new UnsupportedOperationException("counts predict nothing");
        }
    }
}
