package io.github.flinkps.flink.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TextSourceITCase {
    private static final RowFormat FORMAT = LibsvmFormat.of(Labels.BINARY);

    @TempDir Path folder;

    private List<String> writeInput(Random random) throws Exception {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            String text = Rows.randomText(random, 400 * i + 3);
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            Files.write(folder.resolve("part-" + i), i % 2 == 1 ? Rows.gzip(bytes) : bytes);
            expected.addAll(Rows.parse(text, FORMAT));
        }
        return expected;
    }

    private TextSource source(int blockSize) {
        return TextSource.of(List.of(folder.toString()), FORMAT).blockSize(blockSize).build();
    }

    private static SingleOutputStreamOperator<RowBatch> stream(
            StreamExecutionEnvironment env, BlockSource source) {
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "rows");
    }

    /** Rows in the order of their input. */
    private static List<String> inOrder(CloseableIterator<RowBatch> batches) throws Exception {
        List<RowBatch> all = new ArrayList<>();
        try (batches) {
            batches.forEachRemaining(all::add);
        }
        all.sort(Comparator.comparingLong(RowBatch::block).thenComparingInt(RowBatch::firstRow));
        List<String> rows = new ArrayList<>();
        all.forEach(batch -> rows.addAll(Rows.of(batch)));
        return rows;
    }

    @Test
    void readsTheSameRowsWithAnyParallelism() throws Exception {
        long seed = System.nanoTime();
        List<String> expected = writeInput(new Random(seed));
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(3);
        List<CloseableIterator<RowBatch>> files = new ArrayList<>();
        for (int parallelism = 1; parallelism <= 3; parallelism++) {
            files.add(stream(env, source(1000)).setParallelism(parallelism).collectAsync());
        }
        env.executeAsync();
        for (int i = 0; i < 3; i++) {
            boolean same = inOrder(files.get(i)).equals(expected);
            assertThat(same).as("parallelism %d seed %d", i + 1, seed).isTrue();
        }
    }

    @Test
    void readsEveryRowOnceThroughAFailure() throws Exception {
        long seed = System.nanoTime();
        List<String> expected = writeInput(new Random(seed));
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(2, configuration);
        env.enableCheckpointing(20);
        FailOnce.ATTEMPTS.set(0);
        FailOnce.RESTORED_ROWS.set(0);
        List<String> rows =
                inOrder(
                        stream(env, source(200))
                                .map(new FailOnce())
                                .returns(RowBatchTypeInfo.INSTANCE)
                                .executeAndCollect());
        assertThat(FailOnce.ATTEMPTS.get()).isGreaterThan(2);
        assertThat(FailOnce.RESTORED_ROWS.get())
                .as("rows read after the failure")
                .isPositive()
                .isLessThan(expected.size());
        assertThat(rows.equals(expected)).as("seed %d", seed).isTrue();
    }

    @Test
    void namesTheRowThatIsBad() throws Exception {
        writeInput(new Random(7));
        Path bad = folder.resolve("part-9");
        Files.writeString(bad, "1 1:1\n".repeat(700) + "0 1:1 2:one\n");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(2);
        Throwable failure =
                catchThrowable(() -> inOrder(stream(env, source(512)).executeAndCollect()));
        assertThat(ExceptionUtils.findThrowable(failure, BadRowException.class))
                .get()
                .extracting(Throwable::getMessage)
                .isEqualTo(bad + ":701:9: value 'one' is not a number");
    }

    @Test
    void namesTheInputThatIsMissing() {
        TextSource missing = TextSource.of(List.of(folder + "/none"), FORMAT).build();
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1);
        Throwable failure = catchThrowable(() -> inOrder(stream(env, missing).executeAndCollect()));
        assertThat(ExceptionUtils.findThrowable(failure, InputException.class))
                .get()
                .extracting(Throwable::getMessage)
                .isEqualTo("input " + folder + "/none does not exist");
    }

    /** Slows rows down until a checkpoint is complete, and fails then, once. */
    private static final class FailOnce extends RichMapFunction<RowBatch, RowBatch>
            implements CheckpointListener {
        private static final long serialVersionUID = 1L;
        static final AtomicInteger ATTEMPTS = new AtomicInteger();
        static final AtomicInteger RESTORED_ROWS = new AtomicInteger();

        private boolean first;
        private int batches;

        @Override
        public void open(org.apache.flink.api.common.functions.OpenContext context) {
            ATTEMPTS.incrementAndGet();
            first = getRuntimeContext().getTaskInfo().getAttemptNumber() == 0;
        }

        @Override
        public RowBatch map(RowBatch batch) {
            batches++;
            if (first) {
                LockSupport.parkNanos(5_000_000);
            } else {
                RESTORED_ROWS.addAndGet(batch.rows());
            }
            return batch;
        }

        @Override
        public void notifyCheckpointComplete(long checkpoint) {
            if (first && batches > 3) {
                throw new IllegalStateException("failing on purpose");
            }
        }
    }
}
