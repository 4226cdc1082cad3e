package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.cli.run.RunScope;
import io.github.flinkps.flink.FlinkPs;
import io.github.flinkps.flink.Training;
import io.github.flinkps.flink.TrainingJob;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.CsvRecipe;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.training.TrainingProgress;
import io.github.flinkps.flink.training.WorkerReport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/** Trains a model, tests it and saves it. */
public final class TrainJob {
    /** The message where all rows validate. */
    public static final String NO_ROW_TRAINS =
            "--validation-share leaves no row to train with: lower it, or give more rows";

    private final TrainRequest request;
    private final RunScope scope;
    private final JobEnvironments environments;

    /** The place in which the job saves the model; null if nobody needs it. */
    private Path staged;

    private long startMillis;
    private long endMillis;

    public TrainJob(TrainRequest request, RunScope scope) {
        this.request = request;
        this.scope = scope;
        this.environments = new JobEnvironments(scope);
    }

    /**
     * Runs the job, and then another one that tests if there is something to test with. The model
     * is in its place only after {@link #publish}.
     *
     * @param progress takes what is learned on the way
     * @throws Exception what went wrong
     */
    public TrainResult run(JobProgress progress) throws Exception {
        staged = staged();
        List<WorkerReport> reports = train(progress);
        TrainResult trained = sum(reports);
        if (trained.rows().trained() + trained.rows().validated() == 0) {
            throw request.rows().noRows();
        }
        if (trained.rows().trained() == 0) {
            throw new CommandException(NO_ROW_TRAINS);
        }
        if (Double.isNaN(trained.losses().train())) {
            throw new CommandException(
                    request.rows().option()
                            + ": all training rows have weight 0"
                            + (request.rows().recipe() instanceof CsvRecipe csv
                                    ? " in the column '" + csv.weight() + "'"
                                    : ""));
        }
        if (Double.isInfinite(trained.losses().train())) {
            throw new CommandException(
                    "the loss of the last pass is beyond all numbers: lower --learning-rate, or"
                            + " bring columns to one scale (--numeric-transform standard)");
        }
        TestResult test = null;
        long testMillis = System.currentTimeMillis();
        if (request.test() != null) {
            progress.phase("testing");
            ScoreJob score =
                    new ScoreJob(
                            SavedModel.open("--model", staged),
                            request.job().ofTest(),
                            scope,
                            environments);
            test = score.evaluate(request.test());
        }
        testMillis = System.currentTimeMillis() - testMillis;
        SavedModel model = null;
        if (request.target() != null) {
            model =
                    new SavedModel(
                            "--model",
                            request.target().directory(),
                            SavedModel.open("--model", staged).manifest());
        }
        return trained.tested(test, test == null ? 0 : testMillis / 1000.0, model);
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

    private List<WorkerReport> train(JobProgress progress) throws Exception {
        TrainingModel model = request.model();
        int workers = request.job().workers();
        ServiceChoice service = request.job().service();
        StreamExecutionEnvironment environment = environments.create(workers, service.embedded());
        if (request.checkpoints() != null) {
            request.checkpoints().configure(environment);
        }
        TrainingJob<RowBatch> job =
                FlinkPs.train(
                        request.rows().open(environment, model, model.labels(), workers), model);
        configure(job, progress.interval());
        List<WorkerReport> reports = new ArrayList<>();
        try (ServiceUse use = ServiceUse.toTrain(service, request.checkpoints(), scope)) {
            use.configure(job);
            Training training = job.start();
            CloseableIterator<TrainingProgress> passes = training.progress().collectAsync();
            CloseableIterator<WorkerReport> ends = training.reports().collectAsync();
            progress.phase("starting the job");
            startMillis = System.currentTimeMillis();
            try (RunningJob running = RunningJob.start(environment, "train", scope);
                    passes;
                    ends) {
                running.consume(passes, progress::accept);
                progress.phase(staged == null ? "ending the job" : "saving the model");
                running.consume(ends, reports::add);
                running.await();
                endMillis = System.currentTimeMillis();
                use.succeeded();
            }
        }
        return reports;
    }

    private void configure(TrainingJob<RowBatch> job, Duration progressInterval) {
        request.job()
                .configure(job)
                .recipe(request.rows().recipe())
                .set(PsOptions.PROGRESS_INTERVAL, progressInterval);
        TrainRequest.Start start = request.start();
        if (start.cut() != null) {
            job.set(PsOptions.START_CUT, start.cut().manifest().path());
        } else if (start.model() != null) {
            job.set(PsOptions.INITIAL_MODEL, start.model().directory().toString());
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
        return new TrainResult(
                new TrainResult.Rows(rows, validationRows, skipped),
                epochs,
                new TrainResult.Seconds(
                        Math.max(0, first - startMillis) / 1000.0,
                        Math.max(1, last - first) / 1000.0,
                        Math.max(0, endMillis - last) / 1000.0),
                new TrainResult.Traffic(sent, received),
                new TrainResult.Losses(
                        request.lossName(),
                        loss / weight,
                        Arrays.stream(reports.get(0).validationLosses()).boxed().toList()),
                null,
                0,
                null);
    }
}
