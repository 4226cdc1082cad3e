package io.github.flinkps.flink;

import io.github.flinkps.client.ClientSecurity;
import io.github.flinkps.client.PushFilter;
import io.github.flinkps.client.SignificanceFilter;
import io.github.flinkps.client.ValueEncodings;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.flink.algorithm.TrainingModel;
import io.github.flinkps.flink.data.RowRecipe;
import io.github.flinkps.flink.internal.compat.StreamGraphs;
import io.github.flinkps.flink.options.EmbeddedServers;
import io.github.flinkps.flink.options.Guarantee;
import io.github.flinkps.flink.options.JobTraits;
import io.github.flinkps.flink.options.OptionChecks;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteSecurity;
import io.github.flinkps.flink.options.RemoteServers;
import io.github.flinkps.flink.service.ArrowModelArchive;
import io.github.flinkps.flink.service.JobFolders;
import io.github.flinkps.flink.service.LocalServerBackend;
import io.github.flinkps.flink.service.ModelArchive;
import io.github.flinkps.flink.service.ServiceBackend;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.service.ServiceSource;
import io.github.flinkps.flink.service.ServiceSpec;
import io.github.flinkps.flink.service.ServiceSpec.Lifetime;
import io.github.flinkps.flink.service.StartCut;
import io.github.flinkps.flink.service.ValidationSpec;
import io.github.flinkps.flink.table.ModelRoot;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.flink.training.cut.CutPublisher;
import io.github.flinkps.flink.training.cut.CutSettings;
import io.github.flinkps.flink.training.cut.ManifestPublisher;
import io.github.flinkps.flink.training.rows.BatchGrowth;
import io.github.flinkps.flink.training.worker.TrainingSettings;
import io.github.flinkps.flink.training.worker.TrainingSettings.Intake;
import io.github.flinkps.flink.training.worker.TrainingSettings.ModelRun;
import io.github.flinkps.flink.training.worker.TrainingSettings.Pace;
import io.github.flinkps.flink.training.worker.TrainingSettings.Passes;
import io.github.flinkps.flink.training.worker.TrainingSettings.Waits;
import io.github.flinkps.security.JobKeys;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.CheckpointConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The set-up that training and scoring share: options, their checks, the service source and the
 * edges into the workers.
 *
 * @param <I> the records of the input
 * @param <J> the kind of job, for chained calls
 */
public abstract class PsJob<I, J extends PsJob<I, J>> {
    /** Rows of a mini-batch that has grown: more make steps fewer, and hardly cheaper. */
    private static final int MOST_ROWS = 4096;

    final DataStream<I> input;
    final TrainingModel model;
    final Configuration options = new Configuration();
    String run = UUID.randomUUID().toString();
    private ServiceBackend ownBackend;
    private JobKeys keys;
    private Function<String, Optional<String>> uids = operator -> Optional.empty();
    private CutPublisher cutPublisher;
    private ModelArchive archive;
    private RowRecipe recipe;
    boolean ofJobs;

    PsJob(DataStream<I> input, TrainingModel model) {
        this.input = input;
        this.model = model;
    }

    abstract J self();

    /** Returns what tells the uids of our operators from those of another model in the job. */
    String uidName() {
        return modelName();
    }

    /** Returns what servers call the model. */
    String modelName() {
        return ServiceRegistry.nameOnServers(
                options.get(PsOptions.DATABASE), options.get(PsOptions.MODEL_NAME));
    }

    /**
     * Sets an option of {@link PsOptions}, or one of {@link
     * io.github.flinkps.flink.table.ModelOptions} about predictions.
     */
    public <T> J set(ConfigOption<T> option, T value) {
        options.set(option, value);
        return self();
    }

    /** Sets all options that are set in {@code other}. */
    public J setAll(Configuration other) {
        options.addAll(other);
        return self();
    }

    /** Returns what starts servers and reaches them. */
    ServiceBackend backend() {
        return ownBackend == null
                ? new LocalServerBackend(
                        EmbeddedServers.given(options),
                        security(),
                        options.get(PsOptions.PEER_TIMEOUT))
                : ownBackend;
    }

    /** Returns how servers are reached: those that the job brings along by keys of its own. */
    ClientSecurity security() {
        if (options.contains(PsOptions.REMOTE)) {
            Configuration known = new Configuration(options);
            RemoteSecurity.complete(known, StreamGraphs.configuration(input));
            return RemoteSecurity.of(known);
        }
        if (isOfThisProcess(StreamGraphs.configuration(input))) {
            return ClientSecurity.NONE;
        }
        if (keys == null) {
            keys = JobKeys.create();
        }
        return ClientSecurity.ofPeers(keys);
    }

    /**
     * Returns whether a job runs in this process, and its servers are for this machine only: no
     * keys are made for it, which takes a good part of a start.
     */
    private static boolean isOfThisProcess(ReadableConfig configuration) {
        return "local".equals(configuration.get(DeploymentOptions.TARGET))
                && configuration.getOptional(TaskManagerOptions.HOST).isEmpty();
    }

    /** Replaces the way servers are started and reached. */
    public J backend(ServiceBackend replacement) {
        this.ownBackend = replacement;
        return self();
    }

