package io.github.flinkps.flink;

import static io.github.flinkps.flink.testing.LocalCluster.collect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.testing.ModelValues;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** BATCH runtime mode, in which one task trains. */
class BatchModeITCase {
    @RegisterExtension static final SharedCluster CLUSTER = new SharedCluster();

    private static final int ROWS = 200;
    private static final AtomicInteger FAILURES = new AtomicInteger();

    @TempDir Path root;
    private StreamExecutionEnvironment env;

    @BeforeEach
    void open() {
        FAILURES.set(0);
        env = CLUSTER.environment(1);
        env.setRuntimeMode(RuntimeExecutionMode.BATCH);
        Configuration restarts = new Configuration();
        restarts.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        restarts.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 2);
        restarts.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
        env.configure(restarts);
    }

    private TrainingJob<Long> job(String directory) {
        DataStream<Long> numbers = env.fromSequence(0, ROWS - 1).setParallelism(1);
        RowExtractor<Long> rows =
                (number, out) -> {
                    if (number == 150 && FAILURES.getAndDecrement() > 0) {
                        throw new IllegalStateException("a failure that is wanted");
                    }
                    out.add(number % 7, 1f);
                    out.endRow(number % 7 < 3 ? 1f : 0f, 1f);
                };
        return FlinkPs.train(numbers, rows, LogisticRegression.builder().build())
                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                .set(PsOptions.MODEL_OUTPUT, root.resolve(directory).toString())
                .set(PsOptions.SERVERS, 2)
                .set(PsOptions.BATCH_SIZE, 16)
                .set(PsOptions.EPOCHS, 3);
    }

    private Map<Long, Float> weights(String directory) {
        return ModelValues.read(root.resolve(directory)).table("weights");
    }

    @Test
    void everyAttemptTrainsFromTheStart() throws Exception {
        List<WorkerReport> reports = collect(job("whole").start().reports());
        assertThat(reports).singleElement().returns((long) ROWS, WorkerReport::rows);
        FAILURES.set(2);
        job("failed").start().reports().sinkTo(new DiscardingSink<>());
        env.execute();
        assertThat(FAILURES).hasNegativeValue();
        assertThat(weights("failed")).hasSize(7).isEqualTo(weights("whole"));
        try (var left = Files.list(root)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("whole", "failed", "default");
        }
    }

    /** A slow task may get a second attempt beside it: but not one that trains. */
    @Test
    void thereIsNeverASecondAttemptBesideTheFirst() {
        env.disableOperatorChaining();
        job("m").start().reports().print();
        assertThat(env.getStreamGraph(false).getJobGraph().getVertices())
                .filteredOn(vertex -> vertex.getName().startsWith("train "))
                .singleElement()
                .satisfies(
                        vertex -> {
                            assertThat(vertex.isSupportsConcurrentExecutionAttempts()).isFalse();
                            assertThat(vertex.getMaxParallelism()).isOne();
                        });
    }

    @Test
    void whatNeedsSeveralTasksIsRefused() {
        assertThatThrownBy(() -> job("m").set(PsOptions.WORKERS, 2).start())
                .hasMessageContaining("workers must be 1 with execution.runtime-mode BATCH, not 2");
        assertThatThrownBy(
                        () -> job("m").set(PsOptions.SAVE_INTERVAL, Duration.ofSeconds(1)).start())
                .hasMessageContaining("save-interval needs execution.runtime-mode STREAMING");
        assertThatThrownBy(
                        () ->
                                FlinkPs.score(
                                                env.fromSequence(0, 1),
                                                (number, out) -> out.endRow(0f, 1f),
                                                LogisticRegression.builder().build(),
                                                root.toString())
                                        .start())
                .hasMessageContaining("execution.runtime-mode BATCH cannot run workers");
    }
}
