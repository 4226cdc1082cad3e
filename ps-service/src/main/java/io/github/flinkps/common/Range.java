package io.github.flinkps.common;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * The values that an option takes. It is stated once, where the option is declared, and every
 * refusal quotes it.
 *
 * @param includes whether a value lies in it
 * @param text how it reads behind "must be", such as {@code at least 1}
 */
public record Range<T>(Predicate<T> includes, String text) {
    /** Takes every value. */
    public static <T> Range<T> any() {
        return new Range<>(value -> true, "");
    }

    public static <T extends Comparable<? super T>> Range<T> atLeast(T least) {
        return new Range<>(value -> value.compareTo(least) >= 0, "at least " + show(least));
    }

    /** Takes both ends and what lies between them. */
    public static <T extends Comparable<? super T>> Range<T> between(T least, T most) {
        return new Range<>(
                value -> value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
                "between " + show(least) + " and " + show(most));
    }

    /** Takes what lies between two ends, without them. */
    public static <T extends Comparable<? super T>> Range<T> inside(T low, T high) {
        return new Range<>(
                value -> value.compareTo(low) > 0 && value.compareTo(high) < 0,
                "above " + show(low) + " and below " + show(high));
    }

    /**
     * Returns the value.
     *
     * @throws IllegalArgumentException naming the option, if the value lies outside
     */
    public T check(String option, T value) {
        if (!includes.test(value)) {
            throw new IllegalArgumentException(
                    option
                            + " must be "
                            + text
                            + ", not "
                            + (value instanceof String ? "'" + value + "'" : show(value)));
        }
        return value;
    }

    /**
     * Returns a value as it reads in a message or a page; durations as {@code 10 s}, whole numbers
     * without a point.
     */
    public static String show(Object value) {
        if (value instanceof Double number && number == Math.rint(number)) {
            return Long.toString(number.longValue());
        }
        if (!(value instanceof Duration time)) {
            return String.valueOf(value);
        }
        return time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
