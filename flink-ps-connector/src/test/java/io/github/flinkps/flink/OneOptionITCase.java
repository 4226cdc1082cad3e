package io.github.flinkps.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.data.RowBatchBuilder;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.LocalCluster;
import io.github.flinkps.flink.testing.ServerProcess;
import io.github.flinkps.testing.ModelValues;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One program, in one process, with servers inside several TaskManagers, and with servers that are
 * processes of their own: it differs by one option, and its model not at all.
 */
@Timeout(180)
class OneOptionITCase {
    @TempDir Path root;

    private static void extract(Long number, RowBatchBuilder out) {
        out.add(number % 97).add(100 + number % 13, .5f);
        out.endRow(number % 97 < 40 ? 1 : 0);
    }

    /** The program: its model's values. */
    private ModelValues train(StreamExecutionEnvironment env, Map<String, String> where)
            throws Exception {
        Training training =
                FlinkPs.train(
                                env.fromSequence(0, 4999)
                                        .setParallelism(1)
                                        .partitionCustom(
                                                (number, workers) -> (int) (number % workers),
                                                number -> number),
                                OneOptionITCase::extract,
                                LogisticRegression.builder().build())
                        .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                        .set(PsOptions.MODEL_NAME, "numbers")
                        .set(PsOptions.WORKERS, 2)
                        .set(PsOptions.EPOCHS, 3)
                        .setAll(Configuration.fromMap(where))
                        .asVersions()
                        .start();
        List<TrainedVersion> versions = LocalCluster.collect(training.versions());
        assertThat(versions).hasSize(1);
        return ModelValues.read(Path.of(versions.get(0).path()));
    }

    @Test
    void theModelIsTheSameWhereverItsServersAre() throws Exception {
        ModelValues local;
        try (LocalCluster process = new LocalCluster()) {
            local = train(process.environment(2), Map.of());
        }
        assertThat(local.table("weights")).hasSize(97 + 13);
        try (LocalCluster managers = new LocalCluster(new Configuration(), 3, 2);
                ServerProcess one = ServerProcess.start(0);
                ServerProcess two = ServerProcess.start(0)) {
            ModelValues embedded = train(managers.environment(2), Map.of("servers", "3"));
            ModelValues remote =
                    train(
                            managers.environment(2),
                            Map.of("remote", one.address() + ";" + two.address()));
            assertThat(embedded).isEqualTo(local);
            assertThat(remote).isEqualTo(local);
        }
    }
}
