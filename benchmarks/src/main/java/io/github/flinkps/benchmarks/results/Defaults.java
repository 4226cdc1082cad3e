package io.github.flinkps.benchmarks.results;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The section of the page about what is learned where no option is given: all shapes, and each
 * method switched off.
 */
final class Defaults {
    private static final String SSP = "ssp --staleness 3";
    private static final List<Shape> SHAPES =
            List.of(
                    new Shape(1, "bsp"),
                    new Shape(2, "bsp"),
                    new Shape(4, "bsp"),
                    new Shape(2, SSP),
                    new Shape(4, SSP),
                    new Shape(1, "asp"),
                    new Shape(2, "asp"),
                    new Shape(4, "asp"));

    /** The methods, each switched off by an option. */
    private static final List<String> OFF =
            List.of(
                    "--numeric-transform none",
                    "--initial-bias 0",
                    "--epochs 5",
                    "--learning-rate 0.1",
                    "--l2 0",
                    "--factor-l2 0",
                    "--batch-size 1024",
                    "--tuning off");

    private Defaults() {}

    /** Returns the name of a set for {@code --only}. */
    static String name(SplitSet set) {
        return "defaults-" + set.name();
    }

    /** Means over the splits of a set. */
    interface Figures {
        /** Returns what the reference reaches. */
        double reference(SplitSet set) throws IOException, InterruptedException;

        /** Returns the loss of trainings with options. */
        double loss(SplitSet set, String options) throws IOException, InterruptedException;
    }

    /** Hands out the lines of the section, and returns whether all aims are met. */
    static boolean print(List<SplitSet> sets, Figures figures, Consumer<String> out)
            throws IOException, InterruptedException {
        shapesText().forEach(out);
        header("reference", SHAPES.stream().map(Shape::title).toList(), " met |").forEach(out);
        boolean met = true;
        for (SplitSet set : sets) {
            double reference = figures.reference(set);
            List<Double> losses = new ArrayList<>();
            for (Shape shape : SHAPES) {
                losses.add(figures.loss(set, shape.options()));
            }
            boolean isMet = isMet(set, reference, losses);
            met &= isMet;
            out.accept(row(set, set.aim(), reference, losses) + (isMet ? " yes |" : " NO |"));
        }
        methodsText().forEach(out);
        header("as it is", OFF.stream().map(option -> "`" + option + "`").toList(), "")
                .forEach(out);
        for (SplitSet set : sets) {
            List<Double> losses = new ArrayList<>();
            for (String option : OFF) {
                losses.add(set.has(option) ? figures.loss(set, option) : Double.NaN);
            }
            out.accept(row(set, "none: what methods do", figures.loss(set, ""), losses));
        }
        return met;
    }

    static boolean isMet(SplitSet set, double reference, List<Double> losses) {
        double least = losses.stream().mapToDouble(loss -> loss).min().orElseThrow();
        double most = losses.stream().mapToDouble(loss -> loss).max().orElseThrow();
        return most <= set.most(reference) && most - least <= set.spread(reference);
    }

    private static List<String> shapesText() {
        return List.of(
                "",
                "## Defaults",
                "",
                "What is learned where no option is given but those of rows and algorithm. Each set"
                        + " is split five times, by `train_test_split` of scikit-learn with the"
                        + " seeds 0 to 4.",
                "Four fifths train and one fifth tests. Figures are means over the splits.",
                "The reference is scikit-learn: (logistic or ridge) regression with a strength"
                        + " found by cross-validation on the training rows.",
                "It is that of the factorization machine too, which must not be worse.",
                "`bin/results --only defaults` prints this section. It installs scikit-learn"
                        + " once.",
                "");
    }

    private static List<String> methodsText() {
        return List.of(
                "",
                "Each method of [tuning](command-line.md#tuning) switched off by an explicit"
                        + " option:",
                "");
    }

    private static List<String> header(String first, List<String> titles, String met) {
        StringBuilder header =
                new StringBuilder("| data set | model | measure | aim | ").append(first);
        titles.forEach(title -> header.append(" | ").append(title));
        String figures = " ---: |".repeat(1 + titles.size() + (met.isEmpty() ? 0 : 1));
        return List.of(header + " |" + met, "| --- | --- | --- | --- |" + figures);
    }

    private static String row(SplitSet set, String aim, double first, List<Double> losses) {
        StringBuilder row = new StringBuilder("| " + set.name());
        row.append(" | " + set.model() + " | " + set.measure() + " | " + aim + " | ");
        row.append(number(first)).append(" |");
        losses.forEach(loss -> row.append(" ").append(number(loss)).append(" |"));
        return row.toString();
    }

    private static String number(double value) {
        return Double.isNaN(value)
                ? ""
                : String.format(Locale.ROOT, value < 10 ? "%.4f" : "%.2f", value);
    }
}
