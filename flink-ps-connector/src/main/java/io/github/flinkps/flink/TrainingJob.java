package io.github.flinkps.flink;

import io.github.flinkps.client.PushFilter;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.data.TextInput;
import io.github.flinkps.flink.internal.compat.OperatorLogic;
import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.options.OptionChecks;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.service.ModelArchive;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.service.ServiceSpec;
import io.github.flinkps.flink.service.StartCut;
import io.github.flinkps.flink.serving.PredictorSpec;
import io.github.flinkps.flink.table.ModelPath;
import io.github.flinkps.flink.table.VersionArchive;
import io.github.flinkps.flink.training.WorkerReport;
import io.github.flinkps.flink.training.cut.SavedCut;
import io.github.flinkps.flink.training.worker.ExtractingLogic;
import io.github.flinkps.flink.training.worker.TaskTraining;
import io.github.flinkps.flink.training.worker.TrainingOperator;
import io.github.flinkps.flink.training.worker.TrainingSettings;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Training that is being set up; {@link #start} adds it to the job.
 *
 * @param <T> the records of the input
 */
public final class TrainingJob<T> extends PsJob<T, TrainingJob<T>> {
    private final RowExtractor<T> extractor;
    private OnBadRow onBadRow = OnBadRow.FAIL;
    private PushFilter ownFilter;
    private boolean asVersions;

    /**
     * @param extractor null where {@code T} is RowBatch
     */
    TrainingJob(DataStream<T> records, RowExtractor<T> extractor, TrainingModel model) {
        super(records, model);
        this.extractor = extractor;
    }

    @Override
    TrainingJob<T> self() {
        return this;
    }

    /** Sets what to do with a record that the extractor refuses; it fails the job unless set. */
    public TrainingJob<T> onBadRow(OnBadRow choice) {
        this.onBadRow = choice;
        return this;
    }

    /**
     * Hides the model from predictions, such as {@code PS_PREDICT}, until it is saved. As long as
     * it trains they do not find the job's servers, but the version saved before.
     */
    public TrainingJob<T> hiddenUntilSaved() {
        run = hiddenRun();
        return this;
    }

    /**
     * Publishes the model as a version of its own each time it is saved, below the model root as
     * {@code INSERT} does, and not in the one directory of the option {@code model}: {@code
     * ROOT/DATABASE/MODEL-NAME/versions/ID}.
     */
    public TrainingJob<T> asVersions() {
        this.asVersions = true;
        return this;
    }

    /** Returns the directory that the model is saved to; null if it is not saved. */
    private String output() {
        return asVersions
                ? modelDirectory() + "/versions"
                : options.getOptional(PsOptions.MODEL_OUTPUT).orElse(null);
    }

    @Override
    ModelArchive archive() {
        if (!asVersions) {
            return super.archive();
        }
        ModelPath path = path();
        return new VersionArchive(files(), (versions, ahead) -> path.nextVersion(ahead));
    }

    private ModelPath path() {
        return new ModelPath(
                options.get(PsOptions.MODEL_ROOT),
                options.get(PsOptions.DATABASE),
                options.get(PsOptions.MODEL_NAME));
    }

    OnBadRow onBadRow() {
        return onBadRow;
    }

    boolean savesOnTheWay() {
        return !options.get(PsOptions.SAVE_INTERVAL).isZero();
    }

    /** Returns what the run publishes; null if it does not, or nobody knows where. */
    RunVersions published() {
        if (output() == null || hasOwnArchive() || ofJobs) {
            return null;
        }
        return new RunVersions(path(), asVersions ? null : directory(output()), run);
    }

    PredictorSpec predictor() {
        return new PredictorSpec(
                modelName(),
                modelName(),
                new RunLocator(modelDirectory(), run, published(), options.get(PsOptions.TIMEOUT)),
                List.of(),
                security(),
                options.get(PsOptions.PEER_TIMEOUT),
                options.get(PsOptions.REFRESH_INTERVAL),
                options.get(PsOptions.CACHE_ROWS),
                options.get(PsOptions.TIMEOUT));
    }

    /** Returns why the model cannot predict in the job that trains it; null if it can. */
    String noPredictions() {
        if (batch()) {
            return "execution.runtime-mode BATCH cannot predict while it trains: use STREAMING,"
                    + " also for bounded inputs";
        }
        if (ofJobs) {
            return "either predictions or a model of each job";
        }
        if (bounded() && published() == null) {
            return "predictions need the option model, or asVersions(): what predicts when"
                    + " training is over";
        }
        return null;
    }

    private static String hiddenRun() {
        return ServiceRegistry.PRIVATE_RUN + UUID.randomUUID();
    }

    /**
     * Sets what decides which updates workers push at once and which they retain for later; not
     * with options that make such filters.
     */
    public TrainingJob<T> pushFilter(PushFilter filter) {
        this.ownFilter = filter;
        return this;
    }

    @Override
    PushFilter pushFilter() {
        return ownFilter == null ? super.pushFilter() : ownFilter;
    }

    /**
     * Adds the service and the workers to the job.
     *
     * @throws IllegalArgumentException naming the option that is wrong or does not fit the input
     */
    public Training start() {
        return new Training(this, workersOfJob());
    }

    /** Adds the service and the workers to the job, as {@link #start} does; returns the workers. */
    SingleOutputStreamOperator<WorkerReport> workersOfJob() {
        OptionChecks.checkTraining(options, traits(output() != null));
        if (asVersions && (options.contains(PsOptions.MODEL_OUTPUT) || hasOwnArchive())) {
            throw new IllegalArgumentException(
                    "either asVersions() or the option model, or an archive of your own");
        }
        if (ownFilter != null) {
            OptionChecks.checkNoPushFilter(options);
        }
        if (batch()) {
            checkBatch();
            run = hiddenRun();
        }
        ConsistencySpec consistency = consistency();
        DataStream<T> rows = edge(consistency);
        ServiceSpec service =
                serviceSpec(
                        consistency,
                        options.getOptional(PsOptions.INITIAL_MODEL).orElse(null),
                        startCut(),
                        output(),
                        false);
        TrainingSettings settings = settings(true, consistency);
        SingleOutputStreamOperator<WorkerReport> workers =
                batch() ? inOneTask(rows, service, settings) : inTasks(rows, service, settings);
        return workers.uid(uid("train", SavedCut.uid(uidName())));
    }

    private SingleOutputStreamOperator<WorkerReport> inTasks(
            DataStream<T> rows, ServiceSpec service, TrainingSettings settings) {
        return StreamGraphs.twoInputs(
                        "train " + modelName(),
                        rows,
                        service(service),
                        TypeInformation.of(WorkerReport.class),
                        logic(
                                new TrainingOperator(settings, model, backend()),
                                extractor,
                                onBadRow))
                .setParallelism(workers());
    }

    private SingleOutputStreamOperator<WorkerReport> inOneTask(
            DataStream<T> rows, ServiceSpec service, TrainingSettings settings) {
        RowExtractor<T> extracting = extractor;
        OnBadRow bad = onBadRow;
        return StreamGraphs.oneTask(
                "train " + modelName(),
                rows,
                TypeInformation.of(WorkerReport.class),
                new TaskTraining<>(
                        settings,
                        model,
                        service,
                        backend(),
                        archive(),
                        worker -> logic(worker, extracting, bad)));
    }

    /** Refuses what BATCH runtime mode cannot do, in which one task does all. */
    private void checkBatch() {
        if (ofJobs) {
            throw new IllegalArgumentException(
                    "execution.runtime-mode BATCH cannot train a model of each job that predicts"
                            + " by it, too: use STREAMING, also for bounded inputs");
        }
    }

    /** Returns the cut that the model begins as, or null. */
    private StartCut startCut() {
        if (!options.contains(PsOptions.START_CUT)) {
            return null;
        }
        return StartCut.at(TextInput.absolute(options.get(PsOptions.START_CUT)), model.tables());
    }

    @SuppressWarnings("unchecked")
    private static <T> OperatorLogic<T, WorkerReport> logic(
            TrainingOperator worker, RowExtractor<T> extractor, OnBadRow onBadRow) {
        return extractor == null
                ? (OperatorLogic<T, WorkerReport>) worker
                : new ExtractingLogic<>(worker, extractor, onBadRow);
    }
}
