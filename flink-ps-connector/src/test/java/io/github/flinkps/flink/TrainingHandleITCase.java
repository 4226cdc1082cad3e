package io.github.flinkps.flink;

import static io.github.flinkps.flink.testing.LocalCluster.collect;
import static io.github.flinkps.flink.testing.LocalCluster.collectRows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.table.ModelRoot;
import io.github.flinkps.flink.table.ModelVersion;
import io.github.flinkps.flink.testing.EndlessNumbers;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.Savepoints;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.TestingFeed;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import io.github.flinkps.testing.ModelValues;
import io.github.flinkps.testing.Polling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what comes out of a training, over real servers: versions, and predictions of a second
 * stream.
 */
@Timeout(120)
class TrainingHandleITCase {
    private static final int KEYS = 200;
    private static final AtomicBoolean FAIL = new AtomicBoolean();

    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;
    private final TrainingModel model = LogisticRegression.builder().build();

    private static RowBatch batch(long number) {
        if (FAIL.compareAndSet(true, false)) {
            throw new IllegalStateException("a test fails the task");
        }
        return TestingRows.batch(number, 50, KEYS);
    }

    private static DataStream<RowBatch> bounded(StreamExecutionEnvironment env) {
        return env.fromSequence(0, 39)
                .map(TrainingHandleITCase::batch)
                .returns(RowBatchTypeInfo.INSTANCE);
    }

    private static DataStream<RowBatch> endless(StreamExecutionEnvironment env) {
        return env.fromSource(new EndlessNumbers(400), WatermarkStrategy.noWatermarks(), "endless")
                .map(TrainingHandleITCase::batch)
                .returns(RowBatchTypeInfo.INSTANCE);
    }

    private TrainingJob<RowBatch> job(DataStream<RowBatch> rows) {
        return FlinkPs.train(rows, model)
                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                .set(PsOptions.MODEL_NAME, "clicks");
    }

    private List<String> published() {
        return new ModelRoot(root.toString())
                .versions("default", "clicks").stream().map(ModelVersion::id).toList();
    }

    private static void take(Iterator<TrainedVersion> versions, int count, List<String> ids) {
        for (int i = 0; i < count; i++) {
            ids.add(versions.next().id());
        }
    }

    @Test
    void theModelOfTheEndIsAVersion() throws Exception {
        String directory = root.resolve("model").toString();
        for (int i = 0; i < 2; i++) { // the second passes over what the first has saved
            Training training =
                    job(bounded(CLUSTER.environment(1)))
                            .set(PsOptions.MODEL_OUTPUT, directory)
                            .start();
            assertThat(training.versions()).isSameAs(training.versions());
            assertThat(collect(training.versions()))
                    .singleElement()
                    .satisfies(version -> assertThat(version.path()).isEqualTo(directory))
                    .satisfies(version -> assertThat(version.rows()).isEqualTo(KEYS + 1))
                    .satisfies(
                            version ->
                                    assertThat(version.id())
                                            .isEqualTo(ModelVersion.id(version.time())));
        }
    }

