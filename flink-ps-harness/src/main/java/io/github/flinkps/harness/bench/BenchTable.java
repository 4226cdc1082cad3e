package io.github.flinkps.harness.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints what was measured as it comes, and keeps it for the report. */
final class BenchTable implements BenchRun.Listener {
    private final PrintWriter out;
    private final boolean tls;
    private final List<BenchRow> rows = new ArrayList<>();

    /**
     * @param tls whether encrypted servers are measured, beside plain ones
     */
    BenchTable(PrintWriter out, boolean tls) {
        this.out = out;
        this.tls = tls;
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
                "of plain",
                "aim",
                "met");
    }

    private void print(Object... cells) {
        String format = "%-22s %-4s %8s %5s %7s %7s %9s %6s %9s %9s %9s %6s %6s ";
        format += tls ? "%8s %15s %3s" : "%14$9s %15$3s";
        String line = String.format(Locale.ROOT, format, cells);
        out.println(line.stripTrailing());
        out.flush();
    }

    @Override
    public void measured(BenchCase what, BenchRow row, BenchRun.Compared compared) {
        print(
                row,
                number("%.2f", compared.bareGigabytes()),
                number("%.2f", compared.ratio()),
                tls ? number("%.2f", compared.toPlain()) : "",
                what.aimText(),
                what.met(row, compared.ratio(), compared.toPlain()));
    }

    @Override
    public void plain(BenchRow row) {
        print(row, "-", "-", "-", "-", "-");
    }

    private void print(
            BenchRow row, String bare, String ratio, String ofPlain, String aim, String met) {
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
                bare,
                ratio,
                ofPlain,
                aim,
                met);
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
