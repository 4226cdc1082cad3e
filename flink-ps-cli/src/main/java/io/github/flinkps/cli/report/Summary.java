package io.github.flinkps.cli.report;

import io.github.flinkps.cli.job.TestResult;
import io.github.flinkps.cli.job.TrainResult;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;

/** The closing tables of commands, for people. */
public final class Summary {
    private final PrintWriter out;

    public Summary(PrintWriter out) {
        this.out = out;
    }

    /**
     * What came of a training.
     *
     * @param best what can be reached, by the names of measures; empty where that is not known
     */
    public void training(TrainResult result, double seconds, Map<String, Double> best) {
        row("rows", "%,d x %d passes", result.rows(), result.epochs());
        if (result.skippedRows() > 0) {
            row("rows skipped", "%,d that could not be read", result.skippedRows());
        }
        row("seconds", "%.2f, training %.2f", seconds, result.trainSeconds());
        row("rows/s", "%,.0f", result.rowsPerSecond());
        row(
                "bytes per row",
                "%.1f sent, %.1f received",
                result.bytesSentPerRow(),
                result.bytesReceivedPerRow());
        row("train " + result.lossName(), "%.4f in the last pass", result.trainLoss());
        if (result.test() != null) {
            test(result.test(), best);
        }
        if (result.model() != null) {
            row("model", "%s", result.model().directory());
        }
        out.flush();
    }

    /** How well a model predicts. */
    public void test(TestResult test, Map<String, Double> best) {
        row("test rows", "%,d", test.rows());
        if (test.skippedRows() > 0) {
            row("test skipped", "%,d rows that could not be read", test.skippedRows());
        }
        test.measures()
                .forEach(
                        (name, value) -> {
                            row("test " + name, "%s", measure(name, value, best.get(name)));
                        });
        out.flush();
    }

    private static String measure(String name, double value, Double best) {
        if (Double.isNaN(value)) {
            return name.equals("auc") ? "none: all rows have the same label" : "none";
        }
        String text = String.format(Locale.ROOT, "%.4f", value);
        return best == null
                ? text
                : text + String.format(Locale.ROOT, " (best reachable %.4f)", best);
    }

    /** A line of a table. */
    public void row(String name, String format, Object... values) {
        out.println(
                "%-14s  %s"
                        .formatted(name, String.format(Locale.ROOT, format, values))
                        .stripTrailing());
    }
}