    @Test
    void soItIsInBatchMode() throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        env.setRuntimeMode(RuntimeExecutionMode.BATCH);
        List<TrainedVersion> versions = collect(job(bounded(env)).asVersions().start().versions());
        assertThat(versions).extracting(TrainedVersion::id).isEqualTo(published());
        assertThat(versions).hasSize(1);
    }

    @Test
    void eachVersionIsToldOfOnceWhateverFails() throws Exception {
        collect(job(bounded(CLUSTER.environment(1))).asVersions().start().reports());
        List<String> ids = published();
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(1), 50);
        Training training =
                job(endless(env))
                        .set(PsOptions.SAVE_INTERVAL, Duration.ofMillis(20))
                        .asVersions()
                        .start();
        List<String> told = new ArrayList<>();
        try (CloseableIterator<TrainedVersion> versions = training.versions().collectAsync()) {
            JobClient client = env.executeAsync();
            take(versions, 3, told);
            FAIL.set(true);
            take(versions, 10, told);
            Savepoints.stop(client, true, root.resolve("savepoint"));
            versions.forEachRemaining(version -> told.add(version.id()));
            assertThat(CLUSTER.cluster().lastFailure(client.getJobID()))
                    .contains("a test fails the task");
        }
        List<String> expected = new ArrayList<>(published());
        expected.removeAll(ids);
        assertThat(told).isEqualTo(expected);
    }

    private static void extract(RowBatch rows, RowBatchBuilder out) {
        out.append(rows, 0, rows.rows());
    }

    private static DataStream<RowBatch> feed(
            StreamExecutionEnvironment env, TestingFeed<RowBatch> feed) {
        return env.fromSource(
                feed, WatermarkStrategy.noWatermarks(), "feed", RowBatchTypeInfo.INSTANCE);
    }

    @Test
    void aSecondStreamIsPredictedByTheModelAsItTrains() throws Exception {
        TestingFeed<RowBatch> requests = new TestingFeed<>("as-it-trains");
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        Training training =
                job(endless(env))
                        .set(PsOptions.SERVERS, 2)
                        .set(PsOptions.REFRESH_INTERVAL, Duration.ofMillis(1))
                        .start();
        try (CloseableIterator<Tuple2<RowBatch, ScoredRow>> predictions =
                training.predictions(feed(env, requests), TrainingHandleITCase::extract)
                        .collectAsync()) {
            JobClient client = env.executeAsync();
            RowBatchBuilder even = new RowBatchBuilder().add(2).add(4);
            even.endRow(0);
            RowBatch request = even.build();
            float score;
            do {
                requests.give(0, request);
                score = predictions.next().f1.score();
            } while (score < .9f);
            LocalCluster.cancel(client);
        }
    }

    @Test
    void behindTheEndOfTrainingItsVersionPredicts() throws Exception {
        TestingFeed<RowBatch> requests = new TestingFeed<>("behind-the-end");
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        Training training = job(bounded(env)).asVersions().start();
        List<ScoredRow> predicted = new ArrayList<>();
        try (CloseableIterator<Tuple2<RowBatch, ScoredRow>> predictions =
                training.predictions(feed(env, requests), TrainingHandleITCase::extract)
                        .collectAsync()) {
            env.executeAsync();
            Polling.await("nothing is published", () -> !published().isEmpty());
            for (int i = 40; i < 45; i++) {
                requests.give(0, batch(i));
            }
            requests.end();
            predictions.forEachRemaining(each -> predicted.add(each.f1));
        }
        String path =
                root.resolve("default/clicks/versions").resolve(published().get(0)).toString();
        List<ScoredRow> scored =
                collectRows(
                        FlinkPs.score(
                                        CLUSTER.environment(1)
                                                .fromSequence(40, 44)
                                                .map(TrainingHandleITCase::batch)
                                                .returns(RowBatchTypeInfo.INSTANCE),
                                        path)
                                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                                .start());
        assertThat(predicted)
                .extracting(ScoredRow::score)
                .isEqualTo(scored.stream().map(ScoredRow::score).toList());
        assertThat(ModelValues.read(Path.of(path)).table("weights")).hasSize(KEYS);
    }

    private static void extractOrRefuse(Long number, RowBatchBuilder out) {
        out.add(number % 10);
        if (number % 3 == 0) {
            throw new IllegalArgumentException("number " + number + " is of no use");
        }
        out.endRow(0);
    }

    /** The timestamps of records, which are the records here. */
    private static final class Timestamps extends ProcessFunction<Tuple2<Long, ScoredRow>, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(
                Tuple2<Long, ScoredRow> predicted, Context context, Collector<Long> out) {
            out.collect(predicted.f0.equals(context.timestamp()) ? predicted.f0 : -1L);
        }
    }

    @Test
    void recordsComeOutInTheirOrderWithTheirTimestamps() throws Exception {
        for (OnBadRow choice : OnBadRow.values()) {
            StreamExecutionEnvironment env = CLUSTER.environment(2);
            DataStream<Long> numbers =
                    env.fromSequence(0, 2999)
                            .setParallelism(1)
                            .assignTimestampsAndWatermarks(
                                    WatermarkStrategy.<Long>forMonotonousTimestamps()
                                            .withTimestampAssigner((number, before) -> number))
                            .setParallelism(1);
            DataStream<Long> predicted =
                    job(bounded(env))
                            .onBadRow(choice)
                            .asVersions()
                            .start()
                            .predictions(numbers, TrainingHandleITCase::extractOrRefuse)
                            .process(new Timestamps())
                            .setParallelism(1);
            if (choice == OnBadRow.FAIL) {
                assertThatThrownBy(() -> collect(predicted))
                        .hasStackTraceContaining("number 0 is of no use");
            } else {
                assertThat(collect(predicted))
                        .isEqualTo(
                                LongStream.range(0, 3000)
                                        .filter(number -> number % 3 != 0)
                                        .boxed()
                                        .toList());
            }
        }
    }

    @Test
    void mistakesNameWhatIsMissing() {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        DataStream<RowBatch> rows = bounded(env);
        Training unsaved = job(rows).start();
        assertThatThrownBy(unsaved::versions).hasMessageContaining("set the option model");
        assertThatThrownBy(() -> unsaved.predictions(rows, TrainingHandleITCase::extract))
                .hasMessageContaining("predictions need the option model");
        assertThatThrownBy(
                        () ->
                                job(rows)
                                        .asVersions()
                                        .set(PsOptions.MODEL_OUTPUT, root.toString())
                                        .start())
                .hasMessageContaining("either asVersions() or the option model");
        env.setRuntimeMode(RuntimeExecutionMode.BATCH);
        Training batch = job(rows).asVersions().start();
        assertThatThrownBy(() -> batch.predictions(rows, TrainingHandleITCase::extract))
                .hasMessageContaining("BATCH cannot predict while it trains");
    }
}
