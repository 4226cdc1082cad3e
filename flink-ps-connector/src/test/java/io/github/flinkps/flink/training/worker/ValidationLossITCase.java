package io.github.flinkps.flink.training.worker;

import static io.github.flinkps.flink.testing.LocalCluster.collect;
import static io.github.flinkps.flink.testing.LocalCluster.collectRows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowBatchTypeInfo;
import io.github.flinkps.flink.metrics.BinaryMetrics;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.RetainingFilter;
import io.github.flinkps.flink.testing.TestingRows;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.flink.training.rows.MiniBatch;
import io.github.flinkps.flink.training.rows.SpillingRowCache;
import io.github.flinkps.flink.training.rows.ValidationRows;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The loss that is told of a pass, against that of the same rows scored with the saved model. */
@Timeout(120)
class ValidationLossITCase {
    private static final int BATCHES = 20;
    private static final int ROWS = 50;
    private static final int KEYS = 60;
    private static final double SHARE = 0.4;

    @TempDir Path root;

    private static DataStream<RowBatch> rows(StreamExecutionEnvironment env) {
        return env.fromSequence(0, BATCHES - 1)
                .setParallelism(1)
                .map(number -> TestingRows.batch(number, ROWS, KEYS))
                .returns(RowBatchTypeInfo.INSTANCE)
                .setParallelism(1);
    }

    /** The validation rows, as a worker draws them. */
    private List<RowBatch> validating() throws Exception {
        List<RowBatch> kept = new ArrayList<>();
        SpillingRowCache cache = new SpillingRowCache(1 << 20, root);
        try (ValidationRows rows = new ValidationRows(SHARE, 0, 0, 16, cache)) {
            for (int number = 0; number < BATCHES; number++) {
                rows.split(TestingRows.batch(number, ROWS, KEYS));
            }
            rows.endOfInput();
            for (int i = 0; i < rows.batches(); i++) {
                MiniBatch batch = rows.batch(i);
                kept.add(batch.rows.slice(batch.from, batch.to));
            }
        }
        return kept;
    }

    /** Updates that workers retain are in what is measured. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isThatOfTheModelKept(boolean retains) throws Exception {
        String directory = root.resolve("model").toString();
        BinaryMetrics metrics = new BinaryMetrics();
        List<WorkerReport> reports;
        try (LocalCluster cluster = new LocalCluster()) {
            reports =
                    collect(
                            FlinkPs.train(
                                            rows(cluster.environment(1)),
                                            LogisticRegression.builder().build())
                                    .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                                    .set(PsOptions.EPOCHS, 4)
                                    .set(PsOptions.VALIDATION_SHARE, SHARE)
                                    .set(PsOptions.MODEL_OUTPUT, directory)
                                    .pushFilter(retains ? new RetainingFilter(0) : null)
                                    .start()
                                    .reports());
            DataStream<RowBatch> rows =
                    cluster.environment(1).fromData(validating(), RowBatchTypeInfo.INSTANCE);
            for (ScoredRow row :
                    collectRows(
                            FlinkPs.score(rows, directory)
                                    .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                                    .start())) {
                metrics.add(row.scores()[0], row.label(), row.weight());
            }
        }
        WorkerReport report = reports.get(0);
        assertThat(report.validationRows()).isEqualTo(metrics.rows()).isBetween(300L, 500L);
        double best = 1;
        for (double loss : report.validationLosses()) {
            best = Math.min(best, loss);
        }
        assertThat(best).isCloseTo(metrics.logloss(), within(1e-5)).isLessThan(0.65);
    }
}
