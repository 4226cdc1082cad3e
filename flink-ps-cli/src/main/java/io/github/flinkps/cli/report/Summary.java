package io.github.flinkps.cli.report;

import io.github.flinkps.cli.job.TestResult;
import io.github.flinkps.cli.job.TrainResult;
import io.github.flinkps.cli.progress.ProgressPoint;
import io.github.flinkps.cli.progress.ProgressTracker;
import io.github.flinkps.cli.run.Amounts;
import io.github.flinkps.flink.metrics.CalibrationBin;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The closing tables of commands, for people. */
public final class Summary {
    /** The most classes whose confusion is printed. */
    private static final int MOST_CLASSES = 12;

    private final PrintWriter out;

    public Summary(PrintWriter out) {
        this.out = out;
    }

    /**
     * Prints what came of a training.
     *
     * @param progress followed to the end
     * @param prepared seconds before the job
     * @param seconds of the whole command
     * @param best what can be reached, by the names of measures; empty where that is not known
     */
    public void training(
            TrainResult result,
            ProgressTracker progress,
            double prepared,
            double seconds,
            Map<String, Double> best) {
        out.println();
        row(
                "rows",
                "%,d x %s",
                result.rows().trained(),
                Amounts.of(result.epochs(), "pass", "passes"));
        if (result.rows().skipped() > 0) {
            row("rows skipped", "%,d that could not be read", result.rows().skipped());
        }
        row("seconds", "%.2f", seconds);
        row("  preparing", "%.2f", prepared);
        row("  starting", "%.2f", result.seconds().start());
        row("  training", "%.2f", result.seconds().train());
        row(result.model() == null ? "  ending" : "  saving", "%.2f", result.seconds().end());
        if (result.test() != null) {
            row("  testing", "%.2f", result.testSeconds());
        }
        row("rows/s", "%,.0f", result.rowsPerSecond());
        row("sent", "%s", traffic(result.traffic().sent(), result.bytesSentPerRow()));
        row("received", "%s", traffic(result.traffic().received(), result.bytesReceivedPerRow()));
        row("train " + result.losses().name(), "%.4f in the last pass", result.losses().train());
        curves(result, progress.last(), progress.best());
        if (result.test() != null) {
            test(result.test(), best);
        }
        if (result.model() != null) {
            row("model", "%s", result.model().directory());
            row(
                    "model size",
                    "%s, %,d parameters",
                    Amounts.bytes((double) result.model().manifest().bytes()),
                    result.model().manifest().parameters());
        }
        out.flush();
    }

    private void curves(TrainResult result, ProgressPoint last, ProgressPoint best) {
        if (last != null && !Double.isNaN(last.auc())) {
            row(
                    "train auc",
                    "%.4f of %s sampled in the last pass",
                    last.auc(),
                    Amounts.of(last.aucRows(), "row", "rows"));
        }
        if (best != null) {
            row(
                    "validation",
                    "%s %.4f of %s after pass %d, whose model is kept",
                    result.losses().name(),
                    best.validationLoss(),
                    Amounts.of(result.rows().validated(), "row", "rows"),
                    best.epoch());
        }
    }

    private static String traffic(long bytes, double perRow) {
        return String.format(
                Locale.ROOT, "%s, %.1f bytes a row", Amounts.bytes((double) bytes), perRow);
    }

    /** Prints how well a model predicts. */
    public void test(TestResult test, Map<String, Double> best) {
        row("test rows", "%,d", test.rows());
        if (test.skippedRows() > 0) {
            row(
                    "test skipped",
                    "%s that could not be read",
                    Amounts.of(test.skippedRows(), "row", "rows"));
        }
        test.measures()
                .forEach(
                        (name, value) -> {
                            row(
                                    "test " + name,
                                    "%s",
                                    measure(
                                            name,
                                            value,
                                            best.get(name),
                                            test.constants().get(name)));
                        });
        out.flush();
    }

    /**
     * Prints how often labels are 1 among rows of about one score; nothing where there are none.
     */
    public void calibration(List<CalibrationBin> bins) {
        for (int i = 0; i < bins.size(); i++) {
            CalibrationBin bin = bins.get(i);
            row(
                    i == 0 ? "calibration" : "",
                    "mean score %.4f  label 1 in %.4f  of %s",
                    bin.meanScore(),
                    bin.meanLabel(),
                    Amounts.of(bin.rows(), "row", "rows"));
        }
        out.flush();
    }

    /**
     * Prints how many rows of each class were predicted to be of which; nothing where there are
     * none, or too many to be looked at.
     */
    public void confusion(Map<String, Map<String, Double>> classes) {
        if (classes.size() > MOST_CLASSES) {
            return;
        }
        String name = "confusion";
        for (Map.Entry<String, Map<String, Double>> each : classes.entrySet()) {
            List<String> predicted = new ArrayList<>();
            each.getValue()
                    .forEach(
                            (label, weight) ->
                                    predicted.add(
                                            String.format(Locale.ROOT, "%s %,.0f", label, weight)));
            row(name, "%s taken for  %s", each.getKey(), String.join("  ", predicted));
            name = "";
        }
        out.flush();
    }

    private static String measure(String name, double value, Double best, Double constant) {
        if (Double.isNaN(value)) {
            return name.equals("auc") ? "none: all rows have the same label" : "none";
        }
        List<String> beside = new ArrayList<>();
        if (best != null) {
            beside.add(String.format(Locale.ROOT, "best reachable %.4f", best));
        }
        if (constant != null) {
            beside.add(String.format(Locale.ROOT, "a constant reaches %.4f", constant));
        }
        String text = String.format(Locale.ROOT, "%.4f", value);
        return beside.isEmpty() ? text : text + " (" + String.join(", ", beside) + ")";
    }

    /** Prints a line of a table; values are formatted as by {@link String#format}. */
    public void row(String name, String format, Object... values) {
        out.println(
                "%-14s  %s"
                        .formatted(name, String.format(Locale.ROOT, format, values))
                        .stripTrailing());
    }
}
