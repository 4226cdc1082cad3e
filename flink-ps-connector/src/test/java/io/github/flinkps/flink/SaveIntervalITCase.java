package io.github.flinkps.flink;

import static io.github.flinkps.flink.testing.LocalCluster.collect;
import static io.github.flinkps.flink.testing.LocalCluster.collectRows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.EndlessNumbers;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelManifest;
import io.github.flinkps.model.ModelReader;
import io.github.flinkps.testing.ModelValues;
import io.github.flinkps.testing.Polling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Models that are saved while they train, over real servers. */
@Timeout(120)
class SaveIntervalITCase {
    private static final int KEYS = 200;
    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;
    private final TrainingModel model = LogisticRegression.builder().build();
    private String directory;

    @BeforeEach
    void nameModel() {
        directory = root.resolve("model").toString();
    }

    private JobClient trainWithoutEnd(Duration interval) throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        DataStream<RowBatch> rows =
                env.fromSource(new EndlessNumbers(400), WatermarkStrategy.noWatermarks(), "endless")
                        .map(number -> TestingRows.batch(number, 20, KEYS))
                        .returns(RowBatchTypeInfo.INSTANCE);
        FlinkPs.train(rows, model)
                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                .set(PsOptions.WORKERS, 2)
                .set(PsOptions.SERVERS, 2)
                .set(PsOptions.CONSISTENCY, ConsistencySpec.Kind.ASP)
                .set(PsOptions.MODEL_OUTPUT, directory)
                .set(PsOptions.SAVE_INTERVAL, interval)
                .start()
                .progress()
                .print();
        return env.executeAsync();
    }

    /** Waits for a saved model other than {@code before}. */
    private ModelManifest awaitModel(JobClient job, ModelManifest before) throws Exception {
        ModelManifest[] saved = {before};
        Polling.await(
                "no model was saved",
                () -> {
                    assertThat(job.getJobExecutionResult()).isNotDone();
                    if (Files.exists(Path.of(directory, ModelManifest.FILE))) {
                        saved[0] = ModelReader.readManifest(new LocalModelStorage(), directory);
                    }
                    return before == null
                            ? saved[0] != null
                            : !saved[0].tables().equals(before.tables());
                });
        return saved[0];
    }

    private Map<Long, Float> weights() {
        return ModelValues.read(Path.of(directory)).table("weights");
    }

    @Test
    void anEndlessJobLeavesTheModelItSavedLast() throws Exception {
        JobClient job = trainWithoutEnd(Duration.ofMillis(20));
        ModelManifest saved = awaitModel(job, null);
        for (int i = 0; i < 10; i++) {
            saved = awaitModel(job, saved);
        }
        LocalCluster.cancel(job);
        assertThat(weights()).hasSize(KEYS);
        try (var names = Files.list(root)) {
            assertThat(names.map(Path::getFileName).map(Path::toString))
                    .as("nothing half written")
                    .doesNotContain(".model")
                    .allMatch(name -> !name.contains(".tmp-"));
        }
    }

    @Test
    void othersScoreWithTheModelWhileItIsReplaced() throws Exception {
        JobClient job = trainWithoutEnd(Duration.ofMillis(1));
        ModelManifest first = awaitModel(job, null);
        while (awaitModel(job, first).parameters() < KEYS) {
            // Soon every key has been seen.
        }
        for (int i = 0; i < 5; i++) {
            DataStream<RowBatch> rows =
                    CLUSTER.environment(1)
                            .fromSequence(0, 4)
                            .map(number -> TestingRows.batch(number, 50, KEYS))
                            .returns(RowBatchTypeInfo.INSTANCE);
            List<ScoredRow> scores =
                    collectRows(
                            FlinkPs.score(rows, directory)
                                    .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                                    .start());
            assertThat(scores).hasSize(250);
        }
        LocalCluster.cancel(job);
    }

    @Test
    void aBoundedJobEndsInTheSameModelAsWithout() throws Exception {
        List<Map<Long, Float>> models = new ArrayList<>();
        for (Duration interval : List.of(Duration.ZERO, Duration.ofMillis(1))) {
            DataStream<RowBatch> rows =
                    CLUSTER.environment(1)
                            .fromSequence(0, 39)
                            .map(number -> TestingRows.batch(number, 50, KEYS))
                            .returns(RowBatchTypeInfo.INSTANCE);
            collect(
                    FlinkPs.train(rows, model)
                            .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                            .set(PsOptions.EPOCHS, 20)
                            .set(PsOptions.MODEL_OUTPUT, directory)
                            .set(PsOptions.SAVE_INTERVAL, interval)
                            .start()
                            .reports());
            models.add(weights());
        }
        assertThat(models.get(0)).hasSize(KEYS);
        assertThat(models.get(1)).isEqualTo(models.get(0));
    }

    @Test
    void aModelThatCannotBeSavedOnTheWayFailsTheJob() throws Exception {
        JobClient job = trainWithoutEnd(Duration.ofMillis(50));
        awaitModel(job, null);
        // What is there without it is no model, and is not overwritten.
        Polling.await(
                "the job goes on",
                () -> {
                    Files.deleteIfExists(Path.of(directory, ModelManifest.FILE));
                    return job.getJobExecutionResult().isDone();
                });
        assertThatThrownBy(() -> job.getJobExecutionResult().get(20, TimeUnit.SECONDS))
                .hasStackTraceContaining("is there and is not a model");
    }
}
