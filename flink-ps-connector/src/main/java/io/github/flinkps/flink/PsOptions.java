package io.github.flinkps.flink;

import io.github.flinkps.client.SignificanceFilter;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.Endpoint;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.service.ValidationSpec;
import io.github.flinkps.flink.training.Shuffle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;

/** The options of a job that trains or scores; their defaults are good enough for small data. */
public final class PsOptions {
    public static final ConfigOption<String> MODEL_NAME =
            ConfigOptions.key("model-name")
                    .stringType()
                    .defaultValue("model")
                    .withDescription(
                            "Name of the model on its servers: letters, digits, '.', '_' and '-'."
                                + " Remote servers need one, and a job takes its model over from"
                                + " any job before it.");

    public static final ConfigOption<String> DATABASE =
            ConfigOptions.key("database")
                    .stringType()
                    .defaultValue(ServiceRegistry.DEFAULT_DATABASE)
                    .withDescription(
                            "The folder below model-root that the model's lies in: letters,"
                                    + " digits, '_' and '-'. Servers know a model of another than"
                                    + " the default one as DATABASE.MODEL-NAME.");

    public static final ConfigOption<Integer> SERVERS =
            ConfigOptions.key("servers")
                    .intType()
                    .defaultValue(1)
                    .withDescription("Number of parameter servers inside the TaskManagers.");

    public static final ConfigOption<List<String>> REMOTE =
            ConfigOptions.key("remote")
                    .stringType()
                    .asList()
                    .noDefaultValue()
                    .withDescription(
                            "Addresses host:port of parameter servers that run already, used"
                                    + " instead of servers inside the TaskManagers.");

    public static final ConfigOption<Integer> WORKERS =
            ConfigOptions.key("workers")
                    .intType()
                    .noDefaultValue()
                    .withDescription(
                            "Number of workers; the parallelism of the rows' stream unless set.");

    public static final ConfigOption<Integer> BATCH_SIZE =
            ConfigOptions.key("batch-size")
                    .intType()
                    .defaultValue(64)
                    .withDescription("Rows of a mini-batch, per worker.");

    public static final ConfigOption<Integer> EPOCHS =
            ConfigOptions.key("epochs")
                    .intType()
                    .defaultValue(1)
                    .withDescription("Passes over a bounded input; an unbounded one takes 1.");

    public static final ConfigOption<ConsistencySpec.Kind> CONSISTENCY =
            ConfigOptions.key("consistency")
                    .enumType(ConsistencySpec.Kind.class)
                    .defaultValue(ConsistencySpec.Kind.BSP)
                    .withDescription("How far workers may run apart: BSP, SSP, ASP or PREDICATE.");

    public static final ConfigOption<Integer> STALENESS =
            ConfigOptions.key("staleness")
                    .intType()
                    .noDefaultValue()
                    .withDescription(
                            "For consistency SSP, and needed there: the mini-batches a worker may"
                                    + " be ahead of what it reads.");

