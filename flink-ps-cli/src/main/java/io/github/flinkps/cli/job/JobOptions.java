package io.github.flinkps.cli.job;

import io.github.flinkps.cli.run.Amounts;
import io.github.flinkps.common.ConsistencySpec;
import io.github.flinkps.common.Range;
import io.github.flinkps.flink.PsJob;
import io.github.flinkps.flink.data.FeatureHash;
import io.github.flinkps.flink.data.OnBadRow;
import io.github.flinkps.flink.options.JobTraits;
import io.github.flinkps.flink.options.OptionChecks;
import io.github.flinkps.flink.options.OptionUse;
import io.github.flinkps.flink.options.PsOptions;
import io.github.flinkps.flink.options.RemoteSecurity;
import io.github.flinkps.flink.options.RemoteServers;
import io.github.flinkps.flink.table.ModelOptions;
import io.github.flinkps.flink.training.Shuffle;
import io.github.flinkps.flink.tuning.TrainingSteps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.apache.flink.core.execution.CheckpointingMode;

/**
 * The options of a job, as a command was given them. Which ones there are, and what they take, is
 * declared in {@link PsOptions}; here are the defaults that a command has instead.
 */
public final class JobOptions {
    private static final int EPOCHS = 5;
    private static final int MOST_EPOCHS_WITH_PATIENCE = 100;
    private static final int SERVERS = 2;
    private static final int WORKERS = 2;
    private static final int HASH_BITS = 24;

    /** The options that say what a model begins as; the command reads what they name itself. */
    private static final List<ConfigOption<?>> STARTS =
            List.of(PsOptions.INITIAL_MODEL, PsOptions.START_CUT);

    /** The options of training alone that a command reads as SQL does. */
    private static final List<ConfigOption<?>> OF_TRAINING =
            List.of(
                    PsOptions.MODEL_ROOT,
                    ModelOptions.LABEL,
                    ModelOptions.LABEL_VALUES,
                    ModelOptions.CATEGORICAL,
                    ModelOptions.WEIGHT,
                    ModelOptions.ON_BAD_ROW,
                    ModelOptions.HASH_BITS);

    /** Defaults that are not those of the declaration, in words. */
    private static final Map<ConfigOption<?>, String> DEFAULTS =
            Map.of(
                    PsOptions.EPOCHS,
                    EPOCHS
                            + ", or by the rows (--tuning); without --input 1; with --patience "
                            + MOST_EPOCHS_WITH_PATIENCE,
                    PsOptions.SERVERS,
                    Integer.toString(SERVERS),
                    PsOptions.WORKERS,
                    Integer.toString(WORKERS),
                    PsOptions.MODEL_NAME,
                    "one of its own, dropped at the end",
                    ModelOptions.HASH_BITS,
                    Integer.toString(HASH_BITS),
                    PsOptions.MODEL_ROOT,
                    "none, and no checkpoints",
                    ModelOptions.LABEL_VALUES,
                    "those there are, in their order. Several for one label have | between them",
                    ModelOptions.CATEGORICAL,
                    "none");

    /**
     * Holds what a command shows of an option.
     *
     * @param key the option is {@code --KEY}
     * @param label stands for the value; empty for a flag
     * @param description with the default
     */
    public record Shown(String key, String label, String description) {}

    /**
     * Names the columns of rows of csv, and what its labels mean.
     *
     * @param label to learn; null where none is named
     * @param labelValues texts of the labels, the one for label 0 first; empty where none are named
     * @param weight of the row; null where all weigh 1
     * @param categorical those of categories
     */
    public record Columns(
            String label, List<String> labelValues, String weight, List<String> categorical) {}

    private final Configuration options;

    private JobOptions(Configuration options) {
        this.options = options;
    }

    /** Returns the options of a command that trains. */
    public static List<Shown> ofTraining() {
        List<ConfigOption<?>> found = new ArrayList<>(STARTS);
        found.addAll(PsOptions.of(OptionUse.COMMAND));
        found.addAll(OF_TRAINING);
        return show(found, DEFAULTS);
    }

    /**
     * Returns the options of a command that scores.
     *
     * @param parallel whether by several workers
     */
    public static List<Shown> ofScoring(boolean parallel) {
        List<ConfigOption<?>> found = new ArrayList<>(PsOptions.of(OptionUse.COMMAND));
        found.retainAll(PsOptions.of(OptionUse.SCORING));
        if (!parallel) {
            found.remove(PsOptions.WORKERS);
        }
        found.add(ModelOptions.ON_BAD_ROW);
        Map<ConfigOption<?>, String> defaults = new LinkedHashMap<>(DEFAULTS);
        defaults.put(PsOptions.BATCH_SIZE, "1024");
        return show(found, defaults);
    }

