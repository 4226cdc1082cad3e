package io.github.flinkps.flink;

import io.github.flinkps.client.PushFilter;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.data.RowExtractor;
import io.github.flinkps.flink.data.TextInput;
import io.github.flinkps.flink.internal.compat.OperatorLogic;
import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.service.ServiceSpec;
import io.github.flinkps.flink.service.StartCut;
import io.github.flinkps.flink.training.ExtractingLogic;
import io.github.flinkps.flink.training.SavedCut;
import io.github.flinkps.flink.training.TaskTraining;
import io.github.flinkps.flink.training.TrainingOperator;
import io.github.flinkps.flink.training.TrainingSettings;
import io.github.flinkps.flink.training.WorkerReport;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.ConfigOption;
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

    /** What to do with a record that the extractor refuses; it fails the job unless set. */
    public TrainingJob<T> onBadRow(OnBadRow choice) {
        this.onBadRow = choice;
        return this;
    }

    /**
     * Keeps the model from those who predict, such as {@code PS_PREDICT}, until it is saved: as
     * long as it trains they do not find the job's servers, but the version saved before.
     */
    public TrainingJob<T> unseen() {
        run = unseenRun();
        return this;
    }

    private static String unseenRun() {
        return ServiceRegistry.PRIVATE_RUN + UUID.randomUUID();
    }

    /**
     * Sets what decides which updates workers push at once and which they hold for later; not with
     * the option {@code significance-threshold}, which is such a filter.
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
        check();
        if (options.get(PsOptions.EPOCHS) > 1 && !bounded()) {
            throw new IllegalArgumentException(
                    "epochs must be 1 for an unbounded input, not "
                            + options.get(PsOptions.EPOCHS));
        }
        for (ConfigOption<?> option : List.of(PsOptions.SAVE_SLOTS, PsOptions.SAVE_INTERVAL)) {
            boolean set = !options.get(option).equals(option.defaultValue());
            if (set && !options.contains(PsOptions.MODEL_OUTPUT)) {
                throw new IllegalArgumentException(option.key() + " needs the option model");
            }
        }
        if (ownFilter != null && options.contains(PsOptions.SIGNIFICANCE_THRESHOLD)) {
            throw new IllegalArgumentException(
                    "either significance-threshold or a push filter of your own");
        }
        checkValidation();
        checkGuarantee();
        if (batch()) {
            checkBatch();
            run = unseenRun();
        }
        ConsistencySpec consistency = consistency();
        DataStream<T> rows = edge(consistency);
        ServiceSpec service =
                serviceSpec(
                        consistency,
                        options.getOptional(PsOptions.INITIAL_MODEL).orElse(null),
                        startCut(),
                        options.getOptional(PsOptions.MODEL_OUTPUT).orElse(null),
                        false);
        TrainingSettings settings = settings(true, consistency);
        SingleOutputStreamOperator<WorkerReport> workers =
                batch() ? inOneTask(rows, service, settings) : inTasks(rows, service, settings);
        workers.uid(uid("train", SavedCut.uid(uidName())));
        return new Training(workers, workers.getSideOutput(TrainingOperator.PROGRESS));
    }

    private SingleOutputStreamOperator<WorkerReport> inTasks(
            DataStream<T> rows, ServiceSpec service, TrainingSettings settings) {
        return StreamGraphs.twoInputs(
                        "train " + modelName(),
                        rows,
                        service(service),
                        TypeInformation.of(WorkerReport.class),
                        logic(new TrainingOperator(settings, model, backend), extractor, onBadRow))
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
                        backend,
                        archive(),
                        worker -> logic(worker, extracting, bad)));
    }

    /** Of BATCH runtime mode, in which all is in one task and each attempt begins anew. */
    private void checkBatch() {
        int wanted = options.getOptional(PsOptions.WORKERS).orElse(1);
        if (wanted > 1) {
            throw new IllegalArgumentException(
                    "workers must be 1 with execution.runtime-mode BATCH, not "
                            + wanted
                            + ": use STREAMING to train bounded inputs in parallel");
        }
        if (ofJobs) {
            throw new IllegalArgumentException(
                    "execution.runtime-mode BATCH cannot train a model of each job that predicts"
                            + " by it, too: use STREAMING, also for bounded inputs");
        }
        if (!options.get(PsOptions.SAVE_INTERVAL).isZero()) {
            throw new IllegalArgumentException(
                    "save-interval needs execution.runtime-mode STREAMING: in BATCH a model is"
                            + " published when the input has ended");
        }
    }

    /** The cut the model begins as, or null. */
    private StartCut startCut() {
        if (!options.contains(PsOptions.START_CUT)) {
            return null;
        }
        if (options.contains(PsOptions.INITIAL_MODEL)) {
            throw new IllegalArgumentException(
                    "either start-cut or initial-model: what the model begins as");
        }
        return StartCut.at(TextInput.absolute(options.get(PsOptions.START_CUT)), model.tables());
    }

    private void checkValidation() {
        if (options.contains(PsOptions.VALIDATION_SHARE) && checkpointing()) {
            throw new IllegalArgumentException(
                    "validation-share cannot be combined with checkpoints: leave it or"
                            + " execution.checkpointing.interval unset");
        }
        if (options.contains(PsOptions.VALIDATION_SHARE) && !bounded()) {
            throw new IllegalArgumentException(
                    "validation-share needs a bounded input: it measures the model after a pass");
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> OperatorLogic<T, WorkerReport> logic(
            TrainingOperator worker, RowExtractor<T> extractor, OnBadRow onBadRow) {
        return extractor == null
                ? (OperatorLogic<T, WorkerReport>) worker
                : new ExtractingLogic<>(worker, extractor, onBadRow);
    }
}