    public static final ConfigOption<String> READ_PREDICATE =
            ConfigOptions.key("read-predicate")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "For consistency PREDICATE, and needed there: name of the predicate on"
                                    + " the servers' class path.");

    public static final ConfigOption<Integer> PREFETCH =
            ConfigOptions.key("prefetch")
                    .intType()
                    .defaultValue(1)
                    .withDescription(
                            "Mini-batches to pull ahead of the one that is computed, as far as the"
                                    + " consistency allows (BSP: none, SSP: the staleness).");

    public static final ConfigOption<Long> SEED =
            ConfigOptions.key("seed")
                    .longType()
                    .defaultValue(0L)
                    .withDescription("Of the order of mini-batches after the first pass.");

    public static final ConfigOption<Shuffle> SHUFFLE =
            ConfigOptions.key("shuffle")
                    .enumType(Shuffle.class)
                    .defaultValue(Shuffle.BATCHES)
                    .withDescription(
                            "What changes its place after the first pass: whole mini-batches"
                                    + " (BATCHES), whose keys servers then know, or rows (ROWS),"
                                    + " within windows of 32 MiB taken from mini-batches in random"
                                    + " order; keys are then sent anew.");

    public static final ConfigOption<MemorySize> ROW_MEMORY =
            ConfigOptions.key("row-memory")
                    .memoryType()
                    .noDefaultValue()
                    .withDescription(
                            "Heap of each worker for rows, and their keys, that later passes train"
                                    + " again. Further rows are kept in files, in the temporary"
                                    + " folder of the task (io.tmp.dirs), and read back for each"
                                    + " pass, their keys made anew; the result is the same."
                                    + " Without it, a quarter of the heap of the TaskManager's JVM,"
                                    + " divided by its slots.");

    public static final ConfigOption<Double> VALIDATION_SHARE =
            ConfigOptions.key("validation-share")
                    .doubleType()
                    .noDefaultValue()
                    .withDescription(
                            "Share of the rows of a bounded input, between 0 and 1, that do not"
                                    + " train but measure the model after each pass. The model of"
                                    + " the pass with the lowest loss is the one that is saved.");

    public static final ConfigOption<Integer> PATIENCE =
            ConfigOptions.key("patience")
                    .intType()
                    .noDefaultValue()
                    .withDescription(
                            "Needs validation-share: training ends after so many passes without a"
                                    + " lower loss, before all epochs are through. Unless set all"
                                    + " are gone through.");

    public static final ConfigOption<Duration> TIMEOUT =
            ConfigOptions.key("timeout")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(60))
                    .withDescription(
                            "The longest wait for servers, or for the slowest worker, before the"
                                    + " job fails.");

    public static final ConfigOption<Guarantee> GUARANTEE =
            ConfigOptions.key("guarantee")
                    .enumType(Guarantee.class)
                    .defaultValue(Guarantee.EXACTLY_ONCE)
                    .withDescription(
                            "How often a record counts when a job with checkpoints goes on after a"
                                + " failure. exactly-once: the model goes back to the checkpoint."
                                + " at-least-once: remote servers that still have the model, all of"
                                + " them, keep it as it is, and records since the checkpoint count"
                                + " again; where one has lost it, as embedded servers do with every"
                                + " failure, it goes back to the checkpoint too.");

    public static final ConfigOption<Double> SIGNIFICANCE_THRESHOLD =
            ConfigOptions.key("significance-threshold")
                    .doubleType()
                    .noDefaultValue()
                    .withDescription(
                            "Workers push a row once the mean gradient that has come together for"
                                + " it is longer than this times the row's values; the rest they"
                                + " hold, add to the row's next gradient, keep in checkpoints and"
                                + " push in any case at the end. Unless set all is pushed at"
                                + " once.");

    public static final ConfigOption<String> MODEL_ROOT =
            ConfigOptions.key("model-root")
                    .stringType()
                    .defaultValue(
                            Path.of(System.getProperty("java.io.tmpdir"), "flink-ps")
                                    .toUri()
                                    .toString()
                                    .replaceFirst("/$", "")) // of a folder that is there
                    .withDescription(
                            "Folder of models and of the registry in which workers find their"
                                    + " servers; on storage that all processes of a job see.");

    public static final ConfigOption<String> MODEL_OUTPUT =
            ConfigOptions.key("model")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Directory the model is saved to when training is over, in the place"
                                    + " of a model that is there.");

    public static final ConfigOption<Duration> SAVE_INTERVAL =
            ConfigOptions.key("save-interval")
                    .durationType()
                    .defaultValue(Duration.ZERO)
                    .withDescription(
                            "Time between one saving of the model and the next while it trains; 0:"
                                + " only at the end, which an unbounded input may never have. Each"
                                + " takes the place of the one before as a whole. Workers go on"
                                + " meanwhile, so that rows saved early lack what was learned while"
                                + " the others were saved. The job fails if it cannot be saved.");

    public static final ConfigOption<String> INITIAL_MODEL =
            ConfigOptions.key("initial-model")
                    .stringType()
                    .noDefaultValue()
                    .withDescription("Directory of a saved model to train on.");

    public static final ConfigOption<String> START_CUT =
            ConfigOptions.key("start-cut")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Directory of a cut, as model list shows it, that the model begins as:"
                                    + " with its values, what the optimizer keeps beside them and,"
                                    + " but for sgd, the schedule of the learning rate. Servers"
                                    + " and workers may be others in number; rows and passes begin"
                                    + " anew, and so do the job's own cuts. Not with"
                                    + " initial-model.");

    public static final ConfigOption<Integer> KEEP_CUTS =
            ConfigOptions.key("keep-cuts")
                    .intType()
                    .defaultValue(1)
                    .withDescription(
                            "Cuts of completed checkpoints that are kept of a job that takes"
                                    + " checkpoints, the newest ones, to go back to. Those that"
                                    + " Flink's retained checkpoints or cuts that are kept need,"
                                    + " and one more, are kept anyway, and so are those of"
                                    + " savepoints. How many checkpoints Flink retains is what"
                                    + " the job's or the TaskManagers' configuration says,"
                                    + " whichever is more.");

    public static final ConfigOption<Boolean> SAVE_SLOTS =
            ConfigOptions.key("save-slots")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription(
                            "Whether the saved model holds what the optimizer keeps beside the"
                                    + " values. A job whose initial-model it is then goes on with"
                                    + " both and, but for sgd, with the schedule of the learning"
                                    + " rate; its passes and their order of mini-batches begin"
                                    + " anew.");

    public static final ConfigOption<Integer> BUFFER_ROWS =
            ConfigOptions.key("buffer-rows")
                    .intType()
                    .defaultValue(1 << 16)
                    .withDescription(
                            "Rows a worker takes ahead of training before it holds its input"
                                    + " back.");

    public static final ConfigOption<Duration> LINGER =
            ConfigOptions.key("linger")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(1))
                    .withDescription(
                            "Unbounded input: a mini-batch that has not filled trains after so"
                                    + " long; 0: it waits.");

    public static final ConfigOption<Duration> IDLE_TIMEOUT =
            ConfigOptions.key("idle-timeout")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(10))
                    .withDescription(
                            "Unbounded input, not under BSP: the others stop waiting for a worker"
                                    + " that had no rows for so long; 0: never.");

    public static final ConfigOption<Duration> PROGRESS_INTERVAL =
            ConfigOptions.key("progress-interval")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(1))
                    .withDescription(
                            "Time between progress records within a pass; 0: only at its end.");

    private PsOptions() {}

    /**
     * Checks the values of options, and which of them go together, as far as that can be done
     * without the job they are for.
     *
     * @throws IllegalArgumentException naming the option that is wrong
     */
    public static void check(Configuration options) {
        for (ConfigOption<Integer> option :
                List.of(SERVERS, WORKERS, BATCH_SIZE, EPOCHS, BUFFER_ROWS, KEEP_CUTS)) {
            atLeast(options, option, 1);
        }
        atLeast(options, PREFETCH, 0);
        atLeast(options, STALENESS, 0);
        atLeast(options, PATIENCE, 1);
        if (options.get(TIMEOUT).isZero()) {
            throw new IllegalArgumentException("timeout must be a positive duration, not 0");
        }
        for (ConfigOption<Duration> option :
                List.of(TIMEOUT, LINGER, IDLE_TIMEOUT, PROGRESS_INTERVAL, SAVE_INTERVAL)) {
            if (options.get(option).isNegative()) {
                throw new IllegalArgumentException(
                        option.key() + " must be a positive duration, not " + options.get(option));
            }
        }
        consistency(options);
        options.getOptional(SIGNIFICANCE_THRESHOLD).ifPresent(SignificanceFilter::new);
        options.getOptional(VALIDATION_SHARE)
                .ifPresent(share -> new ValidationSpec(share, 1, options.get(EPOCHS)));
        if (options.contains(PATIENCE) && !options.contains(VALIDATION_SHARE)) {
            throw new IllegalArgumentException("patience needs the option validation-share");
        }
        if (options.contains(VALIDATION_SHARE) && options.contains(SAVE_INTERVAL)) {
            throw new IllegalArgumentException(
                    "either save-interval or validation-share, which keeps the best model");
        }
        checkServers(options);
    }

    private static void checkServers(Configuration options) {
        if (!options.contains(REMOTE)) {
            return;
        }
        if (options.get(REMOTE).isEmpty()) {
            throw new IllegalArgumentException("remote must name at least one server");
        }
        if (options.contains(SERVERS)) {
            throw new IllegalArgumentException(
                    "either servers or remote: servers inside the job or such that run already");
        }
        checkAddresses(options.get(REMOTE));
    }

    /**
     * Looks whether the option {@link #REMOTE} can have such a value: each server is an address,
     * and named once.
     *
     * @throws IllegalArgumentException naming the address that is wrong
     */
    public static void checkAddresses(List<String> remote) {
        Set<Endpoint> servers = new HashSet<>();
        for (String address : remote) {
            Endpoint server;
            try {
                server = Endpoint.parse(address);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "remote: " + e.getMessage() + ", separated by semicolons", e);
            }
            if (!servers.add(server)) {
                throw new IllegalArgumentException("remote names the server " + server + " twice");
            }
        }
    }

    private static void atLeast(Configuration options, ConfigOption<Integer> option, int least) {
        Integer value = options.get(option);
        if (value != null && value < least) {
            throw new IllegalArgumentException(
                    option.key() + " must be at least " + least + ", not " + value);
        }
    }

    /**
     * How far workers may run apart.
     *
     * @throws IllegalArgumentException naming an option that lacks, or is wrong
     */
    static ConsistencySpec consistency(Configuration options) {
        ConsistencySpec.Kind kind = options.get(CONSISTENCY);
        Integer staleness = options.getOptional(STALENESS).orElse(null);
        if (kind == ConsistencySpec.Kind.SSP && staleness == null) {
            throw new IllegalArgumentException("consistency SSP needs the option staleness");
        }
        return new ConsistencySpec(
                kind,
                staleness == null ? 0 : staleness,
                options.getOptional(READ_PREDICATE).orElse(""));
    }
}
