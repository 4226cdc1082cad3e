package io.github.flinkps.server;

import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The form in which values of an option are written.
 *
 * @param name of the type, as in {@code NAME must be a whole number}
 * @param label what stands for a value in the usage of a command
 * @param read makes a value of a text, or throws {@link IllegalArgumentException}
 */
public record OptionType<T>(String name, String label, Function<String, T> read) {
    public static final OptionType<String> TEXT = new OptionType<>("a text", "TEXT", text -> text);
    public static final OptionType<Integer> COUNT =
            new OptionType<>("a whole number", "N", text -> Integer.valueOf(text.trim()));

    public static final OptionType<Boolean> FLAG =
            new OptionType<>("true or false", "true|false", OptionType::flag);

    /** Bytes: a number, or one with a unit such as {@code 64m}, {@code 512 kb}, {@code 1g}. */
    public static final OptionType<Long> MEMORY =
            new OptionType<>(
                    "a size such as 64m or 1g", "SIZE", text -> amount(text, OptionType::bytes));

    /** A time such as {@code 500ms}, {@code 60 s}, {@code 5m} or {@code 1h}. */
    public static final OptionType<Duration> TIME =
            new OptionType<>(
                    "a time such as 500ms, 60s, 5m or 1h",
                    "TIME",
                    text -> Duration.ofMillis(amount(text, OptionType::millis)));

    private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,18})\\s*([a-z]*)");

    private static boolean flag(String text) {
        return switch (text.trim().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static long amount(String text, ToLongFunction<String> unit) {
        Matcher parts = AMOUNT.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!parts.matches()) {
            throw new IllegalArgumentException(text);
        }
        try {
            return Math.multiplyExact(
                    Long.parseLong(parts.group(1)), unit.applyAsLong(parts.group(2)));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static long bytes(String unit) {
        return switch (unit) {
            case "", "b", "bytes" -> 1;
            case "k", "kb" -> 1 << 10;
            case "m", "mb" -> 1 << 20;
            case "g", "gb" -> 1 << 30;
            case "t", "tb" -> 1L << 40;
            default -> throw new IllegalArgumentException(unit);
        };
    }

    private static long millis(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> 1000;
            case "m", "min" -> 60_000;
            case "h" -> 3_600_000;
            default -> throw new IllegalArgumentException(unit);
        };
    }
}
