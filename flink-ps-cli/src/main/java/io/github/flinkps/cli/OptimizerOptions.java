package io.github.flinkps.cli;

import io.github.flinkps.common.UpdateSpec;
import io.github.flinkps.server.update.UpdateFunctions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The optimizer and its options; which optimizer takes which is known to the optimizers. */
final class OptimizerOptions {
    static final String DEFAULT = "adagrad";

    private static final List<String> BUILT_IN =
            List.of("sgd", "momentum", "adagrad", "rmsprop", "adam", "ftrl");

    @Option(
            names = "--optimizer",
            paramLabel = "NAME",
            description =
                    "sgd, momentum, adagrad, rmsprop, adam or ftrl (FTRL-Proximal). Default: "
                            + DEFAULT
                            + ", or that of --initial-model or --from-cut; another one trains on"
                            + " from its values alone.")
    private String optimizer;

    @Option(
            names = "--learning-rate",
            paramLabel = "RATE",
            description = "Learning rate (ftrl: alpha). Default: 0.1; rmsprop 0.01, adam 0.001.")
    private Double learningRate;

    @Option(
            names = "--l1",
            paramLabel = "L1",
            description = "L1 coefficient of the mean objective (ftrl: lambda1). Default: 0.")
    private Double l1;

    @Option(
            names = "--l2",
            paramLabel = "L2",
            description = "L2 coefficient of the mean objective (ftrl: lambda2). Default: 0.")
    private Double l2;

    @Option(
            names = "--momentum",
            paramLabel = "M",
            description = "Momentum, for momentum. Default: 0.9.")
    private Double momentum;

    @Option(names = "--nesterov", description = "Nesterov's momentum, for momentum.")
    private boolean nesterov;

    @Option(
            names = "--decay",
            paramLabel = "D",
            description = "Decay of the mean square, for rmsprop. Default: 0.9.")
    private Double decay;

    @Option(
            names = "--beta1",
            paramLabel = "B",
            description = "Decay of the first moment, for adam. Default: 0.9.")
    private Double beta1;

    @Option(
            names = "--beta2",
            paramLabel = "B",
            description = "Decay of the second moment, for adam. Default: 0.999.")
    private Double beta2;

    @Option(
            names = "--beta",
            paramLabel = "B",
            description = "Beta of the per-value rate, for ftrl. Default: 1.")
    private Double beta;

    @Option(
            names = "--epsilon",
            paramLabel = "E",
            description = "Added to the divisor, for adagrad, rmsprop and adam. Default: 1e-8.")
    private Double epsilon;

    @Option(
            names = "--initial-accumulator",
            paramLabel = "A",
            description = "First sum of squares, for adagrad. Default: 0.")
    private Double initialAccumulator;

    @Mixin private ScheduleOptions schedule;

    private Map<String, Double> typed() {
        Map<String, Double> typed = new LinkedHashMap<>();
        typed.put("learning-rate", learningRate);
        typed.put("l1", l1);
        typed.put("l2", l2);
        typed.put("momentum", momentum);
        typed.put("nesterov", nesterov ? 1.0 : null);
        typed.put("decay", decay);
        typed.put("beta1", beta1);
        typed.put("beta2", beta2);
        typed.put("beta", beta);
        typed.put("epsilon", epsilon);
        typed.put("initial-accumulator", initialAccumulator);
        typed.values().removeIf(value -> value == null);
        return typed;
    }

    void check(Usage usage) {
        if (optimizer != null) {
            optimizer = usage.choice("--optimizer", optimizer, BUILT_IN);
        }
        schedule.check(usage);
    }

    /**
     * The optimizer asked for.
     *
     * @param before that of the model to train on, or null; what is typed goes before it
     */
    UpdateSpec update(Usage usage, UpdateSpec before) {
        String name = optimizer != null ? optimizer : before != null ? before.name() : DEFAULT;
        Map<String, Double> options = new TreeMap<>();
        if (before != null && before.name().equals(name)) {
            options.putAll(before.options());
        }
        Map<String, Double> typed = typed();
        Set<String> known = UpdateFunctions.options(name);
        usage.require(
                !schedule.given() || known.containsAll(ScheduleOptions.NAMES),
                "a schedule of the learning rate does not go with --optimizer " + name);
        known.removeAll(ScheduleOptions.NAMES);
        for (String option : typed.keySet()) {
            usage.require(
                    known.contains(option),
                    "--"
                            + option
                            + " does not go with --optimizer "
                            + name
                            + ", which takes --"
                            + String.join(", --", known));
        }
        options.putAll(typed);
        schedule.addTo(options);
        UpdateSpec spec = new UpdateSpec(name, options);
        try {
            UpdateFunctions.maker(spec);
        } catch (IllegalArgumentException e) {
            throw usage.refusal("--" + e.getMessage());
        }
        return spec;
    }
}