    /**
     * Says how the rows came from files, for the saved model: prediction then needs no more than
     * it.
     */
    public J recipe(RowRecipe rowsOfFiles) {
        this.recipe = rowsOfFiles;
        return self();
    }

    /**
     * Says what the operators' uids are, by their names "train", "score" and "service"; where it
     * says nothing, and without it, they come from the model's name.
     */
    public J uids(Function<String, Optional<String>> generated) {
        this.uids = generated;
        return self();
    }

    /**
     * Lets every job that runs this graph train a model of its own, in a folder of its own below
     * the model's: for graphs that may run more than once.
     */
    public J modelOfEachJob() {
        this.ofJobs = true;
        return self();
    }

    String uid(String operator, String byModel) {
        return uids.apply(operator).orElse(byModel);
    }

    /** Replaces the way models are loaded and saved. */
    public J archive(ModelArchive replacement) {
        this.archive = replacement;
        return self();
    }

    /** Replaces the way cuts are put together. */
    J cutPublisher(CutPublisher replacement) {
        this.cutPublisher = replacement;
        return self();
    }

    boolean bounded() {
        return StreamGraphs.isBounded(input);
    }

    /**
     * Returns whether the job runs in BATCH mode, where workers and servers cannot run side by
     * side.
     */
    boolean batch() {
        return StreamGraphs.isBatch(input);
    }

    int workers() {
        return batch() ? 1 : options.getOptional(PsOptions.WORKERS).orElse(input.getParallelism());
    }

    ConsistencySpec consistency() {
        return OptionChecks.consistency(options);
    }

    /** Returns how passes are measured; null for not at all. */
    private ValidationSpec validation() {
        return OptionChecks.validationShare(options)
                .map(
                        share ->
                                new ValidationSpec(
                                        share,
                                        options.getOptional(PsOptions.PATIENCE)
                                                .orElse(Integer.MAX_VALUE),
                                        options.get(PsOptions.EPOCHS)))
                .orElse(null);
    }

    /**
     * Returns what the options must fit.
     *
     * @param saves whether the job saves the model
     */
    JobTraits traits(boolean saves) {
        CheckpointConfig checkpoints = input.getExecutionEnvironment().getCheckpointConfig();
        return new JobTraits(
                bounded() ? Boundedness.BOUNDED : Boundedness.CONTINUOUS_UNBOUNDED,
                batch() ? RuntimeExecutionMode.BATCH : RuntimeExecutionMode.STREAMING,
                saves,
                checkpointing() ? checkpoints.getCheckpointingConsistencyMode() : null);
    }

    private boolean keepsModel() {
        return !batch() && options.get(PsOptions.GUARANTEE) == Guarantee.AT_LEAST_ONCE;
    }

    TrainingSettings settings(boolean train, ConsistencySpec consistency) {
        boolean unbounded = !bounded();
        boolean idles = train && unbounded && consistency.kind() != ConsistencySpec.Kind.BSP;
        return new TrainingSettings(
                new ModelRun(modelName(), modelDirectory(), run),
                new Passes(
                        train ? batches() : BatchGrowth.none(options.get(PsOptions.BATCH_SIZE)),
                        train ? options.get(PsOptions.EPOCHS) : 1,
                        options.get(PsOptions.SEED),
                        options.get(PsOptions.SHUFFLE),
                        train ? validation() : null),
                new Pace(
                        consistency,
                        options.get(PsOptions.PREFETCH),
                        train ? pushFilter() : null,
                        train ? encodings() : ValueEncodings.EXACT),
                new Intake(
                        options.get(PsOptions.BUFFER_ROWS),
                        input.getParallelism(),
                        options.getOptional(PsOptions.ROW_MEMORY)
                                .map(MemorySize::getBytes)
                                .orElse(null),
                        unbounded ? options.get(PsOptions.LINGER) : Duration.ZERO,
                        idles ? options.get(PsOptions.IDLE_TIMEOUT) : Duration.ZERO),
                new Waits(options.get(PsOptions.PROGRESS_INTERVAL), options.get(PsOptions.TIMEOUT)),
                train ? cuts(consistency) : null);
    }

    /** Returns how large mini-batches are; those that rows are dealt into anew do not grow. */
    private BatchGrowth batches() {
        int rows = options.get(PsOptions.BATCH_SIZE);
        boolean stays =
                options.getOptional(PsOptions.BATCH_SIZE).isPresent()
                        || !model.batchesMayGrow()
                        || options.get(PsOptions.SHUFFLE) == Shuffle.ROWS;
        return stays ? BatchGrowth.none(rows) : new BatchGrowth(rows, MOST_ROWS);
    }

    /** Returns what decides which updates are pushed at once; null: all are. */
    PushFilter pushFilter() {
        return Stream.<Optional<? extends PushFilter>>of(
                        options.getOptional(PsOptions.SIGNIFICANCE_THRESHOLD)
                                .map(SignificanceFilter::new),
                        options.getOptional(PsOptions.PUSH_SHARE)
                                .map(options.get(PsOptions.PUSH_CHOICE)::filter))
                .<PushFilter>flatMap(Optional::stream)
                .reduce(PushFilter::or)
                .orElse(null);
    }

