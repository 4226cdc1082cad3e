package io.github.flinkps.cli.report;

import io.github.flinkps.cli.job.Algorithms;
import io.github.flinkps.cli.job.TestResult;
import io.github.flinkps.cli.job.TrainRequest;
import io.github.flinkps.cli.job.TrainResult;
import io.github.flinkps.flink.algorithm.ModelOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Says where a model has learned nothing of use, with what is likely to help. */
public final class LearningWarnings {
    private static final String LOGLOSS = "logloss";

    /** A test loss beyond so many times that of training, and a little more, is another one. */
    private static final double APART = 1.5;

    private static final double LITTLE = .05;

    /** The rows of a pass are also those of before anything was learned. */
    private static final double ABOVE = 1.1;

    private LearningWarnings() {}

    /** Returns what is to be said of a model by its test rows, whatever trained it. */
    public static List<String> of(TestResult test) {
        List<String> warnings = new ArrayList<>();
        for (String name : test.failed()) {
            warnings.add(
                    text(
                            "the model is worse than a constant on the test rows: %s %.4f,"
                                    + " where a constant reaches %.4f",
                            name, test.measures().get(name), test.constants().get(name)));
        }
        return warnings;
    }

    /** Returns what is to be said of a training. */
    public static List<String> of(TrainResult result, TrainRequest request) {
        List<String> warnings = of(result, request.classes());
        if (result.test() != null) {
            TrainRequest.Learner learner = request.learner();
            warnings.addAll(ofItems(learner.algorithm(), learner.options()));
        }
        return warnings;
    }

    /**
     * @param classes of the model, at least 2; of no meaning where its loss is not the logloss
     */
    private static List<String> of(TrainResult result, int classes) {
        List<String> warnings = new ArrayList<>();
        double guess = Math.log(classes);
        boolean logloss = result.losses().name().equals(LOGLOSS);
        if (logloss && result.losses().train() > ABOVE * guess) {
            warnings.add(
                    text(
                            "nothing was learned: the loss of the last pass, %.4g, is above that of"
                                    + " a guess, %.4f. Most likely columns are of different scale"
                                    + " (--numeric-transform standard) or steps too long (a lower"
                                    + " --learning-rate)",
                            result.losses().train(), guess));
            return warnings;
        }
        if (result.test() == null) {
            return warnings;
        }
        for (String warning : of(result.test())) {
            warnings.add(
                    warning
                            + ". Most likely columns are of different scale (--numeric-transform"
                            + " standard), steps too long (--learning-rate), passes too few or too"
                            + " many (--epochs), or the rows are learned by heart (--l2)");
        }
        Double tested = result.test().measures().get(LOGLOSS);
        if (warnings.isEmpty()
                && logloss
                && tested != null
                && tested > APART * result.losses().train() + LITTLE) {
            warnings.add(
                    text(
                            "training rows are predicted far better (logloss %.4f in the last"
                                    + " pass) than test rows (%.4f): fewer --epochs, --l2, or"
                                    + " --validation-share with --patience may help",
                            result.losses().train(), tested));
        }
        return warnings;
    }

    /**
     * Returns what is to be said of a model by its test rows, and of how they measure it.
     *
     * @param options of the model
     */
    public static List<String> of(TestResult test, String algorithm, Map<String, String> options) {
        List<String> warnings = new ArrayList<>(of(test));
        warnings.addAll(ofItems(algorithm, options));
        return warnings;
    }

    /** Returns what is to be said of the items that a model ranks an item among. */
    private static List<String> ofItems(String algorithm, Map<String, String> options) {
        return Algorithms.own(algorithm).contains(ModelOption.ITEMS)
                        && !options.containsKey(ModelOption.ITEMS.name())
                ? List.of(
                        "the test ranks an item among those of its mini-batch, drawn as often as"
                                + " they are taken, so that to know the popular ones is worth"
                                + " nothing. Training with --items and --first-item draws from"
                                + " all alike, and is measured so")
                : List.of();
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
