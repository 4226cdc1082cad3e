package io.github.flinkps.flink.tuning;

import io.github.flinkps.flink.algorithm.LinearRegression;
import io.github.flinkps.flink.algorithm.LogisticRegression;
import io.github.flinkps.flink.algorithm.ModelOption;
import io.github.flinkps.flink.algorithm.TrainingModels;
import io.github.flinkps.flink.algorithm.TuningRule;
import io.github.flinkps.flink.data.RowBatch;
import io.github.flinkps.flink.data.RowSample;
import io.github.flinkps.server.update.LearningRate;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds what models learn by on a bounded input where nothing is given: those of ratings by {@link
 * RatingDefaults}, here linear ones and those that have factors or hidden layers. Adagrad's rate is
 * one over the root of the mean squared norm of a row, as in the bound of its regret (Duchi, Hazan,
 * Singer, 2011), and half of that where there are many rows, so that few of them do not decide on
 * what is rare; it falls like half a cosine over all passes. The bias begins at the base rate. L2
 * is that of the least loss by cross-validation on a sample. Where there are factors, L2 is that of
 * logistic or linear regression, or none, and what holds factors back alone is found beside it.
 *
 * <p>The first layer's values begin as large as those of the layers behind it (He, Zhang, Ren, Sun,
 * 2015), by the mean squared norm of a row in the place of the number of inputs. So one rate suits
 * rows of any size, and L2 is found as that of a linear model.
 *
 * <p>Logistic regression on many rows is by FTRL-Proximal (McMahan et al., 2013), whose L2 holds
 * what is rare back from the first step on. Its rate does not fall.
 *
 * <p>Where the mini-batch of each worker is a step of its own, Adagrad sums the squares of their
 * gradients, instead of squaring the sum. So it steps as far by a rate that is less by the root of
 * the number of workers.
 */
public final class LearningDefaults {
    /** Most rows that the search of a strength looks at. */
    public static final int MOST_SAMPLED = 10_000;

    private static final String OPTIMIZER = LogisticRegression.DEFAULT_OPTIMIZER;
    private static final String NAME = "optimizer";
    private static final String OF_MANY_ROWS = "ftrl";
    private static final String RATE = "learning-rate";
    private static final String L2 = L2Search.L2;
    private static final String STEPS = "cosine-steps";
    private static final String FINAL = "final-rate-share";
    private static final double FINAL_SHARE = .02;
    private static final double MANY_ROWS_SHARE = .5;

    /** The rate of networks; any between .03 and .1 does as well on small sets of rows. */
    private static final double RATE_OF_LAYERS = .05;

    private static final String INIT_STD = "init-std";
    private static final double MOST_INIT_STD = 1e6;
    private static final String LABEL_MEAN = "label-mean";
    private static final String LABEL_UNIT = "label-unit";

    /** Options that mean something else to another optimizer. */
    private static final Set<String> OF_ADAGRAD =
            Set.of(NAME, RATE, L2, "l1", "initial-accumulator", ModelOption.INITIAL_BIAS.name());

    private LearningDefaults() {}

    /** Returns whether there are such defaults for an algorithm and its options. */
    public static boolean areFor(String algorithm, Map<String, String> options) {
        return options.getOrDefault(NAME, OPTIMIZER).equals(OPTIMIZER)
                && (RatingDefaults.areFor(algorithm)
                        || TrainingModels.factory(algorithm).tuning(options).isPresent());
    }

    /**
     * Holds how to train.
     *
     * @param steps how to go through the rows
     * @param options of the model and its optimizer: those that are given, and those found
     */
    public record Found(TrainingSteps steps, Map<String, String> options) {}

    /**
     * Finds how to train, as far as it is not given. Blocks the calling thread; runs on threads of
     * its own.
     *
     * @param algorithm one that has such defaults
     * @param given options of the model and its optimizer, which stay what they are
     * @param steps what is given of the way through the rows
     */
    public static Found find(
            String algorithm,
            Map<String, String> given,
            TrainingSteps steps,
            RowSample sample,
            long seed) {
        boolean ratings = RatingDefaults.areFor(algorithm);
        TrainingSteps whole = steps.by(plan(algorithm, given, sample.count()));
        Map<String, String> options = new TreeMap<>(given);
        if (sample.rows().rows() > 0) {
            Moments moments = Moments.of(sample.rows());
            if (ratings) {
                RatingDefaults.find(options, sample, moments, whole.together());
            } else {
                byRule(algorithm, options, sample, moments, whole, seed);
            }
        }
        return new Found(whole, options);
    }

    private static StepPlan plan(String algorithm, Map<String, String> options, long rows) {
        return RatingDefaults.areFor(algorithm)
                ? RatingDefaults.plan(rows)
                : StepPlan.of(rule(algorithm, options).kind(), rows);
    }

    private static TuningRule rule(String algorithm, Map<String, String> options) {
        return TrainingModels.factory(algorithm).tuning(options).orElseThrow();
    }

