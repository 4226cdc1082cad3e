package io.github.flinkps.cli;

import io.github.flinkps.server.update.LearningRate;
import io.github.flinkps.server.update.UpdateOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** How the learning rate changes, in the words of the command line. */
final class ScheduleOptions {
    /** What the update functions call the options below. */
    private static final Set<String> NAMES =
            LearningRate.options().stream().map(UpdateOption::name).collect(Collectors.toSet());

    private static final String CONSTANT = "constant";
    private static final String INVERSE_SQRT = "inverse-sqrt";
    private static final String STEP = "step";
    private static final String COSINE = "cosine";
    private static final int MOST_STEPS = Integer.MAX_VALUE;

    @Option(
            names = "--schedule",
            paramLabel = "KIND",
            description =
                    "How the learning rate changes with the steps t after the warm-up: constant;"
                            + " inverse-sqrt: by sqrt(N / (N + t)) with N --decay-steps; step: by"
                            + " --decay-factor every --decay-steps; cosine: falling to"
                            + " --decay-factor of it within --decay-steps. Refused by optimizers"
                            + " whose rate follows from a formula, such as ftrl. Default:"
                            + " constant, or that of --initial-model. A step is a mini-batch of"
                            + " every worker.")
    private String schedule;

    @Option(
            names = "--decay-steps",
            paramLabel = "N",
            description = "Steps, for --schedule inverse-sqrt, step or cosine and needed there.")
    private Integer decaySteps;

    @Option(
            names = "--decay-factor",
            paramLabel = "F",
            description = "For --schedule step (default 0.1) and cosine (default 0).")
    private Double decayFactor;

    @Option(
            names = "--warmup-steps",
            paramLabel = "N",
            description = "The learning rate rises in a straight line for so long. Default: 0.")
    private Integer warmupSteps;

    void check(Usage usage) {
        if (schedule != null) {
            List<String> kinds = List.of(CONSTANT, INVERSE_SQRT, STEP, COSINE);
            schedule = usage.choice("--schedule", schedule, kinds);
        }
        boolean decays = schedule != null && !schedule.equals(CONSTANT);
        usage.require(
                decays || decaySteps == null,
                "--decay-steps goes with --schedule inverse-sqrt, step or cosine only");
        usage.require(
                !decays || decaySteps != null, "--schedule " + schedule + " needs --decay-steps");
        if (decays) {
            usage.between("--decay-steps", decaySteps, 1, MOST_STEPS);
        }
        if (warmupSteps != null) {
            usage.between("--warmup-steps", warmupSteps, 0, MOST_STEPS);
        }
        if (decayFactor != null) {
            boolean step = STEP.equals(schedule);
            usage.require(
                    step || COSINE.equals(schedule),
                    "--decay-factor goes with --schedule step or cosine only");
            usage.require(
                    step
                            ? decayFactor > 0 && decayFactor <= 1
                            : decayFactor >= 0 && decayFactor < 1,
                    "--decay-factor must be "
                            + (step ? "above 0 and at most 1" : "at least 0 and below 1")
                            + " for --schedule "
                            + schedule
                            + ", not "
                            + decayFactor);
        }
    }

    /** Returns whether a schedule was asked for that is not everyone's. */
    boolean given() {
        return !typed().isEmpty();
    }

    /** Puts what was typed in the place of what is there. */
    void addTo(Map<String, Double> options) {
        if (schedule != null) {
            Double warmUp = options.get("warmup-steps");
            options.keySet().removeAll(NAMES);
            if (warmUp != null) {
                options.put("warmup-steps", warmUp);
            }
        }
        options.putAll(typed());
    }

    private Map<String, Double> typed() {
        Map<String, Double> typed = new TreeMap<>();
        if (decaySteps != null) {
            double steps = decaySteps;
            switch (schedule) {
                case INVERSE_SQRT -> typed.put("inverse-sqrt-steps", steps);
                case STEP -> {
                    typed.put("step-every", steps);
                    typed.put("step-factor", decayFactor);
                }
                default -> {
                    typed.put("cosine-steps", steps);
                    typed.put("final-rate-share", decayFactor);
                }
            }
        }
        typed.put("warmup-steps", warmupSteps == null ? null : Double.valueOf(warmupSteps));
        typed.values().removeIf(value -> value == null);
        return typed;
    }
}
