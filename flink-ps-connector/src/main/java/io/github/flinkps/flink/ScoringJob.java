package io.github.flinkps.flink;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.internal.compat.OperatorLogic;
import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.options.OptionChecks;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.training.scoring.RecordScoringLogic;
import io.github.flinkps.flink.training.scoring.ScoredBatch;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import io.github.flinkps.flink.training.scoring.ScoringOperator;
import io.github.flinkps.flink.training.worker.TrainingSettings;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.TupleTypeInfo;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Scoring that is being set up; {@link #start} adds it to the job.
 *
 * @param <I> the records of the input
 * @param <O> what scoring makes of them
 */
public final class ScoringJob<I, O> extends PsJob<I, ScoringJob<I, O>> {
    private final String directory;
    private final TypeInformation<O> type;
    private final LogicFactory<I, O> logic;
    private OnBadRow onBadRow = OnBadRow.FAIL;

    /** Makes the worker, once all options are set. */
    private interface LogicFactory<I, O> {
        OperatorLogic<I, O> create(TrainingSettings settings, ScoringJob<I, O> job);
    }

    /**
     * Returns how many bad rows a job that has ended left out; also those of other scorings, if it
     * had several.
     */
    public static long skippedRows(JobExecutionResult result) {
        Long skipped = result.getAccumulatorResult(ScoringOperator.SKIPPED_ROWS);
        return skipped == null ? 0 : skipped;
    }

    private ScoringJob(
            DataStream<I> input,
            TrainingModel model,
            String directory,
            TypeInformation<O> type,
            LogicFactory<I, O> logic) {
        super(input, model);
        this.directory = directory;
        this.type = type;
        this.logic = logic;
        options.set(PsOptions.BATCH_SIZE, 1024);
        // Remote servers may be training the model of that name.
        options.set(PsOptions.MODEL_NAME, "scoring-" + run);
    }

    static ScoringJob<RowBatch, ScoredBatch> ofRows(
            DataStream<RowBatch> rows, TrainingModel model, String directory) {
        return new ScoringJob<>(
                rows,
                model,
                directory,
                TypeInformation.of(ScoredBatch.class),
                (settings, job) -> new ScoringOperator(settings, job.model, job.backend()));
    }

    static <T> ScoringJob<T, Tuple2<T, ScoredRow>> ofRecords(
            DataStream<T> records,
            RowExtractor<T> extractor,
            TrainingModel model,
            String directory) {
        return new ScoringJob<>(
                records,
                model,
                directory,
                new TupleTypeInfo<>(records.getType(), TypeInformation.of(ScoredRow.class)),
                (settings, job) ->
                        RecordScoringLogic.create(
                                settings, job.model, job.backend(), extractor, job.onBadRow));
    }

    /** Sets what to do with a record that the extractor refuses; it fails the job unless set. */
    public ScoringJob<I, O> onBadRow(OnBadRow choice) {
        this.onBadRow = choice;
        return this;
    }

    /**
     * Returns the same name in every run: one made up for this run would be another in the next.
     */
    @Override
    String uidName() {
        String name = super.uidName();
        return name.equals("scoring-" + run) ? "scoring-" + model.name() : name;
    }

    @Override
    ScoringJob<I, O> self() {
        return this;
    }

    /**
     * Adds servers that hold the saved model, and the workers that score with it, to the job.
     *
     * @throws IllegalArgumentException naming the option that is wrong
     */
    public DataStream<O> start() {
        OptionChecks.checkScoring(options, traits(false));
        ConsistencySpec consistency = ConsistencySpec.asp();
        return StreamGraphs.twoInputs(
                        "score with " + model.name(),
                        edge(consistency),
                        service(serviceSpec(consistency, directory, null, null, true)),
                        type,
                        logic.create(settings(false, consistency), this))
                .setParallelism(workers())
                .uid(uid("score", "flink-ps-score-" + uidName()));
    }
}
