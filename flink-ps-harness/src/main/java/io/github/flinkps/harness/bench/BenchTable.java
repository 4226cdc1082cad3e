package io.github.flinkps.harness.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints what was measured as it comes, and keeps it for the report. */
final class BenchTable implements BenchRun.Listener {
    private final PrintWriter out;
    private final List<BenchRow> rows = new ArrayList<>();

    BenchTable(PrintWriter out) {
        this.out = out;
        print(
                "case",
                "op",
                "keys",
                "width",
                "servers",
                "clients",
                "M keys/s",
                "GB/s",
                "p50 us",
                "p99 us",
                "p999 us",
                "bare",
                "ratio",
                "aim",
                "met");
    }

    private void print(Object... cells) {
        String line =
                String.format(
                        Locale.ROOT,
                        "%-22s %-4s %8s %5s %7s %7s %9s %6s %9s %9s %9s %6s %6s %9s %3s",
                        cells);
        out.println(line.stripTrailing());
        out.flush();
    }

    @Override
    public void measured(BenchCase what, BenchRow row, double bareGigabytes, double ratio) {
        rows.add(row);
        print(
                row.name(),
                row.op(),
                row.keys(),
                row.width(),
                row.servers(),
                row.clients(),
                number("%.1f", row.keysPerSecond() / 1e6),
                number("%.2f", row.gigabytesPerSecond()),
                number("%.1f", row.p50Micros()),
                number("%.1f", row.p99Micros()),
                number("%.1f", row.p999Micros()),
                number("%.2f", bareGigabytes),
                number("%.2f", ratio),
                what.aimText(),
                what.met(row, ratio));
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    @Override
    public void skipped(BenchCase what, int width, String why) {
        out.println(what.name() + ", width " + width + ", left out: " + why);
        out.flush();
    }

    List<BenchRow> rows() {
        return rows;
    }
}
