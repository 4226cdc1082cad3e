package io.github.flinkps.flink.table.function;

/**
 * A sum from which terms may be taken again, with the number of rows in it.
 *
 * <p>It is kept as two doubles, the rounded sum and the rest, by Knuth's exact sum of two numbers:
 * twice a double's precision. Terms whose bits lie within 106 of each other (any usual weights)
 * leave nothing behind when they are taken again, and it does not matter in which order they came.
 *
 * <p>A part of a sum may hold less than nothing: an aggregation in two phases takes rows in one
 * part that it added in another. Public as Flink wants what it keeps as state.
 */
public final class RunningSum {
    public long rows;
    public double high;
    public double low;

    /**
     * Adds terms.
     *
     * @param count how many; negative: they are taken again
     * @param sum of them; where they are taken again, its negative
     */
    public void add(long count, double sum) {
        rows += count;
        double rounded = high + sum;
        double shift = rounded - high;
        double rest = (high - (rounded - shift)) + (sum - shift) + low;
        high = rounded + rest;
        low = rest - (high - rounded);
    }

    /** Adds all that another holds, which stays as it is. */
    public void add(RunningSum other) {
        add(other.rows, other.high);
        add(0, other.low);
    }

    /** Returns the sum. */
    public double value() {
        return high;
    }

    /** Returns whether this is as if nothing had ever been added. */
    public boolean empty() {
        return rows == 0 && high == 0;
    }
}
