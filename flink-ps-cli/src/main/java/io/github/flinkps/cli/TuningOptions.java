package io.github.flinkps.cli;

import io.github.flinkps.cli.job.JobOptions;
import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.flink.algorithm.SkipGram;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.RowSample;
import io.github.flinkps.flink.tuning.LearningDefaults;
import io.github.flinkps.flink.tuning.StepPlan;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The option that says whether defaults are found by the rows. */
final class TuningOptions {
    private static final String AUTO = "auto";
    private static final String OFF = "off";

    /** The most rows that change their places between passes unless that is said. */
    private static final long FEW_ROWS = 100_000;

    @Option(
            names = "--tuning",
            paramLabel = "NAME",
            defaultValue = OFF,
            description =
                    "With --input: auto (numbers are scaled; linear models with adagrad begin at"
                            + " the base rate, and take --epochs, --batch-size, --learning-rate,"
                            + " its schedule and --l2 by the rows, each unless it is given) or off."
                            + " Default: ${DEFAULT-VALUE}.")
    private String tuning;

    void check(Usage usage) {
        tuning = usage.choice("--tuning", tuning, List.of(AUTO, OFF));
    }

    /** Returns whether an algorithm's numbers are scaled where nothing is said of them. */
    boolean scales(String algorithm, Map<String, String> options, boolean csv) {
        boolean anyLength = RowsInput.entries(algorithm, options) == RowsInput.ANY;
        return tuning.equals(AUTO)
                && TrainingModels.isBuiltIn(algorithm)
                && !algorithm.equals(SkipGram.NAME)
                && (anyLength || csv);
    }

    /**
     * Holds what a training was told, and what was found for the rest.
     *
     * @param options of the model and its optimizer
     * @param found the options that were found, as they are typed
     */
    record Found(JobOptions job, Map<String, String> options, List<String> found) {}

    /**
     * Returns what to train by.
     *
     * @param rows that train, with their recipe
     */
    Found find(
            Usage usage,
            String algorithm,
            Map<String, String> options,
            JobOptions job,
            RowsInput rows) {
        if (!tuning.equals(AUTO)
                || job.isPatient()
                || !LearningDefaults.areFor(algorithm, options)) {
            return new Found(job, options, List.of());
        }
        RowSample sample =
                rows.sample(
                        TrainingModels.create(algorithm, options),
                        LearningDefaults.MOST_SAMPLED,
                        job.seed());
        StepPlan plan =
                LearningDefaults.plan(
                        sample.count(),
                        usage.given("--batch-size") ? job.batchSize() : 0,
                        usage.given("--epochs") ? job.epochs() : 0,
                        job.workers());
        LearningDefaults found =
                LearningDefaults.find(algorithm, options, sample, plan, job.seed());
        JobOptions planned = job.with(plan, sample.count() <= FEW_ROWS);
        Stream<String> steps =
                Stream.of("--epochs " + plan.epochs(), "--batch-size " + planned.batchSize())
                        .filter(option -> !usage.given(option.split(" ")[0]));
        Stream<String> others =
                found.options().entrySet().stream()
                        .filter(option -> !options.containsKey(option.getKey()))
                        .sorted(Map.Entry.comparingByKey())
                        .map(option -> "--" + option.getKey() + " " + option.getValue());
        return new Found(
                planned,
                found.options(),
                Stream.concat(steps, others).collect(Collectors.toList()));
    }
}
