package io.github.flinkps.flink.options;

import static io.github.flinkps.flink.options.OptionUse.COMMAND;
import static io.github.flinkps.flink.options.OptionUse.SCORING;
import static io.github.flinkps.flink.options.OptionUse.TABLE;

import io.github.flinkps.codec.ValueEncoding;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.Range;
import io.github.flinkps.flink.service.ServiceRegistry;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.security.TlsFiles;
import io.github.flinkps.security.Token;
import io.github.flinkps.server.ServerConfig;
import io.github.flinkps.transport.ConnectionLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;

/**
 * The options of a job that trains or scores; their defaults are good enough for small data. Each
 * is declared here and nowhere else: what checks them, the command line, the options of tables in
 * SQL, the documentation and the Python package are made of the declarations.
 */
public final class PsOptions {
    /** The {@link #VALIDATION_SHARE} where only {@link #PATIENCE} is set. */
    static final double SHARE_WITH_PATIENCE = 0.1;

    private static final Range<Duration> NOT_NEGATIVE = Range.atLeast(Duration.ZERO);

    private static final OptionDeclarations DECLARED = new OptionDeclarations();

    private static final Range<Double> FROM_ZERO =
            new Range<>(value -> value >= 0 && value <= Float.MAX_VALUE, "a number of at least 0");

    public static final ConfigOption<String> MODEL_NAME =
            DECLARED.add(
                    ConfigOptions.key("model-name")
                            .stringType()
                            .defaultValue("model")
                            .withDescription(
                                    "Name of the model on its servers. A job takes a model of this"
                                            + " name over from any job before it."),
                    OptionDeclarations.named(
                            128,
                            "[A-Za-z0-9][A-Za-z0-9._-]{0,127}",
                            "letters, digits, '.', '_' or '-'"),
                    SCORING,
                    COMMAND);

    public static final ConfigOption<String> DATABASE =
            DECLARED.add(
                    ConfigOptions.key("database")
                            .stringType()
                            .defaultValue(ServiceRegistry.DEFAULT_DATABASE)
                            .withDescription(
                                    "Folder directly below model-root in which the model has its"
                                            + " own folder. Servers call a model of any other"
                                            + " than the default database DATABASE.MODEL-NAME."),
                    OptionDeclarations.named(
                            64, "[A-Za-z0-9][A-Za-z0-9_-]{0,63}", "letters, digits, '_' or '-'"),
                    SCORING);

    public static final ConfigOption<Integer> SERVERS =
            DECLARED.add(
                    whole("servers", 1, "Number of parameter servers inside the TaskManagers."),
                    Range.between(1, ServerConfig.MOST_SERVERS),
                    SCORING,
                    TABLE,
                    COMMAND);

    public static final ConfigOption<List<String>> REMOTE =
            DECLARED.add(
                    ConfigOptions.key("remote")
                            .stringType()
                            .asList()
                            .noDefaultValue()
                            .withDescription(
                                    "Addresses host:port of parameter servers that run already,"
                                            + " used instead of servers inside the TaskManagers."),
                    RemoteServers::parse,
                    SCORING,
                    TABLE,
                    COMMAND);

    public static final ConfigOption<String> TLS_TRUST =
            DECLARED.add(
                    ConfigOptions.key(TlsFiles.TRUST)
                            .stringType()
                            .noDefaultValue()
                            .withDescription(
                                    "PEM file with the authorities by which servers that run"
                                        + " already are known; they are reached by TLS then. A path"
                                        + " on each machine of the job."),
                    SCORING,
                    TABLE,
                    COMMAND);

    public static final ConfigOption<String> TLS_CERTIFICATE =
            DECLARED.add(
                    ConfigOptions.key(TlsFiles.CERTIFICATE)
                            .stringType()
                            .noDefaultValue()
                            .withDescription(
                                    "PEM file with the certificate that is shown to these"
                                            + " servers."),
                    SCORING,
                    TABLE,
                    COMMAND);

    public static final ConfigOption<String> TLS_KEY =
            DECLARED.add(
                    ConfigOptions.key(TlsFiles.KEY)
                            .stringType()
                            .noDefaultValue()
                            .withDescription("PEM file with the private key of that certificate."),
                    SCORING,
                    TABLE,
                    COMMAND);

