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
import io.github.flinkps.flink.service.StartCut;
import io.github.flinkps.flink.training.ExtractingLogic;
import io.github.flinkps.flink.training.SavedCut;
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
        run = ServiceRegistry.PRIVATE_RUN + UUID.randomUUID();
        return this;
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
        ConsistencySpec consistency = consistency();
        DataStream<T> rows = edge(consistency);
        DataStream<Void> service =
                service(
                        consistency,
                        options.getOptional(PsOptions.INITIAL_MODEL).orElse(null),
                        startCut(),
                        options.getOptional(PsOptions.MODEL_OUTPUT).orElse(null),
                        false);
        SingleOutputStreamOperator<WorkerReport> workers =
                StreamGraphs.twoInputs(
                                "train " + modelName(),
                                rows,
                                service,
                                TypeInformation.of(WorkerReport.class),
                                logic(settings(true, consistency)))
                        .setParallelism(workers())
                        .uid(uid("train", SavedCut.uid(uidName())));
        return new Training(workers, workers.getSideOutput(TrainingOperator.PROGRESS));
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
    private OperatorLogic<T, WorkerReport> logic(TrainingSettings settings) {
        TrainingOperator worker = new TrainingOperator(settings, model, backend);
        return extractor == null
                ? (OperatorLogic<T, WorkerReport>) worker
                : new ExtractingLogic<>(worker, extractor, onBadRow);
    }
}
