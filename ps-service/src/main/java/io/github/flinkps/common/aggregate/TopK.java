package io.github.flinkps.common.aggregate;

import java.util.List;

/**
 * The {@code k} rows whose value is furthest from 0, furthest first, ties by ascending key.
 * Arguments: {@code k}, and the column (0 unless given).
 */
public final class TopK implements AggregateMerger {
    public static final String NAME = "top-k";

    /** Most rows one answer names. */
    public static final int MAX_K = 100_000;

    @Override
    public String name() {
        return NAME;
    }

    /** Returns the number of rows asked for. */
    public static int k(List<String> arguments) {
        if (arguments.isEmpty() || arguments.size() > 2) {
            throw new IllegalArgumentException(
                    "top-k takes a number of rows and perhaps a column, not " + arguments);
        }
        return number("k", arguments.get(0), 1, MAX_K);
    }

    /** Returns the column asked for. */
    public static int column(List<String> arguments, int width) {
        return arguments.size() < 2 ? 0 : number("column", arguments.get(1), 0, width - 1);
    }

    private static int number(String what, String given, int least, int most) {
        int number;
        try {
            number = Integer.parseInt(given);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "top-k: " + what + " must be a number, not '" + given + "'", e);
        }
        if (number < least || number > most) {
            throw new IllegalArgumentException(
                    "top-k: "
                            + what
                            + " must be between "
                            + least
                            + " and "
                            + most
                            + ", not "
                            + number);
        }
        return number;
    }

    /** Returns whether the first entry comes before the second. */
    public static boolean before(long key, double value, long otherKey, double otherValue) {
        double size = Math.abs(value);
        double otherSize = Math.abs(otherValue);
        return size > otherSize || (size == otherSize && key < otherKey);
    }

    @Override
    public PartialAggregate merge(
            PartialAggregate left, PartialAggregate right, List<String> arguments) {
        int count = Math.min(k(arguments), left.keys().length + right.keys().length);
        long[] keys = new long[count];
        double[] values = new double[count];
        int l = 0;
        int r = 0;
        for (int i = 0; i < count; i++) {
            boolean fromLeft =
                    r == right.keys().length
                            || (l < left.keys().length
                                    && before(
                                            left.keys()[l],
                                            left.values()[l],
                                            right.keys()[r],
                                            right.values()[r]));
            PartialAggregate source = fromLeft ? left : right;
            int at = fromLeft ? l++ : r++;
            keys[i] = source.keys()[at];
            values[i] = source.values()[at];
        }
        return new PartialAggregate(keys, values);
    }
}