    private static List<Shown> show(
            List<ConfigOption<?>> options, Map<ConfigOption<?>, String> defaults) {
        return options.stream().map(option -> show(option, defaults.get(option))).toList();
    }

    private static Shown show(ConfigOption<?> option, String byDefault) {
        String text =
                new HtmlFormatter()
                        .format(option.description())
                        .replace("separated by semicolons", "separated by commas");
        String label = label(option);
        if (byDefault == null && option.hasDefaultValue() && !label.isEmpty()) {
            byDefault = Range.show(option.defaultValue());
        }
        return new Shown(
                option.key(),
                label,
                byDefault == null ? text : text + " Default: " + byDefault + ".");
    }

    private static String label(ConfigOption<?> option) {
        Object example = OptionChecks.example(option);
        if (example instanceof Boolean) {
            return "";
        }
        if (example instanceof Enum<?>) {
            return "KIND";
        }
        if (example instanceof Duration) {
            return "TIME";
        }
        if (example instanceof MemorySize) {
            return "SIZE";
        }
        return example instanceof List<?>
                ? "TEXT,.."
                : example instanceof Double ? "X" : example instanceof Number ? "N" : "TEXT";
    }

    /**
     * Reads and checks the options of a command that trains.
     *
     * @param given texts by key, those of options that only the command has among them
     * @throws IllegalArgumentException naming the option that is wrong
     */
    public static JobOptions training(Map<String, String> given) {
        Configuration options = read(given);
        boolean patient = options.contains(PsOptions.PATIENCE);
        if (!options.contains(PsOptions.EPOCHS)) {
            options.set(
                    PsOptions.EPOCHS,
                    patient
                            ? MOST_EPOCHS_WITH_PATIENCE
                            : given.containsKey("input") ? EPOCHS : 1); // generated: enough
        }
        Configuration whole = OptionChecks.read(given, STARTS);
        whole.addAll(OptionChecks.read(given, List.of(PsOptions.MODEL_ROOT)));
        whole.addAll(options);
        if (!whole.contains(PsOptions.MODEL_NAME)) {
            whole.set(PsOptions.MODEL_NAME, CheckpointChoice.MODEL); // or another, by ServiceUse
        }
        OptionChecks.checkTraining(
                whole,
                new JobTraits(
                        Boundedness.BOUNDED,
                        RuntimeExecutionMode.STREAMING,
                        given.containsKey("model"),
                        given.containsKey("checkpoint-interval")
                                ? CheckpointingMode.EXACTLY_ONCE
                                : null));
        return new JobOptions(options);
    }

    /**
     * Reads and checks the options of a command that scores.
     *
     * @param given texts by key
     * @throws IllegalArgumentException naming the option that is wrong
     */
    public static JobOptions scoring(Map<String, String> given) {
        Configuration options = read(given);
        OptionChecks.checkValues(options);
        return new JobOptions(options);
    }

    /**
     * Returns the bits of the keys of hashed features.
     *
     * @param given texts by key
     * @throws IllegalArgumentException naming the option, if it is wrong
     */
    public static int hashBits(Map<String, String> given) {
        ConfigOption<Integer> option = ModelOptions.HASH_BITS;
        int bits = OptionChecks.read(given, List.of(option)).getOptional(option).orElse(HASH_BITS);
        return FeatureHash.BITS.check(option.key(), bits);
    }

    /**
     * Returns whether rows that cannot be read are skipped.
     *
     * @param given texts by key
     * @throws IllegalArgumentException naming the option, if it is wrong
     */
    public static boolean skipsBadRows(Map<String, String> given) {
        ConfigOption<OnBadRow> option = ModelOptions.ON_BAD_ROW;
        return OptionChecks.read(given, List.of(option)).get(option) == OnBadRow.SKIP;
    }

    /**
     * Returns what columns of csv are.
     *
     * @param given texts by key, in which commas separate columns
     */
    public static Columns columns(Map<String, String> given) {
        Configuration options =
                OptionChecks.read(given, List.of(ModelOptions.LABEL, ModelOptions.WEIGHT));
        return new Columns(
                options.get(ModelOptions.LABEL),
                list(given, ModelOptions.LABEL_VALUES),
                options.get(ModelOptions.WEIGHT),
                list(given, ModelOptions.CATEGORICAL));
    }

    private static List<String> list(Map<String, String> given, ConfigOption<List<String>> option) {
        String text = given.get(option.key());
        return text == null ? List.of() : List.of(text.split(","));
    }

