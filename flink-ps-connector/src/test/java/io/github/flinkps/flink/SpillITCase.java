package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.ForwardingModel;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.testing.ModelValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose rows do not fit the memory they are given. */
@Timeout(120)
class SpillITCase {
    private static final int KEYS = 200;
    private static final int BATCHES = 40;
    private static final int ROWS = 50;
    private static final int EPOCHS = 3;

    @TempDir private Path temporary;
    @TempDir private Path root;
    private LocalCluster cluster;

    /** Logistic regression that looks for files of rows while it trains, and may fail. */
    private static final class Watching extends ForwardingModel {
        private static final long serialVersionUID = 1L;
        private static final AtomicLong MOST_BYTES = new AtomicLong();

        private final String folder;
        private int left;

        Watching(Path folder, int failsAfter) {
            super(LogisticRegression.builder().build());
            this.folder = folder.toString();
            this.left = failsAfter;
        }

        @Override
        protected void before(RowBatch rows) {
            MOST_BYTES.accumulateAndGet(rowFiles(Path.of(folder)), Math::max);
            if (left-- == 0) {
                throw new IllegalStateException("a failure on purpose");
            }
        }
    }

    /** Bytes in files of rows. */
    private static long rowFiles(Path folder) {
        long bytes = 0;
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : all.toList()) {
                Path rows = each.resolve("rows");
                bytes += Files.exists(rows) ? Files.size(rows) : 0;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes;
    }

    @BeforeEach
    void startCluster() {
        Configuration configuration = new Configuration();
        configuration.set(CoreOptions.TMP_DIRS, temporary.toString());
        cluster = new LocalCluster(configuration);
        Watching.MOST_BYTES.set(0);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        cluster.close();
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left.map(each -> each.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("flink-ps"));
        }
        assertThat(LocalCluster.ourThreads()).isEmpty();
    }

    private List<WorkerReport> train(String memory, Shuffle shuffle, Path directory, int failsAfter)
            throws Exception {
        StreamExecutionEnvironment env = cluster.environment(1);
        DataStream<RowBatch> rows =
                env.fromSequence(0, BATCHES - 1)
                        .map(number -> TestingRows.batch(number, ROWS, KEYS))
                        .returns(RowBatchTypeInfo.INSTANCE);
        return LocalCluster.collect(
                FlinkPs.train(rows, new Watching(temporary, failsAfter))
                        .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                        .set(PsOptions.WORKERS, 1)
                        .set(PsOptions.EPOCHS, EPOCHS)
                        .set(PsOptions.BATCH_SIZE, 16)
                        .set(PsOptions.SHUFFLE, shuffle)
                        .set(PsOptions.ROW_MEMORY, MemorySize.parse(memory))
                        .set(PsOptions.MODEL_OUTPUT, directory.toString())
                        .start()
                        .reports());
    }

    @Test
    void theModelIsTheSameWhereverRowsAreKept() throws Exception {
        for (Shuffle shuffle : Shuffle.values()) {
            Path inMemory = root.resolve("memory-" + shuffle);
            Path inFiles = root.resolve("files-" + shuffle);
            List<WorkerReport> kept = train("64m", shuffle, inMemory, Integer.MAX_VALUE);
            assertThat(Watching.MOST_BYTES).hasValue(0);
            List<WorkerReport> spilled = train("6k", shuffle, inFiles, Integer.MAX_VALUE);
            // labels, starts, four keys each; what stays in memory is a tenth at most
            long bytes = BATCHES * ROWS * (4L + 4 + 4 * 8);
            assertThat(Watching.MOST_BYTES.getAndSet(0)).isBetween(bytes * 9 / 10, bytes * 2);
            assertThat(spilled.get(0).lossSums()).isEqualTo(kept.get(0).lossSums());
            assertThat(spilled.get(0).rows()).isEqualTo((long) BATCHES * ROWS);
            ModelValues values = ModelValues.read(inFiles);
            assertThat(values.table("weights")).hasSize(KEYS);
            assertThat(values.table("bias")).hasSize(1);
            assertThat(values).isEqualTo(ModelValues.read(inMemory));
        }
        assertThat(ModelValues.read(root.resolve("files-ROWS")))
                .isNotEqualTo(ModelValues.read(root.resolve("files-BATCHES")));
    }

    @Test
    void aFailureLeavesNoFile() {
        int mostOfTwoPasses = BATCHES * ROWS / 16 * 7 / 4;
        assertThatThrownBy(() -> train("0", Shuffle.BATCHES, root.resolve("m"), mostOfTwoPasses))
                .hasStackTraceContaining("a failure on purpose");
        assertThat(Watching.MOST_BYTES.get()).isPositive();
    }
}
