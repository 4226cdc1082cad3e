package io.github.flinkps.cli.bench;

import java.io.PrintWriter;
import java.util.Locale;

/** Prints what was measured of cuts. */
final class CutTable {
    private final PrintWriter out;

    CutTable(PrintWriter out) {
        this.out = out;
        line(
                "cut",
                "model MB",
                "servers",
                "clients",
                "longest ms",
                "without ms",
                "aim",
                "met",
                "steps/s",
                "without /s",
                "s",
                "written MB",
                "copied MB");
    }

    private void line(Object... cells) {
        String line =
                String.format(
                        Locale.ROOT,
                        "%-9s %8s %7s %7s %10s %10s %7s %3s %8s %10s %6s %10s %9s",
                        cells);
        out.println(line.stripTrailing());
        out.flush();
    }

    void print(CutRow row) {
        line(
                row.kind(),
                number("%.0f", row.modelBytes() / 1e6),
                row.servers(),
                row.workers(),
                number("%.1f", row.longestMillis()),
                number("%.1f", row.longestMillisWithout()),
                "< " + CutRow.AIM_MILLIS,
                row.met() ? "yes" : "no",
                number("%.1f", row.stepsPerSecond()),
                number("%.1f", row.stepsPerSecondWithout()),
                number("%.1f", row.seconds()),
                number("%.1f", row.writtenBytes() / 1e6),
                number("%.1f", row.savedBytes() / 1e6));
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
