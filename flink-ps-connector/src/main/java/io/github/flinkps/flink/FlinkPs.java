package io.github.flinkps.flink;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.training.scoring.ScoredBatch;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import io.github.flinkps.model.ModelHeader;
import io.github.flinkps.model.ModelReader;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.Table;

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
     * Trains a model on the rows of a table, which are only added to it: every column is a feature
     * but those of the label and the weight. Not one more {@link #train}: the compiler would ask
     * every program for the Table API.
     *
     * @param table of a StreamTableEnvironment, in whose jobs training happens
     * @param model of an algorithm that is found on the class path by its name
     */
    public static TableTrainingJob trainTable(Table table, TrainingModel model) {
        return new TableTrainingJob(table, model);
    }

    /**
     * Scores rows with a saved model, whose algorithm is found on the class path.
     *
     * @throws io.github.flinkps.common.PsException if the directory holds no readable model
     */
    public static ScoringJob<RowBatch, ScoredBatch> score(
            DataStream<RowBatch> rows, String directory) {
        return score(rows, saved(directory), directory);
    }

    /**
     * Scores rows with a saved model.
     *
     * @param model of the algorithm the saved model was trained with
     * @param directory the saved model's
     */
    public static ScoringJob<RowBatch, ScoredBatch> score(
            DataStream<RowBatch> rows, TrainingModel model, String directory) {
        return ScoringJob.ofRows(rows, model, directory);
    }

    /**
     * Scores records of any type with a saved model, whose algorithm is found on the class path.
     *
     * @param extractor as in training; the labels it gives are not looked at
     * @throws io.github.flinkps.common.PsException if the directory holds no readable model
     */
    public static <T> ScoringJob<T, Tuple2<T, ScoredRow>> score(
            DataStream<T> records, RowExtractor<T> extractor, String directory) {
        return score(records, extractor, saved(directory), directory);
    }

    /**
     * Scores records of any type with a saved model. Each comes out, with its timestamp, beside the
     * scores of its row (as often as it has rows); of one worker in the order they came in, and
     * watermarks not before the records they followed.
     *
     * @param extractor as in training; the labels it gives are not looked at
     * @param model of the algorithm the saved model was trained with
     * @param directory the saved model's
     */
    public static <T> ScoringJob<T, Tuple2<T, ScoredRow>> score(
            DataStream<T> records,
            RowExtractor<T> extractor,
            TrainingModel model,
            String directory) {
        return ScoringJob.ofRecords(records, extractor, model, directory);
    }

    private static TrainingModel saved(String directory) {
        String path = ArrowModelArchive.path(directory);
        ModelHeader saved =
                ModelReader.readManifest(ArrowModelArchive.storage(path), path).header();
        return TrainingModels.create(saved.algorithm(), saved.parameters());
    }
}