    private static void byRule(
            String algorithm,
            Map<String, String> options,
            RowSample sample,
            Moments moments,
            TrainingSteps steps,
            long seed) {
        TuningRule rule = rule(algorithm, options);
        boolean ftrl = isByFtrl(algorithm, options, sample.count());
        rule.bias()
                .ifPresent(
                        bias ->
                                options.putIfAbsent(
                                        ModelOption.INITIAL_BIAS.name(),
                                        Double.toString(bias.applyAsDouble(moments.labelMean()))));
        boolean weights = rule.kind() == TuningRule.Kind.WEIGHTS;
        if (rule.regression() && !weights) {
            options.putIfAbsent(LABEL_MEAN, Double.toString(moments.labelMean()));
            options.putIfAbsent(LABEL_UNIT, Double.toString(moments.labelDeviation()));
        }
        if (rule.kind() == TuningRule.Kind.LAYERS) {
            double deviation = Math.min(MOST_INIT_STD, Math.sqrt(2 / moments.norm()));
            options.putIfAbsent(INIT_STD, Double.toString(deviation));
        }
        double unit = rule.regression() && weights ? moments.labelDeviation() : 1;
        double rate = rule.kind().hasLayers() ? RATE_OF_LAYERS : unit / Math.sqrt(moments.norm());
        boolean rates = !options.containsKey(RATE);
        boolean falls = options.keySet().stream().anyMatch(LearningRate::isDecay);
        Map<String, String> tried = new TreeMap<>(options);
        tried.putIfAbsent(RATE, Double.toString(rate));
        RowBatch rows = sample.rows();
        if (rule.kind() == TuningRule.Kind.FACTORS) {
            double l2 = l2OfWeights(algorithm, tried, moments, !falls, rows, seed);
            new L2Search(algorithm, tried, !falls, rows, seed)
                    .ofFactors(l2, sample.count())
                    .forEach((option, value) -> options.put(option, Double.toString(value)));
        } else if (!options.containsKey(L2)) {
            double strength = new L2Search(algorithm, tried, !falls, rows, seed).l2();
            options.put(L2, Double.toString(ftrl ? strength : strength / sample.count()));
        }
        if (ftrl) {
            options.remove(ModelOption.INITIAL_BIAS.name()); // its first steps are as good
            options.put(NAME, OF_MANY_ROWS);
            options.put(RATE, Double.toString(rate));
            return;
        }
        if (rates) {
            double share = StepPlan.areMany(sample.count()) ? MANY_ROWS_SHARE : 1;
            options.put(RATE, Double.toString(share * rate / Math.sqrt(steps.ofRound())));
        }
        if (!falls) {
            schedule(options, steps.count(sample.count()));
        }
    }

    /** Returns whether all is left to the rows, and they are better learned by FTRL. */
    private static boolean isByFtrl(String algorithm, Map<String, String> given, long rows) {
        return algorithm.equals(LogisticRegression.NAME)
                && StepPlan.areMany(rows)
                && Collections.disjoint(given.keySet(), OF_ADAGRAD)
                && given.keySet().stream().noneMatch(LearningRate::isDecay);
    }

    /**
     * Returns the L2 of a model that has nothing but the weights of another; 0 where it is given.
     */
    private static double l2OfWeights(
            String algorithm,
            Map<String, String> options,
            Moments moments,
            boolean falls,
            RowBatch sample,
            long seed) {
        if (options.containsKey(L2)) {
            return 0;
        }
        Map<String, String> ofWeights = new TreeMap<>(options);
        TrainingModels.factory(algorithm)
                .options()
                .forEach(option -> ofWeights.remove(option.name()));
        if (!rule(algorithm, options).regression()) {
            return new L2Search(LogisticRegression.NAME, ofWeights, falls, sample, seed).l2();
        }
        double rate = Double.parseDouble(options.get(RATE)) * moments.labelDeviation();
        ofWeights.put(RATE, Double.toString(rate));
        ofWeights.put(ModelOption.INITIAL_BIAS.name(), Double.toString(moments.labelMean()));
        return new L2Search(LinearRegression.NAME, ofWeights, falls, sample, seed).l2();
    }

    /** Returns whether options have a schedule that {@link #find} gave them. */
    public static boolean haveSchedule(Map<String, String> options) {
        return options.containsKey(STEPS)
                && Double.parseDouble(options.getOrDefault(FINAL, "0")) == FINAL_SHARE;
    }

    /**
     * Returns how a model trains on, whose schedule ends with it.
     *
     * @param options for which {@link #haveSchedule} holds
     * @param steps what is given of the way through the rows
     * @param before rounds that servers count until now; 0 where they begin anew
     */
    public static Found goOn(
            String algorithm,
            Map<String, String> options,
            TrainingSteps steps,
            long rows,
            long before) {
        TrainingSteps whole = steps.by(plan(algorithm, options, rows));
        Map<String, String> extended = new TreeMap<>(options);
        schedule(extended, before + whole.count(rows));
        return new Found(whole, extended);
    }

    /** Lets the rate fall over so many steps. */
    static void schedule(Map<String, String> options, long steps) {
        options.put(STEPS, Long.toString(Math.max(1, steps)));
        options.put(FINAL, Double.toString(FINAL_SHARE));
    }
}
