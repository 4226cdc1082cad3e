package io.github.flinkps.flink;

import static io.github.flinkps.flink.testing.LocalCluster.collectRows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Passes that end with a measure of the validation rows. The rows have random labels, so that a
 * model can only learn them by heart: the loss of other rows falls at first at most.
 */
@Timeout(180)
class EarlyStoppingITCase {
    private static final int KEYS = 400;
    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;
    private final TrainingModel model =
            LogisticRegression.builder()
                    .optimizer(new UpdateSpec("adagrad", Map.of("learning-rate", 0.1)))
                    .build();

    /** The progress and the reports that a job has emitted. */
    private record Told(List<TrainingProgress> passes, List<WorkerReport> reports) {
        int epochs() {
            return reports.get(0).epochs();
        }

        List<Double> validation() {
            return passes.stream()
                    .filter(each -> each.worker() == 0 && each.endOfEpoch())
                    .map(TrainingProgress::validationLoss)
                    .toList();
        }

        double best() {
            return validation().get(last().bestEpoch());
        }

        TrainingProgress last() {
            return passes.stream()
                    .filter(each -> each.worker() == 0 && each.endOfEpoch())
                    .max(Comparator.comparingInt(TrainingProgress::epoch))
                    .orElseThrow();
        }
    }

    @AfterEach
    void noHalfModelIsLeft() throws Exception {
        try (Stream<Path> files = Files.list(root)) {
            assertThat(files.filter(file -> file.toString().contains(".tmp-"))).isEmpty();
        }
    }

    /** A few keys tell something of the label; the many others only that of their own row. */
    private static RowBatch batch(long number) {
        SplittableRandom random = new SplittableRandom(number);
        RowBatchBuilder rows = new RowBatchBuilder().position(number, 0);
        for (int row = 0; row < 25; row++) {
            boolean label = random.nextBoolean();
            rows.add(random.nextInt(10) < 6 == label ? 1 : 2);
            for (int i = 0; i < 8; i++) {
                rows.add(3 + random.nextInt(KEYS));
            }
            rows.endRow(label ? 1 : 0);
        }
        return rows.build();
    }

    /** Two workers of which the first gets three times as many rows as the second. */
    private static DataStream<RowBatch> rows(StreamExecutionEnvironment env) {
        return env.fromSequence(0, 39)
                .setParallelism(1)
                .map(EarlyStoppingITCase::batch)
                .returns(RowBatchTypeInfo.INSTANCE)
                .setParallelism(1)
                .partitionCustom(
                        (block, workers) -> block % 4 == 3 ? 1 : 0,
                        (RowBatch rows) -> rows.block());
    }

    private TrainingJob<RowBatch> job(DataStream<RowBatch> rows, int epochs, String name) {
        return FlinkPs.train(rows, model)
                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                .set(PsOptions.WORKERS, 2)
                .set(PsOptions.EPOCHS, epochs)
                .set(PsOptions.BATCH_SIZE, 16)
                .set(PsOptions.VALIDATION_SHARE, 0.2)
                .set(PsOptions.MODEL_OUTPUT, root.resolve(name).toString())
                .set(PsOptions.TIMEOUT, Duration.ofSeconds(30));
    }

    private static Told run(StreamExecutionEnvironment env, TrainingJob<RowBatch> job)
            throws Exception {
        Training training = job.start();
        List<TrainingProgress> passes = new ArrayList<>();
        List<WorkerReport> reports = new ArrayList<>();
        try (CloseableIterator<TrainingProgress> progress = training.progress().collectAsync();
                CloseableIterator<WorkerReport> ends = training.reports().collectAsync()) {
            JobClient client = env.executeAsync();
            progress.forEachRemaining(passes::add);
            ends.forEachRemaining(reports::add);
            client.getJobExecutionResult().get(60, TimeUnit.SECONDS);
        }
        return new Told(passes, reports);
    }

