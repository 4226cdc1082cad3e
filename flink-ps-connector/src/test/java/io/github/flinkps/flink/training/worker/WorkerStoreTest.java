package io.github.flinkps.flink.training.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flinkps.client.Residual;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.TrainingException;
import io.github.flinkps.flink.training.WorkerCounts;
import io.github.flinkps.flink.training.rows.CachedBatch;
import io.github.flinkps.flink.training.rows.RowFile;
import io.github.flinkps.flink.training.rows.RowFileEntry;
import io.github.flinkps.flink.training.rows.ScheduleState;
import java.util.List;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what a worker is given of the state of others. */
class WorkerStoreTest {
    private static final int EPOCHS = 3;

    private final RowBatch rows = TestingRows.batch(1, 5, 20);
    private OperatorStateBackend states;

    @BeforeEach
    void create() throws Exception {
        states =
                new DefaultOperatorStateBackendBuilder(
                                getClass().getClassLoader(),
                                new ExecutionConfig(),
                                false,
                                List.of(),
                                new CloseableRegistry())
                        .build();
    }

    @AfterEach
    void close() throws Exception {
        states.close();
    }

    private static CachedBatch cached(int due, boolean begun) {
        return new CachedBatch(due, begun, new RowFileEntry(RowFile.written("rows"), 0, 9, 5));
    }

    private static WorkerCounts counts(long rows) {
        return new WorkerCounts(
                rows,
                1,
                7,
                2,
                rows,
                9,
                new double[EPOCHS],
                new double[EPOCHS],
                new long[] {2, 1, 0});
    }

    private void write(int epoch, long number, boolean reported, CachedBatch... cached)
            throws Exception {
        ScheduleState schedule =
                new ScheduleState(epoch, number, 77, List.of(rows), true, List.of(cached));
        Residual retained = new Residual("t", 1, 1, new long[] {9, 0}, new float[] {.5f, 0});
        new WorkerStore(states, false)
                .write(
                        null,
                        new WorkerStore.Snapshot(
                                1, 2, schedule, true, reported, counts(50), List.of(retained)));
    }

    @Test
    void oneOfAsManyGoesOnWhereItStood() throws Exception {
        write(2, 4, true, cached(2, true), cached(3, false));
        WorkerStore.Snapshot now = new WorkerStore(states, true).restored(1, 2, EPOCHS);
        assertThat(now.schedule().epoch()).isEqualTo(2);
        assertThat(now.schedule().number()).isEqualTo(4);
        assertThat(now.schedule().seen()).isEqualTo(77);
        assertThat(now.schedule().unfilled()).isTrue();
        assertThat(now.schedule().waiting()).hasSize(1);
        assertThat(now.schedule().cached()).extracting(CachedBatch::due).containsExactly(2, 3);
        assertThat(now.schedule().cached())
                .extracting(CachedBatch::begun)
                .containsExactly(true, false);
        assertThat(now.idle()).isTrue();
        assertThat(now.reported()).isTrue();
        assertThat(now.residuals()).extracting(Residual::table).containsExactly("t");
        assertThat(now.counts().rows()).isEqualTo(50);
    }

    @Test
    void oneOfAnotherNumberBeginsWithTheFirstPass() throws Exception {
        write(2, 4, false, cached(2, false), cached(3, false));
        WorkerStore.Snapshot now = new WorkerStore(states, true).restored(1, 3, EPOCHS);
        assertThat(now.schedule().epoch()).isZero();
        assertThat(now.schedule().number()).isZero();
        assertThat(now.schedule().seen()).isEqualTo(77);
        assertThat(now.schedule().unfilled()).isFalse();
        assertThat(now.schedule().cached()).extracting(CachedBatch::due).containsExactly(2, 3);
        assertThat(now.idle()).isFalse();
        assertThat(now.counts().rows()).isEqualTo(50);
        assertThat(now.counts().batches()).containsExactly(2, 1, 0);
    }

    @Test
    void whatHasBeenReportedIsNotReportedAgain() throws Exception {
        write(2, 4, true);
        WorkerStore.Snapshot now = new WorkerStore(states, true).restored(0, 1, EPOCHS);
        assertThat(now.reported()).isFalse();
        assertThat(now.counts().rows()).isZero();
        assertThat(now.counts().batches()).containsOnly(0);
        assertThat(now.counts().trainedRows()).isEqualTo(50);
        assertThat(now.residuals()).hasSize(1);
    }

    @Test
    void rowsOfMiniBatchesThatAreBegunCannotGoToOtherWorkers() throws Exception {
        write(2, 4, false, cached(3, false), cached(2, true));
        WorkerStore store = new WorkerStore(states, true);
        assertThatThrownBy(() -> store.restored(1, 3, EPOCHS))
                .isInstanceOf(TrainingException.class)
                .hasMessageContaining("shuffle=rows")
                .hasMessageContaining("start it with as many as it had");
        assertThatThrownBy(() -> store.restored(1, 2, EPOCHS + 1))
                .hasMessageContaining("a job of 3 epochs, this one has 4");
    }
}
