package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.RunScope;
import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.ScoringJob;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.Labels;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.metrics.Evaluation;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.training.scoring.ScoredRow;
import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/** Scores rows with a saved model. */
public final class ScoreJob {
    private final SavedModel saved;
    private final JobOptions options;
    private final RunScope scope;

    public ScoreJob(SavedModel saved, JobOptions options, RunScope scope) {
        this.saved = saved;
        this.options = options;
        this.scope = scope;
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
                        row -> evaluation.add(row.scores(), 0, row.label(), row.weight()));
        if (evaluation.rows() == 0) {
            throw rows.noRows();
        }
        return TestResult.of(evaluation, skipped, saved.classes());
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

    private static final class InOrder implements Consumer<ScoredRow> {
        private final Ordered consumer;
        private long block = -1;
        private long row = -1;
        private long count;

        InOrder(Ordered consumer) {
            this.consumer = consumer;
        }

        @Override
        public void accept(ScoredRow scored) {
            if (scored.block() < block || scored.block() == block && scored.row() <= row) {
                throw new IllegalStateException(
                        "row "
                                + scored.row()
                                + " of block "
                                + scored.block()
                                + " came after row "
                                + row
                                + " of block "
                                + block);
            }
            block = scored.block();
            row = scored.row();
            count++;
            consumer.row(scored.label(), scored.scores());
        }
    }

    /** Returns how many bad rows were left out. */
    private long score(RowsInput rows, Labels labels, int workers, Consumer<ScoredRow> consumer)
            throws Exception {
        KnownFeatures.check(saved, rows);
        TrainingModel model = saved.model();
        ServiceChoice service = options.service();
        StreamExecutionEnvironment environment =
                JobEnvironment.create(workers, service.embedded(), scope);
        ScoringJob<RowBatch, ScoredRow> job =
                options.configure(
                                FlinkPs.score(
                                        rows.open(environment, model, labels, workers),
                                        model,
                                        saved.directory().toString()))
                        .set(PsOptions.WORKERS, workers);
        try (ServiceUse use = ServiceUse.toScore(service, scope)) {
            use.configure(job);
            CloseableIterator<ScoredRow> scores = job.start().collectAsync();
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
