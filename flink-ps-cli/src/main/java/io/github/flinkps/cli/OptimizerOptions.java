package io.github.flinkps.cli;

import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.server.update.LearningRate;
import io.github.flinkps.server.update.UpdateFunctionFactory;
import io.github.flinkps.server.update.UpdateFunctions;
import io.github.flinkps.server.update.UpdateOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The optimizer and its options, as the optimizers on the class path declare them. */
final class OptimizerOptions {
    static final String DEFAULT = LogisticRegression.DEFAULT_OPTIMIZER;
    private static final String KIND = "optimizer";

    @Option(
            names = "--optimizer",
            paramLabel = "NAME",
            completionCandidates = Names.class,
            description =
                    "Optimizer, one of ${COMPLETION-CANDIDATES}. Default: "
                            + DEFAULT
                            + ", or that of --initial-model or --start-cut; another one trains on"
                            + " from its values alone.")
    private String optimizer;

    /** The optimizers on the class path. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return UpdateFunctions.optimizers().keySet().iterator();
        }
    }

    /** Adds the options of the optimizers on the class path, each once. */
    static void addTo(CommandSpec spec) {
        Map<String, Map<String, UpdateOption>> options = new TreeMap<>();
        UpdateFunctions.optimizers()
                .forEach(
                        (name, factory) ->
                                UpdateFunctions.options(factory)
                                        .forEach(
                                                option ->
                                                        options.computeIfAbsent(
                                                                        option.name(),
                                                                        any -> new TreeMap<>())
                                                                .put(name, option)));
        options.forEach(
                (name, takers) -> {
                    UpdateOption option =
                            FoundOptions.declaration(takers, UpdateFunctions::isBuiltIn);
                    Map<String, String> defaults = new TreeMap<>();
                    takers.forEach((taker, of) -> defaults.put(taker, defaultOf(of)));
                    FoundOptions.add(
                            spec, KIND, name, type(option), option.description(), defaults);
                });
    }

    private static Class<?> type(UpdateOption option) {
        return option.isFlag() ? Boolean.class : Double.class;
    }

    private static String defaultOf(UpdateOption option) {
        return option.isFlag() ? option.defaultValue() == 1 ? "on" : "off" : option.defaultText();
    }

    /** Returns what was typed of the options of all optimizers. */
    private static Map<String, Double> typed(Usage usage) {
        Map<String, Double> typed = new LinkedHashMap<>();
        for (UpdateFunctionFactory factory : UpdateFunctions.optimizers().values()) {
            for (UpdateOption option : UpdateFunctions.options(factory)) {
                Object value = FoundOptions.value(usage, KIND, option.name());
                if (value != null) {
                    typed.put(option.name(), value instanceof Double number ? number : 1.0);
                }
            }
        }
        return typed;
    }

    void check(Usage usage) {
        if (optimizer != null) {
            optimizer =
                    usage.choice("--optimizer", optimizer, UpdateFunctions.optimizers().keySet());
        }
    }

    /**
     * Returns the optimizer asked for.
     *
     * @param before that of the model to train on, or null; what is typed goes before it
     */
    UpdateSpec update(Usage usage, UpdateSpec before) {
        String name = optimizer != null ? optimizer : before != null ? before.name() : DEFAULT;
        UpdateFunctionFactory factory =
                UpdateFunctions.find(name)
                        .orElseThrow(
                                () ->
                                        usage.refusal(
                                                "optimizer '"
                                                        + name
                                                        + "' of the model to train on is not on"
                                                        + " the class path: add it by"
                                                        + " FLINK_PS_CLASSPATH, or give another"
                                                        + " by --optimizer"));
        Set<String> known = new TreeSet<>();
        for (UpdateOption option : UpdateFunctions.options(factory)) {
            known.add(option.name());
            FoundOptions.check(usage, KIND, name, factory, option.name(), type(option));
        }
        Map<String, Double> options = new TreeMap<>();
        if (before != null && before.name().equals(name)) {
            options.putAll(before.options());
        }
        Map<String, Double> typed = typed(usage);
        for (String option : typed.keySet()) {
            usage.require(
                    known.contains(option),
                    "--"
                            + option
                            + " does not go with --optimizer "
                            + name
                            + ", which takes "
                            + (known.isEmpty() ? "none" : "--" + String.join(", --", known)));
        }
        if (typed.keySet().stream().anyMatch(LearningRate::isDecay)) {
            options.keySet().removeIf(LearningRate::isDecay);
        }
        options.putAll(typed);
        UpdateSpec spec = new UpdateSpec(name, options);
        try {
            UpdateFunctions.maker(spec);
        } catch (IllegalArgumentException e) {
            throw usage.refusal("--" + e.getMessage());
        }
        return spec;
    }
}
