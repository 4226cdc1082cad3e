package io.github.flinkps.flink;

import static io.github.flinkps.flink.testing.LocalCluster.collect;
import static io.github.flinkps.flink.testing.LocalCluster.collectRows;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.LibsvmFormat;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.TextSource;
import io.github.flinkps.flink.metrics.Evaluation;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.testing.SharedCluster;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import io.github.flinkps.testing.RealData;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Models of several scores, of several tables and of random draws, over real servers. */
@Timeout(120)
class ModelsITCase {
    @RegisterExtension private static final SharedCluster CLUSTER = new SharedCluster();

    @TempDir Path root;

    private static DataStream<RowBatch> rows(Path file, TrainingModel model) throws Exception {
        return CLUSTER.environment(2)
                .fromSource(
                        TextSource.of(List.of(file.toString()), LibsvmFormat.of(model.labels()))
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "rows");
    }

    private Map<String, Double> trainAndTest(
            TrainingModel model, Path train, Path test, int epochs, String name) throws Exception {
        String directory = root.resolve(name).toString();
        collect(
                FlinkPs.train(rows(train, model), model)
                        .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                        .set(PsOptions.EPOCHS, epochs)
                        .set(PsOptions.BATCH_SIZE, 100)
                        .set(PsOptions.SERVERS, 2)
                        .set(PsOptions.MODEL_OUTPUT, directory)
                        .start()
                        .reports());
        Evaluation evaluation = model.evaluation();
        List<ScoredRow> scored =
                collectRows(
                        FlinkPs.score(rows(test, model), directory)
                                .set(PsOptions.MODEL_ROOT, root.toUri().toString())
                                .start());
        for (ScoredRow row : scored) {
            assertThat(row.scores()).hasSize(model.scoresPerRow());
            evaluation.add(row.scores(), 0, row.label(), row.weight());
        }
        return evaluation.results();
    }

    @Test
    void softmaxReachesTheKnownOptimumOfDna() throws Exception {
        Map<String, Double> found =
                trainAndTest(
                        TrainingModels.create("softmax", Map.of("classes", "3", "l2", "0.001")),
                        RealData.path("dna/dna.scale"),
                        RealData.path("dna/dna.scale.t"),
                        30,
                        "softmax");
        assertThat(found.get("accuracy")).isGreaterThan(0.935);
        assertThat(found.get("logloss")).isLessThan(0.175);
    }

    @Test
    void perceptronIsTrainedOverSixTables() throws Exception {
        Map<String, String> options =
                Map.of(
                        "classes",
                        "3",
                        "hidden",
                        "16,8",
                        "features",
                        "181",
                        "learning-rate",
                        "0.02");
        Map<String, Double> found =
                trainAndTest(
                        TrainingModels.create("multi-layer-perceptron", options),
                        RealData.path("dna/dna.scale"),
                        RealData.path("dna/dna.scale.t"),
                        10,
                        "perceptron");
        assertThat(found.get("accuracy")).isGreaterThan(0.9);
    }

    @Test
    void randomDrawsAreTheSameInEachRun() throws Exception {
        Random random = new Random(31);
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 4000; row++) {
            int user = random.nextInt(50);
            text.append("1 ").append(user).append(":1 ");
            text.append(1000 + user % 4 * 20 + random.nextInt(20)).append(":1\n");
        }
        Path file = Files.writeString(root.resolve("choices"), text.toString());
        TrainingModel model =
                TrainingModels.create(
                        "implicit-matrix-factorization",
                        Map.of("items", "80", "first-item", "1000", "candidates", "40"));
        Map<String, Double> found = trainAndTest(model, file, file, 8, "first");
        // About a quarter of the candidates are as good: 1 - 1/8 is the best there is.
        assertThat(found.get("auc")).isGreaterThan(0.8);
        assertThat(trainAndTest(model, file, file, 8, "again")).isEqualTo(found);
    }
}
