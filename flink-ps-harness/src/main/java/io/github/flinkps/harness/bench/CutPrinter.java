package io.github.flinkps.harness.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Prints what was measured of cuts as it comes, and keeps it for the report. */
final class CutPrinter implements CutBench.Listener {
    private static final long PROGRESS_NANOS = 5_000_000_000L;

    private final CutPlan plan;
    private final PrintWriter out;
    private final PrintWriter progress;
    private final List<CutRow> rows = new ArrayList<>();
    private long said = System.nanoTime();

    CutPrinter(CutPlan plan, PrintWriter out, PrintWriter progress) {
        this.plan = plan;
        this.out = out;
        this.progress = progress;
    }

    /** Says what is going to be measured. */
    void begin() {
        out.printf(
                Locale.ROOT,
                "Table of %.0f MB: %d rows of width %d; %d servers, %d clients, %d keys a step%n",
                plan.modelBytes() / 1e6,
                plan.sizes().rows(),
                CutPlan.WIDTH,
                plan.servers(),
                plan.workers(),
                plan.sizes().stepKeys());
        line(
                "part",
                "s",
                "steps/s",
                "p50 ms",
                "p99 ms",
                "p999 ms",
                "longest ms",
                "stall ms",
                "aim",
                "met",
                "written MB",
                "MB/s",
                "copied MB");
    }

    private void line(Object... cells) {
        String line =
                String.format(
                        Locale.ROOT,
                        "%-9s %6s %8s %8s %8s %8s %10s %8s %6s %3s %10s %7s %9s",
                        cells);
        out.println(line.stripTrailing());
        out.flush();
    }

    @Override
    public void filled(int made) {
        if (System.nanoTime() - said >= PROGRESS_NANOS) {
            said = System.nanoTime();
            progress.printf(Locale.ROOT, "%d of %d rows made%n", made, plan.sizes().rows());
            progress.flush();
        }
    }

    @Override
    public void measured(CutRow row) {
        rows.add(row);
        line(
                row.part(),
                number(row.seconds()),
                number(row.stepsPerSecond()),
                number(row.p50Millis()),
                number(row.p99Millis()),
                number(row.p999Millis()),
                number(row.longestMillis()),
                number(row.stallMillis()),
                row.isCut() ? "< " + CutRow.AIM_MILLIS : "",
                row.isCut() ? row.met() ? "yes" : "no" : "",
                number(row.writtenBytes() / 1e6),
                number(row.writtenBytes() / 1e6 / row.seconds()),
                row.isCut() ? String.format(Locale.ROOT, "%.1f", row.savedBytes() / 1e6) : "");
    }

    private static String number(double value) {
        return value > 0 ? String.format(Locale.ROOT, "%.1f", value) : "";
    }

    /** Says what the rows come to. */
    void end() {
        double with = longest(CutRow::isCut);
        double without = longest(row -> row.part().equals(CutRow.WITHOUT));
        boolean durable = rows.stream().allMatch(CutRow::durable);
        String verdict =
                !durable
                        ? "not met: a cut was not written in time"
                        : with < CutRow.AIM_MILLIS
                                ? "met"
                                : with > without
                                        ? "not met"
                                        : "not met, nor without a cut: something else takes as"
                                                + " long";
        out.printf(
                Locale.ROOT,
                "Longest step while a cut was taken %.1f ms, without %.1f ms; aim < %d ms: %s%n",
                with,
                without,
                CutRow.AIM_MILLIS,
                verdict);
        out.flush();
    }

    private double longest(Predicate<CutRow> which) {
        return rows.stream().filter(which).mapToDouble(CutRow::longestMillis).max().orElse(0);
    }

    List<CutRow> rows() {
        return rows;
    }
}
