package io.github.flinkps.server.update;

/**
 * The numbers an option may be. Begins with {@link #above} or {@link #atLeast}, and is narrowed by
 * {@link #below}, {@link #atMost} and {@link #whole()}. Its text is for people.
 *
 * @param low the least number
 * @param withLow whether it is one of them
 * @param high the largest number; infinite: any finite one
 * @param withHigh whether it is one of them
 * @param isWhole whether they are whole
 */
public record NumberRange(
        double low, boolean withLow, double high, boolean withHigh, boolean isWhole) {
    /** A switch: 0 or 1. */
    public static final NumberRange FLAG = atLeast(0).atMost(1).whole();

    public static NumberRange above(double low) {
        return new NumberRange(low, false, Double.POSITIVE_INFINITY, false, false);
    }

    public static NumberRange atLeast(double low) {
        return new NumberRange(low, true, Double.POSITIVE_INFINITY, false, false);
    }

    public NumberRange below(double limit) {
        return new NumberRange(low, withLow, limit, false, isWhole);
    }

    public NumberRange atMost(double limit) {
        return new NumberRange(low, withLow, limit, true, isWhole);
    }

    public NumberRange whole() {
        return new NumberRange(low, withLow, high, withHigh, true);
    }

    /**
     * Returns whether a number lies in the range, and still does as a float: kernels calculate with
     * floats, and what these turn into infinity or 0 is as wrong as that itself.
     */
    public boolean contains(double value) {
        float single = (float) value;
        return includes(value)
                && includes(single)
                && Float.isFinite(single)
                && (value == 0 || single != 0)
                && (!isWhole || value == Math.rint(value));
    }

    private boolean includes(double value) {
        return (withLow ? value >= low : value > low) && (withHigh ? value <= high : value < high);
    }

    @Override
    public String toString() {
        if (equals(FLAG)) {
            return "0 or 1";
        }
        return (isWhole ? "a whole number " : "")
                + (withLow ? "at least " : "above ")
                + text(low)
                + " and "
                + (Double.isInfinite(high)
                        ? "finite"
                        : (withHigh ? "at most " : "below ") + text(high));
    }

    /** Returns a number without the fraction of a whole one. */
    static String text(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