    private Told train(int servers, int epochs, Integer patience, String name) throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(2);
        TrainingJob<RowBatch> job = job(rows(env), epochs, name).set(PsOptions.SERVERS, servers);
        if (patience != null) {
            job.set(PsOptions.PATIENCE, patience);
        }
        return run(env, job);
    }

    private byte[] scores(String name) throws Exception {
        StringBuilder text = new StringBuilder();
        List<ScoredRow> scored =
                collectRows(
                        FlinkPs.score(
                                        CLUSTER.environment(1)
                                                .fromSequence(0, 3)
                                                .map(EarlyStoppingITCase::batch)
                                                .returns(RowBatchTypeInfo.INSTANCE),
                                        root.resolve(name).toString())
                                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                                .start());
        scored.forEach(row -> text.append(Float.floatToIntBits(row.scores()[0])).append('\n'));
        return text.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    void endsWhenRowsNotTrainedFarePoorlyAndKeepsTheBestModel() throws Exception {
        Told stopped = train(2, 60, 3, "stopped");
        assertThat(stopped.epochs()).isLessThan(60);
        TrainingProgress last = stopped.last();
        assertThat(last.epoch()).isEqualTo(stopped.epochs() - 1);
        assertThat(last.bestEpoch()).isEqualTo(last.epoch() - 3);
        List<Double> validation = stopped.validation();
        assertThat(validation).hasSize(stopped.epochs());
        double best = validation.get(last.bestEpoch());
        assertThat(validation).allMatch(loss -> loss >= best);
        for (WorkerReport report : stopped.reports()) {
            assertThat(report.epochs()).isEqualTo(stopped.epochs());
            assertThat(report.lossSums()).hasSize(stopped.epochs());
            assertThat(report.validationRows() / (double) report.rows()).isBetween(0.1, 0.3);
        }

        // The rounds do not depend on who was fast, nor what is measured on the servers.
        Told again = train(3, last.bestEpoch() + 1, null, "again");
        assertThat(again.epochs()).isEqualTo(last.bestEpoch() + 1);
        assertThat(again.validation()).isEqualTo(validation.subList(0, again.epochs()));
        assertThat(scores("again")).isEqualTo(scores("stopped"));
    }

    @ParameterizedTest
    @EnumSource(
            value = ConsistencySpec.Kind.class,
            names = {"SSP", "ASP"})
    void workersThatRunApartMeetAfterEachPass(ConsistencySpec.Kind kind) throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(2);
        TrainingJob<RowBatch> job =
                job(rows(env), 12, "apart")
                        .set(PsOptions.CONSISTENCY, kind)
                        .set(PsOptions.PATIENCE, 2);
        if (kind == ConsistencySpec.Kind.SSP) {
            job.set(PsOptions.STALENESS, 2);
        }
        Told told = run(env, job);
        assertThat(told.validation()).hasSize(told.epochs());
        Told inStep = train(1, 12, 2, "in-step");
        assertThat(told.best()).isCloseTo(inStep.best(), within(0.05));
        assertThat(scores("apart")).isNotEmpty();
    }

    @Test
    void noRowToValidateWithIsSaid() {
        StreamExecutionEnvironment env = CLUSTER.environment(2);
        TrainingJob<RowBatch> job = job(rows(env), 2, "none").set(PsOptions.VALIDATION_SHARE, 1e-9);
        assertThatThrownBy(() -> run(env, job))
                .hasStackTraceContaining("validation-share leaves no row to validate with");
        assertThat(root.resolve("none")).doesNotExist();
    }

    @Test
    void optionsThatDoNotGoTogetherAreRefused() {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        assertThatThrownBy(() -> job(rows(env), 1, "x").set(PsOptions.PATIENCE, 0).start())
                .hasMessageContaining("patience must be at least 1");
        assertThatThrownBy(
                        () -> job(rows(env), 1, "x").set(PsOptions.VALIDATION_SHARE, 1.0).start())
                .hasMessageContaining("validation-share must be");
    }
}
