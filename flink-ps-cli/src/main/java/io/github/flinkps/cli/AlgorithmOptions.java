package io.github.flinkps.cli;

import io.github.flinkps.cli.job.Algorithms;
import io.github.flinkps.cli.job.SavedModel;
import io.github.flinkps.common.UpdateSpec;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** What is learned. */
final class AlgorithmOptions {
    private static final String DEFAULT = "logistic-regression";

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            description = "Default: " + DEFAULT + ", or that of --initial-model.")
    private String algorithm;

    @Option(
            names = "--features",
            paramLabel = "N",
            description =
                    "Number of features: indices are 0 to N-1 and weights lie in a dense table."
                            + " Without it any index goes.")
    private Long features;

    void check(Usage usage, boolean trainsOn) {
        if (algorithm != null) {
            algorithm = usage.choice("--algorithm", algorithm, Algorithms.names());
        }
        if (features != null) {
            usage.between("--features", features, 1, Long.MAX_VALUE);
            usage.require(
                    !trainsOn, "--features is that of --initial-model, and cannot be another");
        }
    }

    String name(SavedModel initial) {
        if (initial == null) {
            return algorithm == null ? DEFAULT : algorithm;
        }
        String saved = initial.manifest().header().algorithm();
        if (algorithm != null && !algorithm.equals(saved)) {
            throw new CommandException(
                    "--initial-model was trained with --algorithm " + saved + ", not " + algorithm);
        }
        return saved;
    }

    /** The options of the algorithm, the optimizer's included. */
    Map<String, String> options(Usage usage, SavedModel initial, OptimizerOptions optimizer) {
        Map<String, String> saved =
                initial == null ? Map.of() : initial.manifest().header().parameters();
        Map<String, String> options = new TreeMap<>();
        String name = name(initial);
        Set<String> own = Algorithms.own(name);
        options.putAll(saved);
        options.keySet().retainAll(own);
        if (features != null) {
            usage.require(own.contains("features"), "--features does not go with " + name);
            options.put("features", features.toString());
        }
        UpdateSpec before = initial == null ? null : trained(saved, own);
        UpdateSpec update = optimizer.update(usage, before);
        options.put("optimizer", update.name());
        update.options().forEach((option, value) -> options.put(option, value.toString()));
        Algorithms.check(usage::refusal, name, options);
        return options;
    }

    /** The optimizer among the options of a saved model. */
    private static UpdateSpec trained(Map<String, String> saved, Set<String> own) {
        Map<String, Double> options = new TreeMap<>();
        saved.forEach(
                (name, value) -> {
                    if (!own.contains(name)) {
                        options.put(name, Double.valueOf(value));
                    }
                });
        return new UpdateSpec(saved.getOrDefault("optimizer", OptimizerOptions.DEFAULT), options);
    }
}