    /** Reads options, and adds default workers and servers. */
    private static Configuration read(Map<String, String> given) {
        List<ConfigOption<?>> known = PsOptions.of(OptionUse.COMMAND);
        known.forEach(option -> checkUnit(option, given.get(option.key())));
        Configuration options = OptionChecks.read(given, known);
        OptionChecks.checkNameStays(options);
        if (!options.contains(PsOptions.WORKERS)) {
            options.set(PsOptions.WORKERS, WORKERS);
        }
        if (!options.contains(PsOptions.SERVERS) && !options.contains(PsOptions.REMOTE)) {
            options.set(PsOptions.SERVERS, SERVERS);
        }
        return options;
    }

    /** Refuses a time without a unit: Flink would take it for milliseconds. */
    private static void checkUnit(ConfigOption<?> option, String text) {
        if (text != null
                && OptionChecks.example(option) instanceof Duration
                && text.strip().matches("[0-9]+")) {
            throw new IllegalArgumentException(
                    option.key()
                            + " cannot be '"
                            + text
                            + "': it must be a time such as 500ms, 60s, 5m or 1h");
        }
    }

    /** Returns the options of a job that tests what was trained, with the same servers. */
    JobOptions ofTest() {
        Set<ConfigOption<?>> kept = new LinkedHashSet<>(PsOptions.of(OptionUse.COMMAND));
        kept.retainAll(PsOptions.of(OptionUse.SCORING));
        kept.removeAll(Set.of(PsOptions.BATCH_SIZE, PsOptions.PREFETCH)); // those of training
        Map<String, String> same = options.toMap();
        same.keySet().retainAll(kept.stream().map(ConfigOption::key).toList());
        return new JobOptions(Configuration.fromMap(same));
    }

    /** Sets all of these options on a job, and returns it. */
    <J extends PsJob<?, J>> J configure(J job) {
        return job.setAll(options);
    }

    /**
     * Returns the same options with those of the way through the rows.
     *
     * @param rowsMove whether rows change their places after the first pass, if nothing is said
     */
    public JobOptions with(TrainingSteps steps, boolean rowsMove) {
        Configuration planned = new Configuration(options);
        planned.set(PsOptions.EPOCHS, steps.epochs());
        planned.set(PsOptions.BATCH_SIZE, steps.batchSize());
        if (rowsMove && !planned.contains(PsOptions.SHUFFLE)) {
            planned.set(PsOptions.SHUFFLE, Shuffle.ROWS);
        }
        return new JobOptions(planned);
    }

    /** Returns the rows of a mini-batch of a worker. */
    public int batchSize() {
        return options.get(PsOptions.BATCH_SIZE);
    }

    /**
     * Returns what is given of the way through the rows.
     *
     * @param epochs whether passes are
     */
    public TrainingSteps steps(boolean epochs) {
        return new TrainingSteps(
                options.getOptional(PsOptions.BATCH_SIZE).orElse(0),
                epochs ? epochs() : 0,
                workers(),
                options.get(PsOptions.CONSISTENCY));
    }

    /** Returns whether training ends when validation says so. */
    public boolean isPatient() {
        return options.contains(PsOptions.PATIENCE);
    }

    /** Returns which servers hold the model. */
    public ServiceChoice service() {
        return new ServiceChoice(
                options.get(PsOptions.SERVERS),
                RemoteServers.addresses(options),
                options.getOptional(PsOptions.MODEL_NAME),
                RemoteSecurity.of(options),
                options.get(PsOptions.TIMEOUT));
    }

    public int workers() {
        return options.get(PsOptions.WORKERS);
    }

    public int epochs() {
        return options.get(PsOptions.EPOCHS);
    }

    public long seed() {
        return options.get(PsOptions.SEED);
    }

    /** Returns the share of the rows that measure each pass. */
    public Optional<Double> validationShare() {
        return OptionChecks.validationShare(options);
    }

    /** Returns what a training begins with, for people. */
    public String describe() {
        ServiceChoice service = service();
        String consistency = options.get(PsOptions.CONSISTENCY).toString().toLowerCase(Locale.ROOT);
        if (options.get(PsOptions.CONSISTENCY) == ConsistencySpec.Kind.SSP) {
            consistency += "(" + options.get(PsOptions.STALENESS) + ")";
        }
        return Amounts.of(workers(), "worker", "workers")
                + ", "
                + (service.remote().isEmpty()
                        ? Amounts.of(service.count(), "server", "servers") + " in the job"
                        : Amounts.of(service.count(), "remote server", "remote servers")
                                + service.modelName()
                                        .map(name -> " with model '" + name + "'")
                                        .orElse(""))
                + ", "
                + (options.contains(PsOptions.PATIENCE) ? "at most " : "")
                + Amounts.of(epochs(), "pass", "passes")
                + ", "
                + consistency;
    }
}
