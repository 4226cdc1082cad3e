package io.github.flinkps.cli;

import io.github.flinkps.cli.job.Algorithms;
import io.github.flinkps.cli.job.SavedModel;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.TrainingModels;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that choose the algorithm and describe what is learned. */
final class AlgorithmOptions {
    private static final String DEFAULT = LogisticRegression.NAME;
    private static final String KIND = "algorithm";

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            completionCandidates = Names.class,
            description =
                    "Algorithm, one of ${COMPLETION-CANDIDATES}. Default: "
                            + DEFAULT
                            + ", or that of --initial-model.")
    private String algorithm;

    /** The algorithms on the class path. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Algorithms.names().iterator();
        }
    }

    /** Adds the options of the algorithms on the class path, each once. */
    static void addTo(CommandSpec spec) {
        for (Map<String, ModelOption> takers : Algorithms.options().values()) {
            ModelOption option = FoundOptions.declaration(takers, TrainingModels::isBuiltIn);
            Map<String, String> defaults = new TreeMap<>();
            takers.forEach((name, of) -> defaults.put(name, of.defaultValue()));
            FoundOptions.add(
                    spec, KIND, option.name(), type(option), option.description(), defaults);
        }
    }

    private static Class<?> type(ModelOption option) {
        return switch (option.type()) {
            case WHOLE_NUMBER -> Long.class;
            case NUMBER -> Double.class;
            case TEXT -> String.class;
            case FLAG -> Boolean.class;
        };
    }

    /**
     * @param trainsOn the option that names the model to train on, or null
     */
    void check(Usage usage, String trainsOn) {
        if (algorithm != null) {
            algorithm = usage.choice("--algorithm", algorithm, Algorithms.names());
        }
        for (String option : Algorithms.options().keySet()) {
            usage.require(
                    trainsOn == null || FoundOptions.value(usage, KIND, option) == null,
                    "--" + option + " is that of " + trainsOn + ", and cannot be another");
        }
    }

    String name(SavedModel initial) {
        if (initial == null) {
            return algorithm == null ? DEFAULT : algorithm;
        }
        String saved = initial.manifest().header().algorithm();
        if (algorithm != null && !algorithm.equals(saved)) {
            throw new CommandException(
                    initial.option()
                            + " was trained with --algorithm "
                            + saved
                            + ", not "
                            + algorithm);
        }
        return saved;
    }

    /** Returns the options of the algorithm, the optimizer's included. */
    Map<String, String> options(Usage usage, SavedModel initial, OptimizerOptions optimizer) {
        Map<String, String> saved =
                initial == null ? Map.of() : initial.manifest().header().parameters();
        Map<String, String> options = new TreeMap<>();
        String name = name(initial);
        Set<String> own = new TreeSet<>();
        for (ModelOption option : Algorithms.own(name)) {
            FoundOptions.check(
                    usage, KIND, name, TrainingModels.factory(name), option.name(), type(option));
            own.add(option.name());
        }
        options.putAll(saved);
        options.keySet().retainAll(own);
        for (String option : Algorithms.options().keySet()) {
            Object value = FoundOptions.value(usage, KIND, option);
            if (value != null) {
                usage.require(own.contains(option), "--" + option + " does not go with " + name);
                options.put(option, value.toString());
            }
        }
        UpdateSpec before = initial == null ? null : trained(saved, own);
        UpdateSpec update = optimizer.update(usage, before);
        options.put("optimizer", update.name());
        update.options().forEach((option, value) -> options.put(option, value.toString()));
        Algorithms.check(message -> usage.refusal(about(message, name, options)), name, options);
        return options;
    }

    /** Begins with the option that a refusal is about. */
    private static String about(String message, String name, Map<String, String> options) {
        if (options.containsKey(message.split("[ :]", 2)[0])) {
            return "--" + message;
        }
        String features = options.get(ModelOption.FEATURES.name());
        return features == null || !message.contains(features)
                ? "--algorithm " + name + ": " + message
                : "--features " + features + " is too large: " + message;
    }

    /** Sets an option nobody has set, if the algorithm takes it. */
    void offer(Map<String, String> options, ModelOption option, String value) {
        if (Algorithms.own(name(null)).contains(option)) {
            options.putIfAbsent(option.name(), value);
        }
    }

    /** Returns the optimizer among the options of a saved model. */
    private static UpdateSpec trained(Map<String, String> saved, Set<String> own) {
        Map<String, Double> options = new TreeMap<>();
        saved.forEach(
                (name, value) -> {
                    if (!own.contains(name) && !name.equals("optimizer")) {
                        options.put(name, Double.valueOf(value));
                    }
                });
        return new UpdateSpec(saved.getOrDefault("optimizer", OptimizerOptions.DEFAULT), options);
    }
}
