package io.github.flinkps.flink;

import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.serving.RecordPredictor;
import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import io.github.flinkps.flink.training.worker.TrainingOperator;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.TupleTypeInfo;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Training that was added to a job, and what comes out of it; it happens when the job is executed.
 * For the thread that puts the job together.
 *
 * <pre>{@code
 * Training training =
 *         FlinkPs.train(impressions, extractor, model)
 *                 .set(PsOptions.SAVE_INTERVAL, Duration.ofMinutes(5))
 *                 .asVersions()
 *                 .start();
 * training.progress().print();
 * training.versions().print();
 * training.predictions(requests, requestExtractor).print();
 * env.execute();
 * }</pre>
 */
public sealed class Training permits TableTraining {
    private static final int MOST_RECORDS = 1024;

    private final SingleOutputStreamOperator<WorkerReport> workers;
    private final String name;
    private final TrainingModel model;
    private final OnBadRow onBadRow;
    private final PredictorSpec predictor;
    private final String noPredictions;
    private final RunVersions published;
    private final boolean savesOnTheWay;
    private DataStream<TrainedVersion> versions;
    private int predictions;

    Training(TrainingJob<?> job, SingleOutputStreamOperator<WorkerReport> workers) {
        this.workers = workers;
        this.name = job.uidName();
        this.model = job.model;
        this.onBadRow = job.onBadRow();
        this.predictor = job.predictor();
        this.noPredictions = job.noPredictions();
        this.published = job.published();
        this.savesOnTheWay = job.savesOnTheWay();
    }

    /** Returns one record of each worker, when it is done. */
    public DataStream<WorkerReport> reports() {
        return workers;
    }

    /**
     * Returns the metrics of training: records of the loss on the way, of how well rows were
     * predicted before they trained, and of the speed, by worker and pass.
     */
    public DataStream<TrainingProgress> progress() {
        return workers.getSideOutput(TrainingOperator.PROGRESS);
    }

    /**
     * Returns the versions that this job publishes: one for every {@code save-interval}, and one at
     * the end. Those of {@link TrainingJob#asVersions} come all, oldest first, each once with
     * checkpoints: also one that an attempt published before it failed. In the directory of the
     * option {@code model}, where each takes the place of the one before, of those that come
     * between two looks, about 200 ms apart, the newest is told of alone. All TaskManagers must see
     * the directory.
     *
     * @throws IllegalStateException if nothing is published, or not where this looks
     */
    public DataStream<TrainedVersion> versions() {
        if (published == null) {
            throw new IllegalStateException(
                    "there are no versions: set the option model, or let the job publish"
                            + " asVersions()");
        }
        if (versions == null) {
            versions =
                    StreamGraphs.oneTask(
                                    "versions of " + name,
                                    workers,
                                    TypeInformation.of(TrainedVersion.class),
                                    new VersionsLogic(published, savesOnTheWay))
                            .disableChaining()
                            .uid("flink-ps-versions-" + name);
        }
        return versions;
    }

    /**
     * Predicts the records of a second stream with the model as it is when they come. While the job
     * trains, its servers have the model; parameters are pulled anew when they are older than
     * {@code refresh-interval}. After the end of training the newest of the {@link #versions}
     * predicts. Records that come before the servers do wait for them, as they do while a job that
     * has failed starts again, for at most {@code timeout}.
     *
     * <p>Each record comes out beside the scores of its row, as often as it has rows, with its
     * timestamp, in the order of the input and once with checkpoints; records under way are part of
     * them. How often a record that went through a failure was predicted, and by which parameters,
     * is not determined.
     *
     * @param records in the environment of the training; their parallelism is that of the
     *     predictions unless it is set there
     * @param extractor as in training; the labels it gives are not looked at. What it refuses fails
     *     the job or is left out as in training
     * @throws IllegalArgumentException in BATCH runtime mode, which would predict when training is
     *     over, and where a bounded training leaves nothing to predict with
     */
    public <T> SingleOutputStreamOperator<Tuple2<T, ScoredRow>> predictions(
            DataStream<T> records, RowExtractor<T> extractor) {
        SingleOutputStreamOperator<Tuple2<T, ScoredRow>> predicted =
                AsyncDataStream.orderedWait(
                                records,
                                new RecordPredictor<>(model, predictor(), extractor, onBadRow),
                                0,
                                TimeUnit.MILLISECONDS,
                                MOST_RECORDS)
                        .returns(
                                new TupleTypeInfo<>(
                                        records.getType(), TypeInformation.of(ScoredRow.class)));
        return predicted
                .name("predict with " + name)
                .setParallelism(records.getParallelism())
                .uid(predictionsUid());
    }

    private String predictionsUid() {
        predictions++;
        return "flink-ps-predict-" + name + (predictions == 1 ? "" : "-" + predictions);
    }

    /** Returns what predicts while the job trains, and after it. */
    PredictorSpec predictor() {
        if (noPredictions != null) {
            throw new IllegalArgumentException(noPredictions);
        }
        return predictor;
    }
}
