package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.RunScope;
import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.ScoringJob;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.metrics.Evaluation;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.training.scoring.ScoredBatch;
import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/** Scores rows with a saved model. */
public final class ScoreJob {
    private final SavedModel saved;
    private final JobOptions options;
    private final RunScope scope;
    private final JobEnvironments environments;

    public ScoreJob(SavedModel saved, JobOptions options, RunScope scope) {
        this(saved, options, scope, new JobEnvironments(scope));
    }

    ScoreJob(SavedModel saved, JobOptions options, RunScope scope, JobEnvironments environments) {
        this.saved = saved;
        this.options = options;
        this.scope = scope;
        this.environments = environments;
    }

    /**
     * Measures the model on rows.
     *
     * @throws Exception what went wrong, also that there was no row
     */
    public TestResult evaluate(RowsInput rows) throws Exception {
        Evaluation evaluation = saved.model().evaluation();
        long skipped =
                score(
                        rows,
                        saved.model().labels(),
                        rows.isSmall() ? 1 : options.workers(),
                        batch -> add(batch, evaluation));
        if (evaluation.rows() == 0) {
            throw rows.noRows();
        }
        return TestResult.of(evaluation, skipped, saved.classes());
    }

    private static void add(ScoredBatch batch, Evaluation evaluation) {
        int perRow = batch.scoresPerRow();
        for (int row = 0; row < batch.rows(); row++) {
            evaluation.add(batch.scores(), row * perRow, batch.labels()[row], batch.weight(row));
        }
    }

    /**
     * The numbers of rows that were scored and skipped.
     *
     * @param rows that were scored
     * @param skipped bad ones that were left out
     */
    public record Counts(long rows, long skipped) {}

    /** Takes the rows in the order of the input. */
    public interface Ordered {
        void row(float label, float[] scores);
    }

    /**
     * Scores rows in the order of the input, whatever their labels; one worker, which keeps it
     * without holding rows back.
     *
     * @return how many there were
     * @throws Exception what went wrong
     */
    public Counts predict(RowsInput rows, Ordered consumer) throws Exception {
        InOrder order = new InOrder(consumer);
        long skipped = score(rows, Labels.ANY, 1, order);
        return new Counts(order.count, skipped);
    }

    private static final class InOrder implements Consumer<ScoredBatch> {
        private final Ordered consumer;
        private long block = -1;
        private long nextRow;
        private long count;

        InOrder(Ordered consumer) {
            this.consumer = consumer;
        }

        @Override
        public void accept(ScoredBatch batch) {
            if (batch.block() < block || batch.block() == block && batch.firstRow() < nextRow) {
                throw new IllegalStateException(
                        "row "
                                + batch.firstRow()
                                + " of block "
                                + batch.block()
                                + " came after row "
                                + (nextRow - 1)
                                + " of block "
                                + block);
            }
            block = batch.block();
            nextRow = batch.firstRow() + batch.rows();
            count += batch.rows();
            for (int row = 0; row < batch.rows(); row++) {
                consumer.row(batch.labels()[row], batch.row(row).scores());
            }
        }
    }

    /** Returns how many bad rows were left out. */
    private long score(RowsInput rows, Labels labels, int workers, Consumer<ScoredBatch> consumer)
            throws Exception {
        KnownFeatures.check(saved, rows);
        TrainingModel model = saved.model();
        ServiceChoice service = options.service();
        StreamExecutionEnvironment environment = environments.create(workers, service.embedded());
        ScoringJob<RowBatch, ScoredBatch> job =
                options.configure(
                                FlinkPs.score(
                                        rows.open(environment, model, labels, workers),
                                        model,
                                        saved.directory().toString()))
                        .set(PsOptions.WORKERS, workers);
        try (ServiceUse use = ServiceUse.toScore(service, scope)) {
            use.configure(job);
            CloseableIterator<ScoredBatch> scores = job.start().collectAsync();
            try (RunningJob running = RunningJob.start(environment, "score", scope);
                    scores) {
                running.consume(scores, consumer);
                long skipped = ScoringJob.skippedRows(running.await());
                use.succeeded();
                return skipped;
            }
        }
    }
}
