package io.github.flinkps.flink.options;

import io.github.flinkps.common.ConsistencySpec;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.execution.CheckpointingMode;

/**
 * Reads options from text and checks them: the one place that knows which of them go together. All
 * methods refuse by {@link IllegalArgumentException} with a message that names the option.
 */
public final class OptionChecks {
    private OptionChecks() {}

    /**
     * Reads those of the options that are given.
     *
     * @param given texts by key; keys of other options are passed over
     */
    public static Configuration read(
            Map<String, String> given, Collection<ConfigOption<?>> options) {
        Configuration all = Configuration.fromMap(given);
        Configuration read = new Configuration();
        options.forEach(option -> copy(option, all, read));
        return read;
    }

    private static <T> void copy(ConfigOption<T> option, Configuration from, Configuration to) {
        try {
            from.getOptional(option).ifPresent(value -> to.set(option, value));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "option '"
                            + option.key()
                            + "' cannot be '"
                            + from.toMap().get(option.key())
                            + "': "
                            + why(option, e),
                    e);
        }
    }

    private static String why(ConfigOption<?> option, IllegalArgumentException refused) {
        Object example = example(option);
        if (example instanceof Enum<?> one) {
            return "it must be one of "
                    + Stream.of(one.getDeclaringClass().getEnumConstants())
                            .map(Object::toString)
                            .collect(Collectors.joining(", "));
        }
        if (example instanceof Duration) {
            return "it must be a duration, such as '10 s'";
        }
        if (example instanceof MemorySize) {
            return "it must be a size, such as '64 mb'";
        }
        if (example instanceof Number) {
            return "it must be a number" + (example instanceof Double ? "" : ", a whole one");
        }
        Throwable cause = refused.getCause() == null ? refused : refused.getCause();
        return cause.getMessage();
    }

    /** Returns a value of the option's type: its default, or what it makes of the text "1". */
    public static Object example(ConfigOption<?> option) {
        return option.hasDefaultValue()
                ? option.defaultValue()
                : Configuration.fromMap(Map.of(option.key(), "1")).get(option);
    }

    /** Checks options of training, as far as that can be done without the job they are for. */
    public static void check(Configuration options) {
        checkValues(options);
        checkConsistency(options);
        require(
                !options.contains(PsOptions.PUSH_CHOICE) || options.contains(PsOptions.PUSH_SHARE),
                "push-choice needs the option push-share");
        require(
                validationShare(options).isEmpty() || !options.contains(PsOptions.SAVE_INTERVAL),
                "either save-interval or validation-share, which keeps the best model");
        require(
                !options.contains(PsOptions.START_CUT)
                        || !options.contains(PsOptions.INITIAL_MODEL),
                "start-cut does not go with initial-model: give the one that the model begins as");
    }

    /** Checks each value, and which servers are named. */
    public static void checkValues(Configuration options) {
        PsOptions.check(options);
        checkServers(options);
        EmbeddedServers.check(options);
        RemoteSecurity.of(options);
    }

    /** Checks that no option makes a push filter. */
    public static void checkNoPushFilter(Configuration options) {
        for (ConfigOption<?> option :
                List.of(PsOptions.SIGNIFICANCE_THRESHOLD, PsOptions.PUSH_SHARE)) {
            require(
                    !options.contains(option),
                    "either " + option.key() + " or a push filter of your own");
        }
    }

    private static void checkConsistency(Configuration options) {
        ConsistencySpec.Kind kind = options.get(PsOptions.CONSISTENCY);
        goesWith(options, PsOptions.STALENESS, ConsistencySpec.Kind.SSP);
        goesWith(options, PsOptions.READ_PREDICATE, ConsistencySpec.Kind.PREDICATE);
        int most = consistency(options).prefetchLimit();
        require(
                !options.contains(PsOptions.PREFETCH) || options.get(PsOptions.PREFETCH) <= most,
                "prefetch "
                        + options.get(PsOptions.PREFETCH)
                        + " does not go with consistency "
                        + kind
                        + ", which allows "
                        + most);
    }

    /**
     * Checks that an option is set with the one kind of consistency that needs it, and with no
     * other.
     */
    private static void goesWith(
            Configuration options, ConfigOption<?> option, ConsistencySpec.Kind owner) {
        ConsistencySpec.Kind kind = options.get(PsOptions.CONSISTENCY);
        require(
                kind == owner || !options.contains(option),
                option.key() + " goes with consistency " + owner + " only, not " + kind);
        require(
                kind != owner || options.contains(option),
                "consistency " + owner + " needs the option " + option.key());
    }

    /** Checks the options of a job that trains. */
    public static void checkTraining(Configuration options, JobTraits job) {
        checkName(options);
        check(options);
        RemoteSecurity.checkUsed(options);
        int epochs = options.get(PsOptions.EPOCHS);
        require(
                job.bounded() || epochs == 1,
                "epochs must be 1 for an unbounded input, not " + epochs);
        for (ConfigOption<?> option : List.of(PsOptions.SAVE_SLOTS, PsOptions.SAVE_INTERVAL)) {
            require(
                    job.saves() || options.get(option).equals(option.defaultValue()),
                    option.key() + " needs the option model");
        }
        checkCheckpoints(options, job);
        if (validationShare(options).isPresent()) {
            require(
                    job.checkpoints() == null,
                    "validation-share and patience cannot be combined with checkpoints: leave them"
                            + " or execution.checkpointing.interval unset");
            require(
                    job.bounded(),
                    "validation-share needs a bounded input: it measures the model after a pass");
        }
        if (job.batch()) {
            checkBatch(options);
        }
    }

    private static void checkCheckpoints(Configuration options, JobTraits job) {
        require(
                job.checkpoints() != null || !options.contains(PsOptions.KEEP_CUTS),
                "keep-cuts needs checkpoints: set execution.checkpointing.interval");
        if (!options.contains(PsOptions.GUARANTEE) || job.batch()) {
            return; // an attempt of BATCH mode begins anew: each row counts once
        }
        Guarantee guarantee = options.get(PsOptions.GUARANTEE);
        require(
                job.checkpoints() != null,
                "guarantee "
                        + guarantee
                        + " needs checkpoints: set execution.checkpointing.interval");
        require(
                guarantee != Guarantee.EXACTLY_ONCE
                        || job.checkpoints() != CheckpointingMode.AT_LEAST_ONCE,
                "guarantee exactly-once cannot be had with execution.checkpointing.mode"
                        + " AT_LEAST_ONCE, whose barriers let later records pass");
    }

    /**
     * Checks options for BATCH mode, where one task does all of training, and each attempt begins
     * anew.
     */
    private static void checkBatch(Configuration options) {
        int workers = options.getOptional(PsOptions.WORKERS).orElse(1);
        require(
                workers == 1,
                "workers must be 1 with execution.runtime-mode BATCH, not "
                        + workers
                        + ": use STREAMING to train bounded inputs in parallel");
        require(
                options.get(PsOptions.SAVE_INTERVAL).isZero(),
                "save-interval needs execution.runtime-mode STREAMING: in BATCH a model is"
                        + " published when the input has ended");
    }

    /** Checks the options of a job that scores. */
    public static void checkScoring(Configuration options, JobTraits job) {
        checkName(options);
        checkValues(options);
        RemoteSecurity.checkUsed(options);
        require(
                !job.batch(),
                "execution.runtime-mode BATCH cannot run workers and servers side by side:"
                        + " use STREAMING, also for bounded inputs");
        Set<ConfigOption<?>> taken = Set.copyOf(PsOptions.of(OptionUse.SCORING));
        for (ConfigOption<?> option : PsOptions.all()) {
            require(
                    taken.contains(option) || !options.contains(option),
                    option.key() + " is an option of training, not of scoring");
        }
    }

    /**
     * Checks that a model is named on servers that outlive the job alone.
     *
     * @throws IllegalArgumentException naming the option
     */
    public static void checkNameStays(Configuration options) {
        require(
                !options.contains(PsOptions.MODEL_NAME) || options.contains(PsOptions.REMOTE),
                "model-name goes with remote: servers inside the job end with it");
    }

    private static void checkName(Configuration options) {
        require(
                options.getOptional(PsOptions.REMOTE).orElse(List.of()).isEmpty()
                        || options.contains(PsOptions.MODEL_NAME),
                "remote needs the option model-name: a job takes the model of that name over"
                        + " from any job before it");
    }

    private static void checkServers(Configuration options) {
        require(
                !options.contains(PsOptions.REMOTE) || !options.contains(PsOptions.SERVERS),
                "either servers or remote: servers inside the job or such that run already");
    }

    /** Returns how far workers may run apart, of options that were checked. */
    public static ConsistencySpec consistency(Configuration options) {
        return new ConsistencySpec(
                options.get(PsOptions.CONSISTENCY),
                options.getOptional(PsOptions.STALENESS).orElse(0),
                options.getOptional(PsOptions.READ_PREDICATE).orElse(""));
    }

    /** Returns the share of the rows that measure each pass, of options that were checked. */
    public static Optional<Double> validationShare(Configuration options) {
        Optional<Double> share = options.getOptional(PsOptions.VALIDATION_SHARE);
        return share.isEmpty() && options.contains(PsOptions.PATIENCE)
                ? Optional.of(PsOptions.SHARE_WITH_PATIENCE)
                : share;
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
