package io.github.flinkps.flink.training.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.internal.compat.Barrier;
import io.github.flinkps.flink.service.LocalServerBackend;
import io.github.flinkps.flink.testing.TestingOperatorContext;
import io.github.flinkps.flink.training.worker.TestingSettings;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order of what comes out; scores are given, so that no server is needed. */
class RecordScoringOperatorTest {
    private static final ScoredRow SCORED = new ScoredRow(-1, 0, 0, 1, new float[1]);

    @TempDir Path root;
    private final TestingOperatorContext<Tuple2<String, ScoredRow>> context =
            new TestingOperatorContext<>(0, 1);
    private RecordScoringOperator<String> operator;

    @BeforeEach
    void open() throws Exception {
        create();
        operator.open(context);
    }

    private void create() {
        operator =
                new RecordScoringOperator<>(
                        TestingSettings.scoring(root),
                        LogisticRegression.builder().build(),
                        new LocalServerBackend());
    }

    @AfterEach
    void close() throws Exception {
        operator.close();
    }

    private void enqueue(String record, long timestamp) {
        context.timestamp = timestamp;
        operator.enqueue(record);
    }

    @Test
    void watermarksAndIdlenessWaitForTheRecordsBeforeThem() {
        operator.watermark(1, context);
        operator.idleness(false, context);
        assertThat(context.times).as("nothing to wait for").containsExactly(1L);
        assertThat(context.idleness).containsExactly(false);

        enqueue("a", 5);
        enqueue("b", 7);
        operator.watermark(6, context);
        operator.idleness(true, context);
        enqueue("c", 9);
        operator.watermark(8, context);
        assertThat(context.times).containsExactly(1L);

        operator.scored(SCORED);
        assertThat(context.times).containsExactly(1L, 5L);
        assertThat(context.idleness).containsExactly(false);
        operator.scored(SCORED);
        assertThat(context.times).containsExactly(1L, 5L, 7L, 6L);
        assertThat(context.idleness).containsExactly(false, true);
        operator.scored(SCORED);
        assertThat(context.times).containsExactly(1L, 5L, 7L, 6L, 9L, 8L);
        assertThat(context.emitted).extracting(each -> each.f0).containsExactly("a", "b", "c");
    }

    @Test
    void rowsLeftOutAreCountedOverAttempts() throws Exception {
        try (OperatorStateBackend states =
                new DefaultOperatorStateBackendBuilder(
                                getClass().getClassLoader(),
                                new ExecutionConfig(),
                                false,
                                List.of(),
                                new CloseableRegistry())
                        .build()) {
            for (long before : new long[] {0, 3, 6}) {
                close();
                create();
                context.counts.clear();
                operator.initializeState(states, before > 0);
                operator.open(context);
                assertThat(context.counts.getOrDefault(ScoringOperator.SKIPPED_ROWS, 0L))
                        .isEqualTo(before);
                operator.arrived(1, 3, 0);
                operator.beforeBarrier();
                operator.snapshotState(new Barrier(before + 1, 0, false));
                operator.arrived(1, 5, 0);
            }
        }
    }
}
