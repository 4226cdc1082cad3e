package io.github.flinkps.flink;

import static io.github.flinkps.flink.testing.LocalCluster.collect;
import static io.github.flinkps.flink.testing.LocalCluster.collectRows;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.LibsvmFormat;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.TextSource;
import io.github.flinkps.flink.metrics.BinaryMetrics;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import io.github.flinkps.server.ParameterServer;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.testing.RealData;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Default options on real rows, over real servers, embedded and remote. */
@Timeout(120)
class RealDataITCase {
    private static final Logger LOG = LoggerFactory.getLogger(RealDataITCase.class);
    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;

    private static DataStream<RowBatch> rows(Path file, int readers) throws Exception {
        StreamExecutionEnvironment env = CLUSTER.environment(readers);
        return env.fromSource(
                TextSource.of(List.of(file.toString()), LibsvmFormat.of(Labels.BINARY)).build(),
                WatermarkStrategy.noWatermarks(),
                "rows");
    }

    @ParameterizedTest
    @CsvSource({
        "BSP,1,1,true", "BSP,2,3,true", "BSP,4,1,false",
        "SSP,1,3,false", "SSP,2,1,true", "SSP,4,3,true",
        "ASP,1,1,true", "ASP,2,3,false", "ASP,4,3,true"
    })
    void reachesTheKnownOptimumOfA9a(
            ConsistencySpec.Kind kind, int workers, int servers, boolean embedded)
            throws Exception {
        Path train = RealData.path("a9a/a9a.libsvm");
        Path test = RealData.path("a9a/a9a.t.libsvm");
        List<ParameterServer> remote = new ArrayList<>();
        try {
            for (int i = 0; i < (embedded ? 0 : servers); i++) {
                remote.add(ParameterServer.start(ServerConfig.defaults()));
            }
            String directory = root.resolve("model").toString();
            TrainingJob<RowBatch> job =
                    FlinkPs.train(rows(train, workers), LogisticRegression.builder().build())
                            .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                            .set(PsOptions.EPOCHS, 5)
                            .set(PsOptions.CONSISTENCY, kind)
                            .set(PsOptions.MODEL_OUTPUT, directory);
            if (embedded) {
                job.set(PsOptions.SERVERS, servers);
            } else {
                job.set(PsOptions.MODEL_NAME, "a9a");
                job.set(PsOptions.REMOTE, remote.stream().map(ParameterServer::address).toList());
            }
            if (kind == ConsistencySpec.Kind.SSP) {
                job.set(PsOptions.STALENESS, 4);
            }
            List<WorkerReport> reports = collect(job.start().reports());
            BinaryMetrics metrics = score(test, directory);
            long begun = reports.stream().mapToLong(WorkerReport::firstRowMillis).min().orElse(0);
            long done =
                    reports.stream()
                            .mapToLong(WorkerReport::lastAcknowledgedMillis)
                            .max()
                            .orElse(0);
            LOG.warn(
                    "{} workers {} servers {} embedded {}: logloss {} accuracy {} in {} ms,"
                            + " computing {} ms",
                    kind,
                    workers,
                    servers,
                    embedded,
                    metrics.logloss(),
                    metrics.accuracy(),
                    done - begun,
                    reports.stream().mapToLong(WorkerReport::computeNanos).sum() / 1_000_000);
            assertThat(metrics.rows()).isEqualTo(16_281);
            assertThat(metrics.accuracy()).isGreaterThan(0.848);
            assertThat(metrics.logloss()).isLessThan(0.326);
        } finally {
            remote.forEach(ParameterServer::close);
        }
    }

    private BinaryMetrics score(Path test, String directory) throws Exception {
        BinaryMetrics metrics = new BinaryMetrics();
        for (ScoredRow row :
                collectRows(
                        FlinkPs.score(rows(test, 2), directory)
                                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                                .start())) {
            metrics.add(row.score(), row.label(), row.weight());
        }
        return metrics;
    }
}
