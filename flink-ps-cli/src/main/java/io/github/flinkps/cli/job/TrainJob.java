package io.github.flinkps.cli.job;

import io.github.flinkps.cli.RunScope;
import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.PsOptions;
import io.github.flinkps.flink.Training;
import io.github.flinkps.flink.TrainingJob;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.service.ValidationSpec;
import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.WorkerReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/** Trains a model, tests it and saves it. */
public final class TrainJob {
    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(5);

    private final TrainRequest request;
    private final RunScope scope;

    /** Where the job saves the model; null if nobody needs it. */
    private Path staged;

    public TrainJob(TrainRequest request, RunScope scope) {
        this.request = request;
        this.scope = scope;
    }

    /**
     * Runs the job, and then another one that tests if there is something to test with. The model
     * is in its place only after {@link #publish}.
     *
     * @param progress takes what is learned on the way
     * @throws Exception what went wrong
     */
    public TrainResult run(EpochProgress progress) throws Exception {
        staged = staged();
        List<WorkerReport> reports = train(progress);
        TrainResult trained = sum(reports);
        if (trained.rows() + trained.validationRows() == 0) {
            throw request.rows().noRows();
        }
        TestResult test = null;
        if (request.test() != null) {
            ScoreJob score =
                    new ScoreJob(SavedModel.open("--model", staged), request.service(), scope);
            test = score.evaluate(request.test(), request.workers());
        }
        SavedModel model = null;
        if (request.target() != null) {
            model =
                    new SavedModel(
                            request.target().directory(),
                            SavedModel.open("--model", staged).manifest());
        }
        return new TrainResult(
                trained.rows(),
                trained.validationRows(),
                trained.skippedRows(),
                trained.epochs(),
                trained.trainSeconds(),
                trained.bytesSent(),
                trained.bytesReceived(),
                trained.lossName(),
                trained.trainLoss(),
                test,
                model);
    }

    /**
     * Puts the model in its place, if it has one.
     *
     * @param also what is to happen with it, or not at all
     */
    public void publish(RunScope.Step also) throws IOException {
        if (request.target() == null) {
            scope.commit(also);
        } else {
            request.target().publish(staged, scope, also);
        }
    }

    private Path staged() throws Exception {
        if (request.target() != null) {
            return request.target().staging(scope);
        }
        return request.test() == null ? null : scope.temporaryFolder("flink-ps-").resolve("model");
    }

    private List<WorkerReport> train(EpochProgress progress) throws Exception {
        TrainingModel model = request.model();
        int workers = request.workers();
        StreamExecutionEnvironment environment =
                JobEnvironment.create(workers, request.service().embedded(), scope);
        TrainingJob<RowBatch> job =
                FlinkPs.train(request.rows().open(environment, model, workers), model);
        configure(job);
        List<WorkerReport> reports = new ArrayList<>();
        try (ServiceUse use = ServiceUse.begin(request.service(), scope)) {
            use.configure(job);
            Training training = job.start();
            CloseableIterator<TrainingProgress> passes = training.progress().collectAsync();
            CloseableIterator<WorkerReport> ends = training.reports().collectAsync();
            try (RunningJob running = RunningJob.start(environment, "train", scope);
                    passes;
                    ends) {
                running.consume(passes, progress::accept);
                running.consume(ends, reports::add);
                running.await();
                use.succeeded();
            }
        }
        return reports;
    }

    private void configure(TrainingJob<RowBatch> job) {
        job.recipe(request.rows().recipe())
                .set(PsOptions.WORKERS, request.workers())
                .set(PsOptions.EPOCHS, request.epochs())
                .set(PsOptions.BATCH_SIZE, request.batchSize())
                .set(PsOptions.SEED, request.seed())
                .set(PsOptions.SHUFFLE, request.shuffle())
                .set(PsOptions.ROW_MEMORY, new MemorySize(request.rowMemory()))
                .set(PsOptions.CONSISTENCY, request.consistency().kind())
                .set(PsOptions.SAVE_SLOTS, request.saveSlots())
                .set(PsOptions.PROGRESS_INTERVAL, PROGRESS_INTERVAL);
        ValidationSpec validation = request.validation();
        if (validation != null) {
            job.set(PsOptions.VALIDATION_SHARE, validation.share())
                    .set(PsOptions.PATIENCE, validation.patience());
        }
        switch (request.consistency().kind()) {
            case SSP -> job.set(PsOptions.STALENESS, request.consistency().staleness());
            case PREDICATE -> job.set(PsOptions.READ_PREDICATE, request.consistency().predicate());
            default -> {}
        }
        if (request.prefetch() != null) {
            job.set(PsOptions.PREFETCH, request.prefetch());
        }
        if (request.initial() != null) {
            job.set(PsOptions.INITIAL_MODEL, request.initial().directory().toString());
        }
        if (staged != null) {
            job.set(PsOptions.MODEL_OUTPUT, staged.toString());
        }
    }

    private TrainResult sum(List<WorkerReport> reports) {
        long rows = 0;
        long validationRows = 0;
        int epochs = 0;
        long skipped = 0;
        long sent = 0;
        long received = 0;
        long first = Long.MAX_VALUE;
        long last = 0;
        double loss = 0;
        double weight = 0;
        for (WorkerReport report : reports) {
            rows += report.rows() - report.validationRows();
            validationRows += report.validationRows();
            epochs = report.epochs();
            skipped += report.skippedRows();
            sent += report.bytesSent();
            received += report.bytesReceived();
            if (report.firstRowMillis() > 0) {
                first = Math.min(first, report.firstRowMillis());
            }
            last = Math.max(last, report.lastAcknowledgedMillis());
            int epoch = report.lossSums().length - 1;
            loss += report.lossSums()[epoch];
            weight += report.weightSums()[epoch];
        }
        double seconds = Math.max(1, last - first) / 1000.0;
        return new TrainResult(
                rows,
                validationRows,
                skipped,
                epochs,
                seconds,
                sent,
                received,
                request.lossName(),
                loss / weight,
                null,
                null);
    }
}