    private ValueEncodings encodings() {
        return new ValueEncodings(
                options.get(PsOptions.PUSH_ENCODING), options.get(PsOptions.PULL_ENCODING));
    }

    private CutSettings cuts(ConsistencySpec consistency) {
        CheckpointConfig checkpoints = input.getExecutionEnvironment().getCheckpointConfig();
        return new CutSettings(
                checkpointing(),
                cutPublisher == null ? publisher(consistency) : cutPublisher,
                Duration.ofMillis(checkpoints.getCheckpointTimeout()),
                Math.max(
                        StreamGraphs.retainedCheckpoints(input),
                        options.get(PsOptions.KEEP_CUTS) - 1),
                keepsModel());
    }

    private CutPublisher publisher(ConsistencySpec consistency) {
        return new ManifestPublisher(
                modelDirectory(),
                modelName(),
                model.name(),
                model.options(),
                recipe == null ? "" : recipe.toJson(),
                consistency);
    }

    /** Returns whether the job takes checkpoints. */
    boolean checkpointing() {
        return !batch()
                && input.getExecutionEnvironment().getCheckpointConfig().isCheckpointingEnabled();
    }

    /**
     * Returns what the job asks of its servers.
     *
     * @param initialModel directory of the model to start with, or null
     * @param startCut which it begins as instead, or null
     * @param output where the model is saved, or null
     */
    ServiceSpec serviceSpec(
            ConsistencySpec consistency,
            String initialModel,
            StartCut startCut,
            String output,
            boolean temporary) {
        List<String> remote = RemoteServers.addresses(options);
        return new ServiceSpec(
                modelName(),
                ServiceSpec.Servers.of(modelDirectory(), remote, options.get(PsOptions.SERVERS)),
                workers(),
                consistency,
                model.tables(),
                new ServiceSpec.Start(directory(initialModel), startCut),
                new ServiceSpec.Saving(
                        directory(output),
                        options.get(PsOptions.SAVE_INTERVAL),
                        options.get(PsOptions.SAVE_SLOTS)),
                temporary ? null : validation(),
                temporary ? Lifetime.JOB : keepsModel() ? Lifetime.SERVERS : Lifetime.ATTEMPT,
                options.get(PsOptions.TIMEOUT));
    }

    /** Returns the service source, and its edge to the workers. */
    DataStream<Void> service(ServiceSpec spec) {
        StreamExecutionEnvironment environment = input.getExecutionEnvironment();
        return environment
                .fromSource(
                        new ServiceSource(spec, run, backend(), archive()),
                        WatermarkStrategy.noWatermarks(),
                        "parameter servers of " + spec.model(),
                        Types.VOID)
                .setParallelism(spec.readers())
                .setMaxParallelism(spec.embedded() ? Math.max(128, spec.readers()) : 1)
                .uid(uid("service", "flink-ps-service-" + uidName()))
                .rebalance();
    }

    /**
     * Returns the model's directory below the model root. With {@link #modelOfEachJob} {@link
     * JobFolders#JOB} stands in it for the id of the job.
     */
    public String modelDirectory() {
        return new ModelRoot(options.get(PsOptions.MODEL_ROOT))
                        .directory(
                                options.get(PsOptions.DATABASE), options.get(PsOptions.MODEL_NAME))
                + (ofJobs ? "/" + JobFolders.JOB : "");
    }

    /**
     * Returns a directory as the processes of the job understand it, which run in folders of their
     * own.
     */
    String directory(String named) {
        return named == null || archive != null ? named : ArrowModelArchive.path(named);
    }

    ModelArchive archive() {
        return archive != null ? archive : files();
    }

    /** Returns whether models are loaded and saved in another way than ours. */
    boolean hasOwnArchive() {
        return archive != null;
    }

    /** Returns the archive that reads and writes models which name the run. */
    ArrowModelArchive files() {
        return new ArrowModelArchive(
                        modelName(),
                        model.name(),
                        model.options(),
                        recipe == null ? "" : recipe.toJson())
                .ofRun(run);
    }

    /**
     * Returns the edge of the rows into the workers. One the user has chosen stays; else a reader
     * feeds one worker where their numbers agree (so that who trains what is the same in every
     * run), and all in turn where not.
     */
    DataStream<I> edge(ConsistencySpec consistency) {
        if (StreamGraphs.endsInHashEdge(input) && consistency.kind() == ConsistencySpec.Kind.BSP) {
            throw new IllegalArgumentException(
                    "rows must not reach workers by a hash of a key under consistency BSP: a"
                            + " worker that gets no rows holds all others back; use rebalance()");
        }
        if (StreamGraphs.endsInChosenEdge(input)) {
            return input;
        }
        // Flink takes no unaligned checkpoints of an operator with a forward edge.
        boolean unaligned =
                input.getExecutionEnvironment()
                        .getCheckpointConfig()
                        .isUnalignedCheckpointsEnabled();
        boolean forward = input.getParallelism() == workers() && !unaligned;
        return forward ? input.forward() : input.rebalance();
    }
}
