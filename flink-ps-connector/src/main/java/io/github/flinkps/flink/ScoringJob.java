package io.github.flinkps.flink;

import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.training.ScoredRow;
import io.github.flinkps.flink.training.ScoringOperator;
import java.util.List;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.streaming.api.datastream.DataStream;

/** Scoring that is being set up; {@link #start} adds it to the job. */
public final class ScoringJob extends PsJob<RowBatch, ScoringJob> {
    private static final List<ConfigOption<?>> OF_TRAINING =
            List.of(
                    PsOptions.CONSISTENCY,
                    PsOptions.STALENESS,
                    PsOptions.READ_PREDICATE,
                    PsOptions.EPOCHS,
                    PsOptions.IDLE_TIMEOUT,
                    PsOptions.PROGRESS_INTERVAL,
                    PsOptions.INITIAL_MODEL,
                    PsOptions.MODEL_OUTPUT,
                    PsOptions.SAVE_INTERVAL,
                    PsOptions.SAVE_SLOTS);

    private final String directory;

    /**
     * Bad rows that were left out of a job that has ended; also those of other scorings, if it had
     * several.
     */
    public static long skippedRows(JobExecutionResult result) {
        Long skipped = result.getAccumulatorResult(ScoringOperator.SKIPPED_ROWS);
        return skipped == null ? 0 : skipped;
    }

    ScoringJob(DataStream<RowBatch> rows, TrainingModel model, String directory) {
        super(rows, model);
        this.directory = directory;
        options.set(PsOptions.BATCH_SIZE, 1024);
        // Remote servers may be training the model of that name.
        options.set(PsOptions.MODEL_NAME, "scoring-" + run);
    }

    /** A name made up for this run would be another in the next. */
    @Override
    String uidName() {
        String name = super.uidName();
        return name.equals("scoring-" + run) ? "scoring-" + model.name() : name;
    }

    @Override
    ScoringJob self() {
        return this;
    }

    /**
     * Adds servers that hold the saved model, and the workers that score with it, to the job.
     *
     * @throws IllegalArgumentException naming the option that is wrong
     */
    public DataStream<ScoredRow> start() {
        check();
        for (ConfigOption<?> option : OF_TRAINING) {
            if (options.contains(option)) {
                throw new IllegalArgumentException(
                        option.key() + " is an option of training, not of scoring");
            }
        }
        ConsistencySpec consistency = ConsistencySpec.asp();
        return StreamGraphs.twoInputs(
                        "score with " + model.name(),
                        edge(consistency),
                        service(consistency, directory, null, true),
                        TypeInformation.of(ScoredRow.class),
                        new ScoringOperator(settings(false, consistency), model, backend))
                .setParallelism(workers())
                .uid("flink-ps-score-" + uidName());
    }
}
