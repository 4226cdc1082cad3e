package io.github.flinkps.flink;

import static io.github.flinkps.flink.testing.LocalCluster.collect;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.NotedMap;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.testing.TestingFailures;
import io.github.flinkps.flink.training.scoring.ScoredBatch;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that score, fail before and behind the workers, and go on: each row comes out once. */
@Timeout(180)
class ScoringFailuresITCase {
    private static final int NUMBERS = 3_000;
    private static final int ROWS = 3;
    private static final int MOST_FAILURES = 4;

    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();
    @TempDir private static Path root;
    private static String model;

    @BeforeAll
    static void trainModel() throws Exception {
        model = root.resolve("model").toString();
        collect(
                FlinkPs.train(
                                CLUSTER.environment(1).fromSequence(0, 999),
                                ScoringFailuresITCase::extract,
                                LogisticRegression.builder().build())
                        .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                        .set(PsOptions.MODEL_OUTPUT, model)
                        .start()
                        .reports());
    }

    /** A key for each number below 10; labels are those of even numbers. */
    private static void extract(Long number, RowBatchBuilder out) {
        out.add(number % 10);
        out.endRow(number % 2 == 0 ? 1 : 0);
    }

    private static RowBatch rows(long number) {
        RowBatchBuilder rows = new RowBatchBuilder().position(number, 0);
        for (int i = 0; i < ROWS; i++) {
            extract(number, rows);
        }
        return rows.build();
    }

    /** Numbers that end, of a source that does not say so. */
    private static final class Stream extends DataGeneratorSource<Long> {
        private static final long serialVersionUID = 1L;

        Stream() {
            super(
                    number -> number,
                    NUMBERS,
                    RateLimiterStrategy.perSecond(NUMBERS / 2),
                    Types.LONG);
        }

        @Override
        public Boundedness getBoundedness() {
            return Boundedness.CONTINUOUS_UNBOUNDED;
        }
    }

    private static <T> DataStream<T> failing(
            DataStream<T> stream, TestingFailures failures, TypeInformation<T> type) {
        return stream.map(
                        new NotedMap<T, T>(
                                failures,
                                each -> {
                                    failures.before(0);
                                    return each;
                                }))
                .returns(type);
    }

    private static <I, O> DataStream<O> scored(ScoringJob<I, O> job) {
        return job.set(PsOptions.MODEL_ROOT, root.toUri().toString())
                .set(PsOptions.WORKERS, 2)
                .set(PsOptions.BATCH_SIZE, 16)
                .set(PsOptions.BUFFER_ROWS, 100)
                .start();
    }

    private static boolean isRight(ScoredRow row) {
        return row.score() > .5f == row.label() > 0;
    }

    private static void right(ScoredBatch batch, Collector<Long> numbers) {
        for (int i = 0; i < batch.rows(); i++) {
            ScoredRow row = batch.row(i);
            if (isRight(row)) {
                numbers.collect(row.block() * ROWS + row.row());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void eachRowComesOutOnce(boolean records, boolean bounded) throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        TestingFailures failures = TestingFailures.some("scoring" + seed, seed, MOST_FAILURES);
        failures.pause(1);
        StreamExecutionEnvironment env = CountingJob.failing(CLUSTER.environment(2), 50);
        DataStream<Long> numbers =
                failing(
                        bounded
                                ? env.fromSequence(0, NUMBERS - 1)
                                : env.fromSource(
                                        new Stream(), WatermarkStrategy.noWatermarks(), "stream"),
                        failures,
                        Types.LONG);
        List<Long> out;
        if (records) {
            out =
                    collect(
                            failing(
                                    scored(
                                                    FlinkPs.score(
                                                            numbers,
                                                            ScoringFailuresITCase::extract,
                                                            model))
                                            .filter(each -> isRight(each.f1))
                                            .map(each -> each.f0)
                                            .returns(Types.LONG),
                                    failures,
                                    Types.LONG));
        } else {
            DataStream<RowBatch> rows =
                    numbers.map(ScoringFailuresITCase::rows).returns(RowBatchTypeInfo.INSTANCE);
            out =
                    collect(
                            failing(
                                    scored(FlinkPs.score(rows, model))
                                            .flatMap(ScoringFailuresITCase::right)
                                            .returns(Types.LONG),
                                    failures,
                                    Types.LONG));
        }
        System.out.println(failures.happened() + " failures, " + failures.restored());
        assertThat(out)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, records ? NUMBERS : NUMBERS * ROWS).boxed().toList());
        assertThat(failures.happened()).isPositive();
    }
}
