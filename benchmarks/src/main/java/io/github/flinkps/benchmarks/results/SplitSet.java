package io.github.flinkps.benchmarks.results;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A data set that {@code splits.py} splits five times.
 *
 * @param name of its files
 * @param rows of all of them
 * @param model for people
 * @param measure in reports
 * @param options of a training, but for its files
 */
record SplitSet(String name, int rows, String model, String measure, String options) {
    static final int SPLITS = 5;
    static final String SOFTMAX = "softmax";
    static final String FACTORS = "factorization machine";

    static final List<SplitSet> ALL =
            List.of(
                    ofColumns("iris", 150, SOFTMAX, "logloss", "--classes 3", 4),
                    ofColumns("wine", 178, SOFTMAX, "logloss", "--classes 3", 13),
                    ofColumns("diabetes", 442, "linear regression", "rmse", "", 10),
                    ofColumns("cancer", 569, "logistic regression", "logloss", "", 30),
                    ofColumns("digits", 1797, SOFTMAX, "logloss", "--classes 10", 64),
                    new SplitSet("a9a", 48_842, "logistic regression", "logloss", ""),
                    new SplitSet("a9a", 48_842, FACTORS, "logloss", ""));

    private static SplitSet ofColumns(
            String name, int rows, String model, String measure, String options, int columns) {
        String names =
                IntStream.range(0, columns)
                        .mapToObj(column -> "c" + column)
                        .collect(Collectors.joining(","));
        String of = " --format csv --label y --numeric " + names;
        return new SplitSet(name, rows, model, measure, options + of);
    }

    /** Returns whether the model has an option of tuning. */
    boolean has(String option) {
        return switch (option.split(" ")[0]) {
            case "--initial-bias" -> !model.equals(SOFTMAX) && !model.equals(FACTORS);
            case "--factor-l2" -> model.equals(FACTORS);
            default -> true;
        };
    }

    /** Returns the command that trains on a split, with more options. */
    String train(int split, String more) {
        return "train --input %1$s.%2$d.train --test %1$s.%2$d.test --algorithm %3$s %4$s %5$s"
                .formatted(name, split, model.replace(' ', '-'), options, more)
                .strip();
    }

    /** Returns the aim in words: how far above the reference, and how far apart. */
    String aim() {
        if (rows >= 10_000) {
            return "at most .5 % above it, 1 % apart";
        }
        String above = rows >= 1000 ? "3 %" : "5 % or .01";
        return "at most " + above + " above it, 3 % or .005 apart";
    }

    /** Returns the most that the loss may be. */
    double most(double reference) {
        if (rows >= 10_000) {
            return 1.005 * reference;
        }
        return rows >= 1000 ? 1.03 * reference : Math.max(1.05 * reference, reference + .01);
    }

    /** Returns how far apart the losses of two shapes may be. */
    double spread(double reference) {
        return rows >= 10_000 ? .01 * reference : Math.max(.03 * reference, .005);
    }
}
