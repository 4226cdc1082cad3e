package io.github.flinkps.cli;

import io.github.flinkps.cli.job.Algorithms;
import io.github.flinkps.cli.job.JobOptions;
import io.github.flinkps.cli.job.RowsInput;
import io.github.flinkps.cli.job.SavedModel;
import io.github.flinkps.cli.job.TrainJob;
import io.github.flinkps.cli.job.TrainRequest;
import io.github.flinkps.cli.run.CommandException;
import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.RowShape;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.data.RowSample;
import io.github.flinkps.flink.tuning.LearningDefaults;
import io.github.flinkps.flink.tuning.TrainingSteps;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The option that says whether defaults are found by the rows. */
final class TuningOptions {
    private static final String AUTO = "auto";
    private static final String OFF = "off";

    @Option(
            names = "--tuning",
            paramLabel = "NAME",
            defaultValue = AUTO,
            description =
                    "With --input: choice of defaults by the rows, auto or off. With auto numbers"
                        + " are scaled, and linear models with adagrad begin at the base rate."
                        + " These models choose --epochs, --batch-size, --learning-rate, its"
                        + " schedule and --l2 by the rows, each unless it is given. So do"
                        + " factorization machines, field-aware ones too, and networks, and they"
                        + " find --factor-l2. Matrix factorization finds --mean and --init-std,"
                        + " too. Implicit factorization finds --items and --first-item, where items"
                        + " are numbered. Default: ${DEFAULT-VALUE}.")
    private String tuning;

    void check(Usage usage) {
        tuning = usage.choice("--tuning", tuning, List.of(AUTO, OFF));
    }

    /** Returns whether an algorithm's numbers are scaled where nothing is said of them. */
    boolean scales(String algorithm, boolean csv) {
        RowShape shape = TrainingModels.factory(algorithm).rowShape();
        return tuning.equals(AUTO)
                && TrainingModels.isBuiltIn(algorithm)
                && (shape == RowShape.ANY || csv && shape != RowShape.SEQUENCE);
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
     * @param initial the model to train on, or null
     * @param rows training rows, with their recipe
     * @param testing test rows, or null
     */
    Found find(
            Usage usage,
            SavedModel initial,
            TrainRequest.Learner learner,
            JobOptions job,
            RowsInput rows,
            RowsInput testing) {
        Map<String, String> given = learner.options();
        if (tuning.equals(AUTO)
                && initial == null
                && Algorithms.own(learner.algorithm()).contains(ModelOption.ITEMS)
                && !given.containsKey(ModelOption.ITEMS.name())
                && !given.containsKey(ModelOption.FIRST_ITEM.name())) {
            return numbered(learner, job, testing == null ? List.of(rows) : List.of(rows, testing));
        }
        boolean tunes =
                tuning.equals(AUTO)
                        && !job.isPatient()
                        && LearningDefaults.areFor(learner.algorithm(), given)
                        && (initial == null || goesOn(usage, given));
        if (!tunes) {
            return new Found(job, given, List.of());
        }
        RowSample sample =
                rows.sample(
                        TrainingModels.create(learner.algorithm(), given),
                        LearningDefaults.MOST_SAMPLED,
                        job.seed());
        if (sample.count() == 0 && job.validationShare().isPresent()) {
            throw new CommandException(TrainJob.NO_ROW_TRAINS); // no need for a thousand passes
        }
        TrainingSteps steps = job.steps(usage.given("--epochs"));
        Map<String, String> typed = new TreeMap<>(given);
        if (!usage.given("--optimizer")) {
            typed.remove("optimizer");
        }
        LearningDefaults.Found learned =
                initial == null
                        ? LearningDefaults.find(
                                learner.algorithm(), typed, steps, sample, job.seed())
                        : LearningDefaults.goOn(
                                learner.algorithm(),
                                given,
                                steps,
                                sample.count(),
                                initial.rounds(given.get("optimizer")));
        JobOptions planned = job.with(learned.steps(), TrainingSteps.moveRows(sample.count()));
        Map<String, String> options = new TreeMap<>(given);
        options.putAll(learned.options());
        return new Found(planned, options, found(usage, planned, given, options));
    }

    /** Returns what to train by where items are numbered. */
    private static Found numbered(
            TrainRequest.Learner learner, JobOptions job, List<RowsInput> rows) {
        Map<String, String> found =
                ItemNumbers.find(
                        TrainingModels.create(learner.algorithm(), learner.options()), rows);
        Map<String, String> options = new TreeMap<>(learner.options());
        options.putAll(found);
        return new Found(
                job,
                options,
                found.entrySet().stream()
                        .map(option -> "--" + option.getKey() + " " + option.getValue())
                        .toList());
    }

    /** Returns whether a model's schedule was found by its rows, and none is given now. */
    private static boolean goesOn(Usage usage, Map<String, String> options) {
        return LearningDefaults.haveSchedule(options) && !usage.given("--cosine-steps");
    }

    private static List<String> found(
            Usage usage, JobOptions job, Map<String, String> given, Map<String, String> options) {
        Stream<String> steps =
                Stream.of("--epochs " + job.epochs(), "--batch-size " + job.batchSize())
                        .filter(option -> !usage.given(option.split(" ")[0]));
        Stream<String> others =
                options.entrySet().stream()
                        .filter(option -> !option.getValue().equals(given.get(option.getKey())))
                        .sorted(Map.Entry.comparingByKey())
                        .map(option -> "--" + option.getKey() + " " + option.getValue());
        return Stream.concat(steps, others).toList();
    }
}