    public static final ConfigOption<String> TOKEN_FILE =
            DECLARED.add(
                    ConfigOptions.key(Token.FILE)
                            .stringType()
                            .noDefaultValue()
                            .withDescription(
                                    "File with the line NAME:TOKEN that is shown to these servers,"
                                            + " inside TLS, in place of a certificate."),
                    SCORING,
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Integer> WORKERS =
            DECLARED.add(
                    ConfigOptions.key("workers")
                            .intType()
                            .noDefaultValue()
                            .withDescription(
                                    "Number of workers; the parallelism of the rows' stream unless"
                                            + " set."),
                    Range.between(1, ServerConfig.MOST_WORKERS),
                    SCORING,
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Integer> BATCH_SIZE =
            DECLARED.add(
                    whole(
                            "batch-size",
                            64,
                            "Rows of a mini-batch, per worker. Unless set, linear models'"
                                    + " grow from 64 to 4096 (adagrad, ftrl)."),
                    Range.atLeast(1),
                    SCORING,
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Integer> EPOCHS =
            DECLARED.add(
                    whole("epochs", 1, "Passes over a bounded input; an unbounded one takes 1."),
                    Range.atLeast(1),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<ConsistencySpec.Kind> CONSISTENCY =
            DECLARED.add(
                    choice(
                            "consistency",
                            ConsistencySpec.Kind.BSP,
                            "Consistency, which says how far workers may run apart:"
                                    + " BSP, SSP, ASP or PREDICATE."),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Integer> STALENESS =
            DECLARED.add(
                    ConfigOptions.key("staleness")
                            .intType()
                            .noDefaultValue()
                            .withDescription(
                                    "For consistency SSP, and needed there: the mini-batches a"
                                            + " worker may be ahead of what it reads."),
                    Range.atLeast(0),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<String> READ_PREDICATE =
            DECLARED.add(
                    text(
                            "read-predicate",
                            "For consistency PREDICATE, and needed there: name of the"
                                    + " predicate on the servers' class path."),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Integer> PREFETCH =
            DECLARED.add(
                    whole(
                            "prefetch",
                            1,
                            "Mini-batches to pull ahead of the one that is computed, as far"
                                    + " as the consistency allows (BSP: none, SSP: the"
                                    + " staleness)."),
                    Range.between(0, 1 << 16),
                    SCORING,
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Long> SEED =
            DECLARED.add(
                    ConfigOptions.key("seed")
                            .longType()
                            .defaultValue(0L)
                            .withDescription(
                                    "Seed of the order of mini-batches after the first pass."),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Shuffle> SHUFFLE =
            DECLARED.add(
                    choice(
                            "shuffle",
                            Shuffle.BATCHES,
                            "Parts of the input that change places after the first pass."
                                    + " BATCHES: whole mini-batches, whose keys servers then"
                                    + " know. ROWS: rows, within windows of 32 MiB of"
                                    + " mini-batches in random order, whose keys are sent"
                                    + " anew."),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<MemorySize> ROW_MEMORY =
            DECLARED.add(
                    ConfigOptions.key("row-memory")
                            .memoryType()
                            .noDefaultValue()
                            .withDescription(
                                    "Heap of each worker for rows, and their keys, that later"
                                        + " passes train again. Further rows are kept in files, in"
                                        + " the temporary folder of the task (io.tmp.dirs), and"
                                        + " read back for each pass, their keys made anew; the"
                                        + " result is the same. Without it, a quarter of the heap"
                                        + " of the TaskManager's JVM, divided by its slots."),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Double> VALIDATION_SHARE =
            DECLARED.add(
                    number(
                            "validation-share",
                            "Share of the rows of a bounded input that do not train but"
                                    + " measure the model after each pass. The model of the"
                                    + " pass with the lowest loss is the one that is saved."
                                    + " Unless set, "
                                    + SHARE_WITH_PATIENCE
                                    + " with patience, else none."),
                    Range.inside(0.0, 1.0),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Integer> PATIENCE =
            DECLARED.add(
                    ConfigOptions.key("patience")
                            .intType()
                            .noDefaultValue()
                            .withDescription(
                                    "Passes without a lower validation loss, after which training"
                                            + " ends before all epochs are through. Unless set"
                                            + " all epochs are gone through."),
                    Range.atLeast(1),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Duration> TIMEOUT =
            DECLARED.add(
                    duration(
                            "timeout",
                            Duration.ofSeconds(60),
                            "The longest wait for servers, or for the slowest worker,"
                                    + " before the job fails."),
                    Range.atLeast(Duration.ofMillis(1)),
                    SCORING,
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Duration> PEER_TIMEOUT =
            DECLARED.add(
                    duration(
                            "peer-timeout",
                            ConnectionLimits.PEER_TIMEOUT,
                            "Time after which workers and readers give up a connection"
                                    + " to a server that says nothing, though it is asked,"
                                    + " as when its machine has lost its power or cable."),
                    ServerConfig.Connections.PEER_TIMEOUT.range(),
                    SCORING,
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Guarantee> GUARANTEE =
            DECLARED.add(
                    choice(
                            "guarantee",
                            Guarantee.EXACTLY_ONCE,
                            "Number of times that a record counts when a job with"
                                    + " checkpoints goes on after a failure. exactly-once: the"
                                    + " model goes back to the checkpoint. at-least-once: if"
                                    + " all remote servers still have the model, it stays as it"
                                    + " is, and records since the checkpoint count again."
                                    + " Otherwise, and always with embedded servers, it goes"
                                    + " back to the checkpoint too."),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Double> SIGNIFICANCE_THRESHOLD =
            DECLARED.add(
                    number(
                            "significance-threshold",
                            "Least length of a gradient that is pushed, as a multiple of"
                                    + " the length of the row's values. Workers retain a row's"
                                    + " shorter gradients, add later ones to them, and keep"
                                    + " them in checkpoints. What is left at the end is pushed."
                                    + " Unless set all is pushed at once."),
                    FROM_ZERO,
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Double> PUSH_SHARE =
            DECLARED.add(
                    number(
                            "push-share",
                            "Share of a mini-batch's rows that are pushed, above 0 and at"
                                    + " most 1. push-choice says which. Workers retain the"
                                    + " others as with significance-threshold."),
                    new Range<>(value -> value > 0 && value <= 1, "a number above 0 and at most 1"),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<PushChoice> PUSH_CHOICE =
            DECLARED.add(
                    choice(
                            "push-choice",
                            PushChoice.LONGEST,
                            "Rows that are pushed by push-share: LONGEST, those with the"
                                    + " longest gradients, or RANDOM ones."),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<ValueEncoding> PUSH_ENCODING =
            DECLARED.add(
                    choice(
                            "push-encoding",
                            ValueEncoding.FP32,
                            "Form in which gradients travel to servers: FP32 as they are,"
                                    + " FP16 or BF16 rounded to half of their bytes, INT8 to a"
                                    + " quarter. Servers add them up as float32."),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<ValueEncoding> PULL_ENCODING =
            DECLARED.add(
                    choice(
                            "pull-encoding",
                            ValueEncoding.FP32,
                            "Form in which values travel to workers: FP32, FP16, BF16 or INT8."
                                    + " Servers keep float32."),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<String> MODEL_ROOT =
            DECLARED.add(
                    ConfigOptions.key("model-root")
                            .stringType()
                            .defaultValue(
                                    Path.of(System.getProperty("java.io.tmpdir"), "flink-ps")
                                            .toUri()
                                            .toString()
                                            .replaceFirst("/$", ""))
                            .withDescription(
                                    "Folder of models and of the registry in which workers find"
                                        + " their servers; on storage that all processes of a job"
                                        + " see. It need not be there yet."),
                    ModelRootFolder::check,
                    SCORING);

    public static final ConfigOption<String> MODEL_OUTPUT =
            DECLARED.add(
                    text(
                            "model",
                            "Directory the model is saved to when training is over, in the"
                                    + " place of a model that is there."),
                    Range.any());

    public static final ConfigOption<Duration> SAVE_INTERVAL =
            DECLARED.add(
                    duration(
                            "save-interval",
                            Duration.ZERO,
                            "Time between one saving of the model and the next while it"
                                    + " trains; 0: only at the end, which an unbounded input"
                                    + " may never have. Each takes the place of the one before"
                                    + " as a whole. Workers go on meanwhile, so that rows saved"
                                    + " early lack what was learned while the others were"
                                    + " saved. The job fails if it cannot be saved."),
                    NOT_NEGATIVE,
                    TABLE);

    public static final ConfigOption<String> INITIAL_MODEL =
            DECLARED.add(
                    text("initial-model", "Directory of a saved model to train on."), Range.any());

    public static final ConfigOption<String> START_CUT =
            DECLARED.add(
                    text(
                            "start-cut",
                            "Directory of a cut, as model list shows it, that the model"
                                    + " begins as. It has the values of the cut, what the"
                                    + " optimizer keeps beside them and, but for sgd, the"
                                    + " schedule of the learning rate. Servers and workers may"
                                    + " be others in number; rows and passes begin anew, and so"
                                    + " do the job's own cuts. Not with initial-model."),
                    TABLE);

    public static final ConfigOption<Integer> KEEP_CUTS =
            DECLARED.add(
                    whole(
                            "keep-cuts",
                            1,
                            "Cuts of completed checkpoints that are kept of a job that"
                                    + " takes checkpoints, the newest ones, to go back to."
                                    + " Those that Flink's retained checkpoints or cuts that"
                                    + " are kept need, and one more, are kept anyway, and so"
                                    + " are those of savepoints. How many checkpoints Flink"
                                    + " retains is what the job's or the TaskManagers'"
                                    + " configuration says, whichever is more."),
                    Range.atLeast(1),
                    TABLE,
                    COMMAND);

    public static final ConfigOption<Boolean> SAVE_SLOTS =
            DECLARED.add(
                    ConfigOptions.key("save-slots")
                            .booleanType()
                            .defaultValue(false)
                            .withDescription(
                                    "Saving of what the optimizer keeps beside the values, as part"
                                        + " of the model. A job whose initial-model it is then goes"
                                        + " on with both and, but for sgd, with the schedule of the"
                                        + " learning rate. Its passes and their order of"
                                        + " mini-batches begin anew."),
                    COMMAND);

    public static final ConfigOption<Integer> BUFFER_ROWS =
            DECLARED.add(
                    whole(
                            "buffer-rows",
                            1 << 16,
                            "Rows a worker takes ahead of training before backpressure"
                                    + " begins."),
                    Range.atLeast(1),
                    SCORING,
                    TABLE);

    public static final ConfigOption<Duration> LINGER =
            DECLARED.add(
                    duration(
                            "linger",
                            Duration.ofSeconds(1),
                            "Unbounded input: longest wait for a mini-batch to fill; then"
                                    + " it trains with the rows it has. 0: no limit."),
                    NOT_NEGATIVE,
                    SCORING,
                    TABLE);

    public static final ConfigOption<Duration> IDLE_TIMEOUT =
            DECLARED.add(
                    duration(
                            "idle-timeout",
                            Duration.ofSeconds(10),
                            "Unbounded input, not under BSP: time without rows after"
                                    + " which the others no longer wait for a worker; 0:"
                                    + " they always wait."),
                    NOT_NEGATIVE,
                    TABLE);

    public static final ConfigOption<Duration> PROGRESS_INTERVAL =
            DECLARED.add(
                    duration(
                            "progress-interval",
                            Duration.ofSeconds(1),
                            "Time between progress records within a pass; 0: only at its"
                                    + " end."),
                    NOT_NEGATIVE,
                    TABLE);

    public static final ConfigOption<Duration> REFRESH_INTERVAL =
            DECLARED.add(
                    duration(
                            "refresh-interval",
                            Duration.ofSeconds(10),
                            "For predictions: time between two looks for a newer version or"
                                    + " for servers that train the model. What was pulled of"
                                    + " these is used again until it is so old."),
                    Range.atLeast(Duration.ofMillis(1)));

    public static final ConfigOption<Integer> CACHE_ROWS =
            DECLARED.add(
                    whole(
                            "cache-rows",
                            100_000,
                            "For predictions: rows of each table of the model that a task"
                                    + " remembers."),
                    Range.atLeast(0));

    static {
        EmbeddedServers.options().forEach(PsOptions::declareOfServers);
    }

    private PsOptions() {}

    private static ConfigOption<Duration> duration(String key, Duration standard, String text) {
        return ConfigOptions.key(key).durationType().defaultValue(standard).withDescription(text);
    }

    private static ConfigOption<Double> number(String key, String text) {
        return ConfigOptions.key(key).doubleType().noDefaultValue().withDescription(text);
    }

    private static ConfigOption<String> text(String key, String text) {
        return ConfigOptions.key(key).stringType().noDefaultValue().withDescription(text);
    }

    private static ConfigOption<Integer> whole(String key, int standard, String text) {
        return ConfigOptions.key(key).intType().defaultValue(standard).withDescription(text);
    }

    private static <E extends Enum<E>> ConfigOption<E> choice(String key, E standard, String text) {
        return ConfigOptions.key(key)
                .enumType(standard.getDeclaringClass())
                .defaultValue(standard)
                .withDescription(text);
    }

    private static <T> void declareOfServers(ConfigOption<T> option) {
        if (EmbeddedServers.isOfCuts(option)) {
            DECLARED.add(option, TABLE);
        } else {
            DECLARED.add(option, SCORING, TABLE);
        }
    }

    /** Returns all options, in the order of their declaration. */
    public static List<ConfigOption<?>> all() {
        return DECLARED.all();
    }

    /** Returns the options that are taken there, in the order of their declaration. */
    public static List<ConfigOption<?>> of(OptionUse use) {
        return DECLARED.of(use);
    }

    /** Returns the values that an option takes. */
    public static <T> Range<T> range(ConfigOption<T> option) {
        return DECLARED.get(option).range();
    }

    /**
     * Checks a value of an option.
     *
     * @throws IllegalArgumentException naming the option, if it cannot have the value
     */
    public static <T> void check(ConfigOption<T> option, T value) {
        DECLARED.get(option).check(value);
    }

    /**
     * Checks the value of each option that is set.
     *
     * @throws IllegalArgumentException naming the option that is wrong
     */
    public static void check(ReadableConfig options) {
        DECLARED.check(options);
    }
}
