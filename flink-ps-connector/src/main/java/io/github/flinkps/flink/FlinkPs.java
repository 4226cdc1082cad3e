package io.github.flinkps.flink;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.model.LocalModelStorage;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelReader;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Trains and scores models inside a DataStream job.
 *
 * <pre>{@code
 * Training training =
 *         FlinkPs.train(rows, LogisticRegression.builder().build())
 *                 .set(PsOptions.SERVERS, 2)
 *                 .set(PsOptions.EPOCHS, 5)
 *                 .set(PsOptions.MODEL_OUTPUT, "/models/clicks")
 *                 .start();
 * training.reports().print();
 * env.execute();
 * }</pre>
 */
public final class FlinkPs {
    private FlinkPs() {}

    /** Trains a model on rows in columns, as the readers of this project deliver them. */
    public static TrainingJob<RowBatch> train(DataStream<RowBatch> rows, TrainingModel model) {
        return new TrainingJob<>(rows, null, model);
    }

    /** Trains a model on records of any type; {@code extractor} says what rows they hold. */
    public static <T> TrainingJob<T> train(
            DataStream<T> records, RowExtractor<T> extractor, TrainingModel model) {
        return new TrainingJob<>(records, extractor, model);
    }

    /**
     * Scores rows with a saved model, whose algorithm is found on the class path.
     *
     * @throws io.github.flinkps.common.PsException if the directory holds no readable model
     */
    public static ScoringJob score(DataStream<RowBatch> rows, String directory) {
        ModelHeader saved =
                ModelReader.readManifest(new LocalModelStorage(), ArrowModelArchive.path(directory))
                        .header();
        TrainingModel model = TrainingModels.create(saved.algorithm(), saved.parameters());
        return score(rows, model, directory);
    }

    /**
     * Scores rows with a saved model.
     *
     * @param model of the algorithm the saved model was trained with
     * @param directory the saved model's
     */
    public static ScoringJob score(
            DataStream<RowBatch> rows, TrainingModel model, String directory) {
        return new ScoringJob(rows, model, directory);
    }
}
