package io.github.flinkps.benchmarks.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The lines of a case: text, a table of figures, and one of aims. */
final class Report {
    private final List<String> lines = new ArrayList<>();
    private final List<String> aims = new ArrayList<>();

    Report(String title, String... text) {
        lines.add("## " + title);
        lines.add("");
        lines.addAll(List.of(text));
        lines.add("");
    }

    /** Begins the table. */
    void columns(String first, String... figures) {
        lines.add("| " + first + " | " + String.join(" | ", figures) + " |");
        lines.add("| --- |" + " ---: |".repeat(figures.length));
    }

    /**
     * Adds a row to the table.
     *
     * @param formats of the figures; NaN becomes an empty cell
     */
    void row(String first, String formats, double... figures) {
        StringBuilder row = new StringBuilder("| " + first + " |");
        String[] each = formats.split(" ");
        for (int i = 0; i < figures.length; i++) {
            row.append(' ').append(number(each[i], figures[i])).append(" |");
        }
        lines.add(row.toString());
    }

    /** Adds an aim: a ratio, and whether it is at least, or at most, what is aimed at. */
    void atLeast(String what, double ratio, double aim) {
        aim(what, "at least %.2f".formatted(aim), ratio, ratio >= aim);
    }

    void atMost(String what, double ratio, double aim) {
        aim(what, "at most %.2f".formatted(aim), ratio, ratio <= aim);
    }

    private void aim(String what, String aim, double ratio, boolean met) {
        String reached = number("%.2f", ratio);
        aims.add("| " + what + " | " + aim + " | " + reached + " | " + (met ? "yes" : "NO") + " |");
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
    }

    List<String> lines() {
        List<String> all = new ArrayList<>(lines);
        if (!aims.isEmpty()) {
            all.addAll(
                    List.of("", "| ratio | aim | reached | met |", "| --- | --- | ---: | --- |"));
            all.addAll(aims);
        }
        all.add("");
        return all;
    }
}
