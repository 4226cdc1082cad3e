package io.github.flinkps.flink;

import static io.github.flinkps.flink.testing.LocalCluster.collect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import io.github.flinkps.testing.Polling;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Records of any type that come out of scoring beside their scores, over real servers. */
@Timeout(120)
class RecordScoringITCase {
    private static final int RECORDS = 5_000;

    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();
    @TempDir private static Path root;
    private static String model;

    @BeforeAll
    static void trainModel() throws Exception {
        model = root.resolve("model").toString();
        collect(
                FlinkPs.train(
                                CLUSTER.environment(1).fromSequence(0, 999),
                                RecordScoringITCase::extract,
                                LogisticRegression.builder().build())
                        .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                        .set(PsOptions.MODEL_OUTPUT, model)
                        .start()
                        .reports());
    }

    /** Checks that no folder is left of models that are named for one run each. */
    @AfterAll
    static void noFolderIsLeft() throws Exception {
        Polling.await(
                "folders of runs are left",
                () ->
                        Stream.of(root.resolve("default").toFile().list())
                                .noneMatch(name -> name.startsWith("scoring-")));
    }

    /** A key for each number below 10; labels are those of even numbers. */
    private static void extract(Long number, RowBatchBuilder out) {
        out.add(number % 10);
        out.endRow(number % 2 == 0 ? 1 : 0);
    }

    private static void extractOrRefuse(Long number, RowBatchBuilder out) {
        extract(number, out);
        if (number % 3 == 0) {
            extract(number, out);
        } else if (number % 3 == 1) {
            out.add(1);
            throw new IllegalArgumentException("number " + number + " is of no use");
        }
    }

    private static ScoringJob<Long, Tuple2<Long, ScoredRow>> job(
            DataStream<Long> numbers, int workers) {
        return FlinkPs.score(numbers, RecordScoringITCase::extract, model)
                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                .set(PsOptions.WORKERS, workers)
                .set(PsOptions.BATCH_SIZE, 64);
    }

    @Test
    void eachRecordComesOutBesideItsOwnScore() throws Exception {
        for (int workers : new int[] {1, 3}) {
            StreamExecutionEnvironment env = CLUSTER.environment(2);
            List<Tuple2<Long, ScoredRow>> scored =
                    collect(job(env.fromSequence(0, RECORDS - 1), workers).start());
            assertThat(scored)
                    .extracting(each -> each.f0)
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, RECORDS).boxed().toList());
            Map<Long, Float> byKey = new HashMap<>();
            for (Tuple2<Long, ScoredRow> each : scored) {
                assertThat(each.f1.label()).isEqualTo(each.f0 % 2 == 0 ? 1 : 0);
                assertThat(each.f1.score() > .5f).isEqualTo(each.f0 % 2 == 0);
                Float before = byKey.put(each.f0 % 10, each.f1.score());
                assertThat(before == null || before.equals(each.f1.score())).isTrue();
            }
            assertThat(byKey).hasSize(10);
        }
    }

    @Test
    void oneWorkerKeepsTheOrder() throws Exception {
        DataStream<Long> numbers = CLUSTER.environment(1).fromSequence(0, RECORDS - 1);
        assertThat(collect(job(numbers, 1).start()))
                .isSortedAccordingTo(Comparator.comparingLong(each -> each.f0));
    }

    /** Notes records without their timestamp, and such as come behind their watermark. */
    private static final class Lateness extends ProcessFunction<Tuple2<Long, ScoredRow>, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(
                Tuple2<Long, ScoredRow> scored, Context context, Collector<String> out) {
            long watermark = context.timerService().currentWatermark();
            if (context.timestamp() == null || context.timestamp() != 1000 + scored.f0) {
                out.collect(scored.f0 + " has timestamp " + context.timestamp());
            } else if (watermark >= context.timestamp()) {
                out.collect(scored.f0 + " is late at " + watermark);
            } else if (watermark > 1000) {
                out.collect("in time");
            }
        }
    }

    @Test
    void recordsKeepTheirTimeAndWatermarksWaitForThem() throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(1);
        env.getConfig().setAutoWatermarkInterval(1);
        DataGeneratorSource<Long> source =
                new DataGeneratorSource<>(
                        number -> number,
                        RECORDS,
                        RateLimiterStrategy.perSecond(RECORDS),
                        Types.LONG);
        WatermarkStrategy<Long> times =
                WatermarkStrategy.<Long>forMonotonousTimestamps()
                        .withTimestampAssigner((number, before) -> 1000 + number);
        DataStream<Long> numbers = env.fromSource(source, times, "numbers");
        List<String> noted = collect(job(numbers, 2).start().process(new Lateness()));
        assertThat(noted)
                .as("watermarks come on the way, and none too early")
                .hasSizeGreaterThan(RECORDS / 10)
                .containsOnly("in time");
    }

    @Test
    void aRecordMayHaveSeveralRowsOrBeLeftOut() throws Exception {
        DataStream<Long> numbers = CLUSTER.environment(1).fromSequence(0, 299);
        ScoringJob<Long, Tuple2<Long, ScoredRow>> job =
                FlinkPs.score(numbers, RecordScoringITCase::extractOrRefuse, model)
                        .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                        .set(PsOptions.BATCH_SIZE, 7);
        assertThat(collect(job.onBadRow(OnBadRow.SKIP).start()))
                .hasSize(400)
                .allSatisfy(
                        each ->
                                assertThat(each.f1.score() > .5f)
                                        .as("%s", each)
                                        .isEqualTo(each.f0 % 2 == 0));
        assertThatThrownBy(
                        () ->
                                collect(
                                        FlinkPs.score(
                                                        CLUSTER.environment(1).fromSequence(0, 9),
                                                        RecordScoringITCase::extractOrRefuse,
                                                        model)
                                                .set(PsOptions.TIMEOUT, Duration.ofSeconds(20))
                                                .start()))
                .hasStackTraceContaining("number 1 is of no use");
    }

    @Test
    void theTypeOfRecordsIsThatOfTheInput() {
        DataStream<Long> numbers = CLUSTER.environment(1).fromSequence(0, 9);
        assertThat(job(numbers, 1).start().getType())
                .isEqualTo(new TypeHint<Tuple2<Long, ScoredRow>>() {}.getTypeInfo());
    }
}
