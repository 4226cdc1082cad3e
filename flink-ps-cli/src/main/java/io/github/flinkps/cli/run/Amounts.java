package io.github.flinkps.cli.run;

import java.util.Locale;

/** Numbers with their units, for people. */
public final class Amounts {
    private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB"};

    private Amounts() {}

    /** Formats bytes as {@code 12.3 MB}, in powers of a thousand; {@code - B} for NaN. */
    public static String bytes(double bytes) {
        if (Double.isNaN(bytes)) {
            return "- B";
        }
        double amount = bytes;
        int unit = 0;
        while (Math.round(amount * 10) >= 10_000 && unit < UNITS.length - 1) {
            amount /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", amount, UNITS[unit]);
    }

    /** Formats a number with its noun, as {@code 1 row} or {@code 12,345 rows}. */
    public static String of(long count, String one, String many) {
        return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
    }

    /** Formats a number as {@code 12,345} or {@code 123k}; {@code -} for NaN. */
    public static String count(double count) {
        if (Double.isNaN(count)) {
            return "-";
        }
        boolean thousands = Math.round(count) >= 100_000;
        return String.format(
                Locale.ROOT, thousands ? "%,.0fk" : "%,.0f", count / (thousands ? 1000 : 1));
    }
}
